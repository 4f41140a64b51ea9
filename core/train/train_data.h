#pragma once
#include "core/train/tasks.h"
#include "core/train/train_config.h"
#include "core/transformer/transformer.h"

#include <optional>
#include <string>

namespace normscope {

// What a person brings: points for Task::own, a text for Task::text.
struct TrainInput {
    Points points;
    std::string text;
};

// What a run reads, in its precision.
template<class S>
struct PointSet {
    Matrix<S> x; // N×F
    std::vector<Index> classes;
};
// What one gets who knows nothing but how often each class, symbol or character is there.
struct Guess {
    double loss = 0;                     // their entropy, in nats
    std::optional<double> test_accuracy; // of points: by the most frequent class to train
};
template<class S>
struct TrainData {
    PointSet<S> train, test; // of points
    Index class_count = 0;
    TextData text;
    Batch test_sentences;  // of sequences and texts: those that no step reads
    Batch train_sentences; // of texts: the pieces that steps are drawn from; else empty
    Index vocabulary = 0;
    Guess guess;
};

// Held-out sequences, and pieces of a text, that accuracies are taken over.
inline constexpr Index k_test_sentences = 100;

// Errors: those of read_text() and split_points().
template<class S>
Result<TrainData<S>> make_train_data(const TrainConfig& config, const TrainInput& input);

// The batch of a step: the same for every model, into `batch`, whose memory is written again.
// Points are drawn with replacement.
template<class S>
void draw_points_of_step(const TrainConfig& config, const TrainData<S>& data, Index step,
                         PointSet<S>& batch);
template<class S>
void draw_sentences_of_step(const TrainConfig& config, const TrainData<S>& data, Index step,
                            Batch& batch);

} // namespace normscope
