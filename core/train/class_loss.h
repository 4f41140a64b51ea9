#pragma once
#include "core/base/matrix.h"

#include <span>

namespace normscope {

// Mean loss of a batch, and the share of it that is right.
struct BatchLoss {
    double loss = 0;
    double accuracy = 0;
};

// Cross-entropy of points by their classes, with ∂loss/∂logits into `dlogits`, resized.
//   one logit s  −log σ(s) of class 1, −log σ(−s) of class 0, as
//                torch.nn.functional.binary_cross_entropy_with_logits
//   V logits     −log softmax(s)_class, as cross_entropy() (core/nn/loss.h), which allocates
// A point is right where the class it has comes out as the likeliest. logits: T×1 or T×V; T classes
// that the logits have.
template<class S>
BatchLoss class_loss(const Matrix<S>& logits, std::span<const Index> classes, Matrix<S>& dlogits);

} // namespace normscope
