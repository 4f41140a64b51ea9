#pragma once
#include "core/train/tasks.h"
#include "core/train/train_config.h"

#include <optional>
#include <string>

namespace normscope {

// Data that a person brings: points for Task::own, a text for Task::text.
struct TrainInput {
    Points points;
    std::string text;
};

// Points in the precision of a run.
template<class S>
struct PointSet {
    Matrix<S> x; // N×F
    std::vector<Index> classes;
};
// The result of guessing by the frequencies of the classes, symbols or characters alone.
struct Guess {
    double loss = 0;                     // entropy of the frequencies, in nats
    std::optional<double> test_accuracy; // of points: by the most frequent class to train
};
template<class S>
struct TrainData {
    PointSet<S> train, test; // of points
    Index class_count = 0;
    TextData text;
    Batch test_sentences;  // of sequences and texts: those that no step reads
    Batch train_sentences; // of texts: pieces of its first part, for train_accuracy; else empty
    Index vocabulary = 0;
    Guess guess;
};

// Held-out sequences, and pieces of a text, that accuracies are taken over.
inline constexpr Index k_test_sentences = 100;

// Points with classes, made by code: those for training and as many others for the test. u is
// uniform on ±1, of each coordinate anew; i counts the n points of a class:
//   spirals    class c: r·(sin t, cos t) + noise·u, r = 5i/n, t = 2π·turns·i/n + cπ, all divided
//              by 3 (TensorFlow Playground's spiral)
//   moons      (cos t, sin t) − (0.5, 0.25) and (0.5 − cos t, 0.25 − sin t), t = πi/n, + noise·u
//   circles    r·(sin t, cos t) + noise·u, t = 2πi/n, r = 1 of class 0 and 0.5 of class 1
//   xor        u + noise·u', class 1 where the coordinates of u have one sign
//   gaussians  N(±(1, 1), (5·noise)²)
PointData draw_points(const TrainConfig& config);

// Symbols s_1 … s_n are drawn uniformly, and r is the wanted result:
//   reverse  s_n … s_1
//   copy     s_1 … s_n
//   sort     the symbols from the lowest to the highest
//   first    s_1 alone
// Word 0 is the start, words 1 to `symbols` are the symbols. A sentence is as long as it is: what
// other programs pad and mask is not there, so that it counts in no loss, no accuracy and no
// statistics of a norm.
//   encoder and decoder  source s, target start r_1 … r_(n−1), labels r
//   encoder              source s, labels r (first: s_1 at each token)
//   decoder              target s start r_1 … r_(n−1), labels r from the start on, none before
// Into `out`, whose memory is written again.
void draw_sequences(const TrainConfig& config, Index sentences, std::uint64_t stream, Batch& out);

// Errors: those of read_text() and split_points().
template<class S>
Result<TrainData<S>> make_train_data(const TrainConfig& config, const TrainInput& input);

// The batch of a step, of the same examples for every model: into `batch`, whose memory is written
// again. Points are drawn with replacement.
template<class S>
void draw_points_of_step(const TrainConfig& config, const TrainData<S>& data, Index step,
                         PointSet<S>& batch);
template<class S>
void draw_sentences_of_step(const TrainConfig& config, const TrainData<S>& data, Index step,
                            Batch& batch);

} // namespace normscope
