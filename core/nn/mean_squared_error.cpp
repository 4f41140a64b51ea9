#include "core/nn/mean_squared_error.h"

#include "core/norm/shape.h"

namespace normscope {

Result<MeanSquaredError> mean_squared_error(const Matrix<double>& y, const Matrix<double>& target) {
    if (y.rows() != target.rows() || y.cols() != target.cols())
        return fail("the target does not fit: y is {}, the target {}",
                    shape_text(y.rows(), y.cols()), shape_text(target.rows(), target.cols()));
    if (y.size() == 0)
        return fail("a loss needs at least one value; y is {}", shape_text(y.rows(), y.cols()));
    MeanSquaredError out;
    const double n = static_cast<double>(y.size());
    out.dy = y - target;
    out.loss = out.dy.squaredNorm() / n;
    out.dy *= 2 / n;
    return out;
}

} // namespace normscope
