#pragma once
#include "core/matrix.h"
#include "core/result.h"

#include <span>

namespace normscope {

// A loss and its gradient with respect to the matrix it was computed of.
struct Loss {
    double value = 0;
    Matrix<double> gradient;
};

// L = mean (y − target)², over all T·D values; ∂L/∂y = 2·(y − target)/(T·D). PyTorch's MSELoss.
// Errors: different shapes; empty matrices.
Result<Loss> mean_squared_error(const Matrix<double>& y, const Matrix<double>& target);

// L = mean over tokens of −log softmax(logits)[class], ∂L/∂logits = (softmax − one-hot)/T. logits:
// T×C; classes: T numbers from 0 to C−1. PyTorch's CrossEntropyLoss.
// Errors: another number of classes than tokens; a class that is not there; empty matrices.
Result<Loss> cross_entropy(const Matrix<double>& logits, std::span<const Index> classes);

} // namespace normscope
