#pragma once
#include "app/model/document.h"
#include "core/norm/norm.h"

#include <optional>
#include <vector>

namespace normscope {

// One result of the same B tokens in training and in evaluation.
struct Halves {
    Matrix<double> train, eval; // B×D; `train` is NaN where training refuses the batch
    double difference = 0;      // √mean (train − eval)², NaN where either is
};

// The running statistics after many updates with the same batch of a document. A batch of one
// cannot be trained on: then they are learned on batches of all T tokens.
struct LearnedStats {
    Index learned_on = 0;          // tokens of the batches: B, or T; 0: none, even T cannot
    Vector<double> mean, variance; // of these batches (unbiased), D each; NaN where there are none
    RunningStats<double> running;
    bool poisoned = false; // a NaN batch was among the updates
};

// z: T×D, the document's Z. The batch, the momentum and the updates are those of `document.batch`.
LearnedStats learned_stats(const Document& document, const Matrix<double>& z);

// Batch norm of the first B tokens of Z, in training (their own statistics) and in evaluation (the
// learned statistics, after as many updates with this same batch as the document says).
struct TrainAndEval : Halves, LearnedStats { // Halves: x̂; running: what evaluation used
    Index batch = 0;                         // B
    std::optional<Error> train_error;
};

TrainAndEval train_and_eval(const Document& document, const Matrix<double>& z);

// Whether batches are as large in both, and running statistics of the same Z are learned alike.
bool same_batch(const Document& a, const Document& b);
bool same_training(const Document& a, const Document& b);

// Y = γ⊙x̂ + β in training and in evaluation. γ and β are those of all T tokens.
Halves outputs_of(const Halves& x_hat, const Affine<double>& affine);

// The running mean and variance of one feature after 0, 1, …, `updates` batches whose mean and
// unbiased variance are these; the batch of update `nan_update` (0: none) is NaN.
struct RunningPoint {
    double mean = 0, variance = 1;
};
std::vector<RunningPoint> running_path(double mean, double variance, double momentum, int updates,
                                       int nan_update);

// How much of the way from where they start to the batch's own the running statistics have come
// after 0, 1, …, `updates`: 1 − (1 − momentum)^n, NaN from a NaN batch on.
std::vector<double> running_share(double momentum, int updates, int nan_update);

// The least n with 1 − (1 − momentum)^n ≥ share.
int updates_to_reach(double share, double momentum);

} // namespace normscope
