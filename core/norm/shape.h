#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cmath>
#include <string>

namespace normscope {

// "3×7", as messages write a shape.
inline std::string shape_text(Index rows, Index cols) {
    return std::to_string(rows) + "×" + std::to_string(cols);
}

// What every norm refuses before it computes: an empty matrix, an ε below 0 or not finite.
inline Result<void> check_norm_input(Index tokens, Index features, double eps) {
    if (tokens == 0 || features == 0)
        return fail("normalization needs at least one token and one feature; the matrix is " +
                    shape_text(tokens, features));
    if (!(eps >= 0) || !std::isfinite(eps))
        return fail("ε must be a finite number of 0 or more; it is " + std::to_string(eps));
    return {};
}

// dy has the shape of what forward returned, or the message names both.
template<class S>
Result<void> check_gradient_shape(const Matrix<S>& y, const Matrix<S>& dy) {
    if (y.rows() == dy.rows() && y.cols() == dy.cols()) return {};
    return fail("the gradient does not fit: y is " + shape_text(y.rows(), y.cols()) + ", dy is " +
                shape_text(dy.rows(), dy.cols()));
}

} // namespace normscope
