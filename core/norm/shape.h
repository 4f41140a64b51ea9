#pragma once
#include "core/base/in_range.h"
#include "core/norm/norm.h"

#include <string>

namespace normscope {

// "3×7", as messages write a shape.
inline std::string shape_text(Index rows, Index cols) {
    return std::to_string(rows) + "×" + std::to_string(cols);
}
template<class M>
std::string shape_text(const M& m) {
    return shape_text(m.rows(), m.cols());
}

// Errors of every norm before it computes: an empty matrix; an ε below 0 or not finite.
template<class S>
Result<void> check_norm_input(const Matrix<S>& z, double eps) {
    if (z.size() == 0)
        return fail("normalization needs at least one token and one feature; the matrix is {}",
                    shape_text(z));
    return check_eps(eps);
}

// Errors of batch norm: those of check_norm_input(); one token in training; running statistics that
// are missing in eval mode, or of another width.
template<class S>
Result<void> check_batch_input(const Matrix<S>& z, const NormOptions& options,
                               const RunningStats<S>* running) {
    TRY(check_norm_input(z, options.eps));
    const std::string shape = shape_text(z);
    if (options.mode == Mode::train && z.rows() == 1)
        return fail(
            "batch norm in training: more than one value per feature is needed; the matrix is {}",
            shape);
    if (options.mode == Mode::eval && !running)
        return fail("batch norm in eval mode needs running statistics of width {} for the {} "
                    "matrix; none were given. Train on a batch first",
                    z.cols(), shape);
    if (running && (running->mean.size() != z.cols() || running->var.size() != z.cols()))
        return fail("running statistics do not fit: the matrix is {}, the running mean has {} "
                    "values and the running variance {}",
                    shape, running->mean.size(), running->var.size());
    return {};
}

// dy has the shape of y, or the message names both shapes.
template<class S>
Result<void> check_gradient_shape(const Matrix<S>& y, const Matrix<S>& dy) {
    if (y.rows() == dy.rows() && y.cols() == dy.cols()) return {};
    return fail("the gradient does not fit: y is {}, dy is {}", shape_text(y), shape_text(dy));
}

} // namespace normscope
