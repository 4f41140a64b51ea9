#pragma once
#include "app/model/transformer/transformer_setup.h"
#include "app/study/opened_part.h"
#include "core/train/trainer.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace normscope {

// The map of the plane by a run at a step: P(class 1) on a grid, in evaluation mode.
struct PointMap {
    static constexpr int k_rows = 72;                // of the frame's side
    static constexpr int k_columns = 8 * k_rows / 3; // of a wider part, about its middle
    std::vector<float> probability;                  // row after row, the highest y first
};

// A held-out sequence, the words that are wanted, and those that the run finds likeliest after the
// right ones before them (teacher forcing).
struct WrittenSentence {
    std::vector<Index> source, wanted, written;
};
struct WrittenSentences {
    std::vector<WrittenSentence> sentences;
    // The attention of the first sentence, its wanted words × its source, by the surest head of
    // cross-attention; empty of a model without cross-attention.
    Matrix<float> attention;
    std::shared_ptr<const Transformer<float>> model; // that wrote them
};

// The text that a run writes after a given one; "/" stands where a line ends.
struct WrittenText {
    Index step = 0; // at which it wrote
    std::string start, text;
};

inline constexpr Index k_write_every = 50;        // steps, while a race runs
inline constexpr Index k_written_characters = 90; // and as many at most are read before
inline constexpr double k_write_temperature = 0.5;

// Symbol n is the n-th letter, or its number where there are more than letters; 0 is the start.
std::string symbol_word(Index symbol, Index symbols);
Words symbol_words(Index symbols); // of all, from the start on

// The model of a shot as weights that workspace 5 opens, under a name.
FileWeights weights_of(const WrittenSentences& written, Index symbols, std::string name);

// The step that a run of points is about to take: forward, loss, backward and update.
struct MlpStep {
    Index step = 0;        // as many are taken before it
    Mlp<float> before;     // the weights that it reads
    PointSet<float> batch; // its points
    MlpPass<float> pass;   // what they become, and the gradients
    double loss = 0;       // of the batch
    double learning_rate = 0;
    Vector<float> after; // the values of `before` after its update
};

inline constexpr Index k_most_step_values = 200000; // of all layers; there is no look at more

// The step that a trainer takes next. Null of a Transformer, of a net that is too large to be kept
// and of a run that has diverged. Errors: those of the passes.
Result<std::shared_ptr<const MlpStep>> look_at_step(const Trainer<float>& trainer);

// A layer's norm as an Add & Norm whose F(X) is what it reads, W·h + b or φ(W·h + b), and whose X,
// which is not added, is h; a token is a point of the batch.
Result<Document> open_layer(const Document& document, const MlpStep& step, std::size_t layer,
                            const std::string& lane);

// γ and β of all norms of a layer; empty without a norm.
struct LayerAffine {
    std::vector<float> gamma, beta;
};

// A run as it is after so many steps.
struct LaneShot {
    Index step = 0;
    bool finite = true; // false: it stopped being numbers before, and there is nothing to show
    double test_accuracy = 0;
    std::variant<PointMap, WrittenSentences, WrittenText, std::monostate> shown;
    std::vector<LayerAffine> affine = {}; // by layer, from the input up
    // The step that follows; null while a race runs, and where look_at_step() has none.
    std::shared_ptr<const MlpStep> next = nullptr;
};

// The part of the plane that maps show at least: a square around all points, one for all lanes.
struct PointFrame {
    double left = -1, bottom = -1, side = 2;
};
PointFrame frame_of(const TrainData<float>& data);

inline constexpr std::size_t k_shown_sentences = 8;

// The shot of a trainer as it stands. `written` takes the place of a new text. Points of other than
// two features in two classes have no map. Errors: those of the forward pass.
Result<LaneShot> shoot(const Trainer<float>& trainer, const WrittenText* written = nullptr);

} // namespace normscope
