#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"

namespace normscope {

struct MeanSquaredError {
    double loss = 0;
    Matrix<double> dy; // T×D
};

// loss = mean (y − target)², over all T·D values; dy = 2·(y − target)/(T·D). PyTorch's MSELoss.
// Errors: different shapes; empty matrices.
Result<MeanSquaredError> mean_squared_error(const Matrix<double>& y, const Matrix<double>& target);

} // namespace normscope
