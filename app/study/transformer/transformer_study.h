#pragma once
#include "app/study/lab/node.h"
#include "app/study/opened_part.h"
#include "app/study/transformer/box.h"
#include "app/study/transformer/document_model.h"
#include "core/base/lists.h"
#include "core/norm/sets.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// The kind of a sublayer: self-attention, masked or not, cross-attention or feed-forward.
enum class Reading : std::uint8_t { self, masked, cross, feed_forward };

// The numbers of one Add & Norm, T×D each. Where the norm comes first (pre, peri) x̂ and `normed`
// are those of X, and Y = Z.
struct AddNormNumbers {
    bool norm_first = false;
    Matrix<float> x, f, z, x_hat, normed, y; // f as the Add adds it, α included, and x with λ
    NormCache<float> cache;                  // its x̂ is above
    double x_norm = 0, f_norm = 0;           // ‖X‖, ‖F(X)‖ as they are added
};

// A token's vector at one place on its way up.
struct WayStage {
    Box box;
    enum class What : std::uint8_t { words, positions, sublayer, add, norm } what;
    int layer = -1; // −1: the input
    Vector<float> values;
    double mean = 0, std = 0; // biased
};

// One forward and backward pass of a document's Transformer over its sentences, in float32: every
// number of the figure is one of these. Where something cannot be computed, error() says why, and
// nothing else is there.
class TransformerStudy {
  public:
    // `before` may be null; its weights serve again where the config is the same. Null after a
    // stop.
    static std::shared_ptr<const TransformerStudy>
    of(const TransformerSetup& setup, const std::shared_ptr<const TransformerStudy>& before,
       const Progress& progress = {});
    static bool fits_in_a_frame(const TransformerSetup& setup);

    bool is_of(const TransformerSetup& setup) const {
        return setup_ == setup && setup_.decoded == setup.decoded;
    }

    const TransformerSetup& setup() const { return setup_; }
    const std::optional<Error>& error() const { return error_; }
    const Transformer<float>& model() const { return *model_; }
    const TransformerForward<float>& forward() const { return forward_; }
    // Null without labels.
    const TransformerBackward<float>* backward() const { return backward_ ? &*backward_ : nullptr; }
    const Words& vocabulary() const { return vocabulary_; }

    bool has(StackSide side) const { return layers(side) > 0; }
    std::vector<StackSide> sides() const; // that it has
    int layers(StackSide side) const {
        return side == StackSide::encoder ? encoder_layers(setup_.config)
                                          : decoder_layers(setup_.config);
    }
    // Blocks of a layer.
    int blocks(StackSide side) const { return blocks_of(setup_.config, side); }
    const Sentence& sentence() const { return sentence_; } // that went through
    // The word that the head finds likeliest after a token.
    Index likeliest(Index token) const;
    const Words& tokens(StackSide side) const { return entry_at(tokens_, side); }
    const std::string& word(StackSide side, Index token) const {
        return entry_at(tokens(side), token);
    }
    // The side whose output the head reads.
    StackSide head() const {
        return has(StackSide::decoder) ? StackSide::decoder : StackSide::encoder;
    }
    Reading reading(const Box& box) const;
    bool has(const Box& box) const;
    // The sublayer of the block that reads an embedding or an Add & Norm; none: at the top of its
    // stack.
    std::optional<Box> next(const Box& box) const;

    // The output of a box and ∂L/∂output (empty without labels): tokens × features or words.
    const Matrix<float>& output(const Box& box) const;
    Matrix<float> gradient(const Box& box) const;
    // The largest number of each sublayer and Add & Norm, in size, of its output or its gradient.
    std::vector<double> largest(bool of_gradient) const;

    // Words and positions of a side's tokens.
    const EmbeddingForward<float>& embedded(StackSide side) const {
        return side == StackSide::encoder ? forward_.source : forward_.target;
    }
    const StackForward<float>& stack(StackSide side) const { return of_side(forward_, side); }

    // The block that a box belongs to: its input, T×D; its backward pass (null without labels); its
    // weights; the numbers of its Add & Norm.
    const Matrix<float>& input(const Box& box) const { return cache(box).x; }
    const BlockBackward<float>* backward(const Box& box) const;
    const ResidualBlock<float>& block(const Box& box) const;
    AddNormNumbers add_norm(const Box& box) const;
    // The cache of a sublayer that is of this kind; null: it is of the other kind.
    const AttentionCache<float>* attention(const Box& box) const {
        return std::get_if<AttentionCache<float>>(&cache(box).sublayer);
    }
    const FeedForwardCache<float>* feed_forward(const Box& box) const {
        return std::get_if<FeedForwardCache<float>>(&cache(box).sublayer);
    }

    // A token's way through its stack.
    std::vector<WayStage> way(StackSide side, Index token) const;

    // How far the pieces that are taken out move the head's input, as a share of what it was, and
    // the loss that there was; none where nothing is taken out.
    struct Moved {
        double share = 0;
        std::optional<double> loss;
    };
    const std::optional<Moved>& moved() const { return moved_; }

    const ParameterCounts& parameters() const { return parameters_; }

  private:
    const BlockCache<float>& cache(const Box& box) const {
        return in_block(stack(box.side).layers, box);
    }

    TransformerSetup setup_;
    std::optional<Error> error_;
    SharedTransformer whole_, model_; // model_: without the pieces taken out
    std::optional<Moved> moved_;
    TransformerForward<float> forward_;
    std::optional<TransformerBackward<float>> backward_;
    Sentence sentence_;
    Words vocabulary_, tokens_[2];
    ParameterCounts parameters_;
};

// "encoder 2 · after Self-attention".
std::string place_of(const TransformerStudy& study, const Box& box);

// "Masked attention", "Add & Norm": what stands in the box.
std::string_view name_of(const TransformerStudy& study, const Box& box);

// Cells of a box's output.
struct BoxCells {
    Box box;
    CellBlock cells;
};

// The cells that a box's cell is made of, everywhere they stand: what is added and what shares its
// statistics for an Add & Norm, what a token may look at for attention.
std::vector<BoxCells> made_of(const TransformerStudy& study, const Box& box, Index token,
                              Index feature);

// The cells that a box's cell goes into at once: the blocks that read it, or the head.
std::vector<BoxCells> goes_into(const TransformerStudy& study, const Box& box, Index token,
                                Index feature);

// An Add & Norm of the Transformer as a document: the sentence's words are its tokens, and ∂L/∂Y is
// its dY. Where the norm stands before the sublayer (pre, peri) the Add & Norm that is shown is the
// Add followed by the norm that reads its sum. Errors: those of the study.
Result<Document> open_add_norm(const Document& document, const TransformerStudy& study,
                               const Box& box);

} // namespace normscope
