#pragma once
#include "core/nn/linear.h"

#include <span>
#include <vector>

namespace normscope {

template<class S>
struct LossGradient {
    double loss = 0;
    Matrix<S> dy; // ∂loss/∂y, T×D
};

// loss = Σ readout ⊙ y, so that dy is the readout itself. Both T×D.
// Errors: shapes that differ.
template<class S>
Result<LossGradient<S>> linear_readout(const Matrix<S>& y, const Matrix<S>& readout);

// loss = mean (y − target)², over all T·D values; dy = 2·(y − target)/(T·D). PyTorch's MSELoss.
// Errors: different shapes; empty matrices.
Result<LossGradient<double>> mean_squared_error(const Matrix<double>& y,
                                                const Matrix<double>& target);

template<class S>
struct CrossEntropy {
    double loss = 0;
    Matrix<S> probabilities; // p = softmax of each token's logits, T×V
    Matrix<S> dlogits;       // (p − q)/T
};

// The target of a token that counts in no loss: its row of dlogits is 0.
inline constexpr Index k_no_label = -1;

// loss = −mean_t Σ_c q_tc·log p_tc with q = (1 − ε)·one-hot(target) + ε/V: label smoothing by ε
// (Szegedy et al. 2016, section 7), as torch.nn.functional.cross_entropy.
// logits: T×V, targets: T classes below V or k_no_label; the mean and T of dlogits are of the
// tokens that have a class. Errors: counts or classes that do not fit; no class; an ε beyond 0 … 1.
template<class S>
Result<void> cross_entropy_into(const Matrix<S>& logits, const std::vector<Index>& targets,
                                double label_smoothing, CrossEntropy<S>& out);
template<class S>
Result<CrossEntropy<S>> cross_entropy(const Matrix<S>& logits, const std::vector<Index>& targets,
                                      double label_smoothing = 0) {
    CrossEntropy<S> out;
    TRY(cross_entropy_into(logits, targets, label_smoothing, out));
    return out;
}

// Cross-entropy over a vocabulary: logits = y·headᵀ. y: T×D, head: V×D (untied, without bias).
template<class S>
Result<LossGradient<S>> vocabulary_loss(const Matrix<S>& y, const Matrix<S>& head,
                                        const std::vector<Index>& targets, int threads = 1);

// Mean loss of a batch, and the share of its examples that is right.
struct BatchLoss {
    double loss = 0;
    double accuracy = 0;
};

// Cross-entropy of points by their classes, with ∂loss/∂logits into `dlogits`, resized.
//   one logit s  −log σ(s) of class 1, −log σ(−s) of class 0, as
//                torch.nn.functional.binary_cross_entropy_with_logits
//   V logits     −log softmax(s)_class, as cross_entropy(), which allocates
// A point is right where its class comes out as the likeliest. logits: T×1 or T×V; T classes that
// the logits have.
template<class S>
BatchLoss class_loss(const Matrix<S>& logits, std::span<const Index> classes, Matrix<S>& dlogits);

} // namespace normscope
