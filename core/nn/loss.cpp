#include "core/nn/loss.h"

#include <cmath>
#include <string>

namespace normscope {

namespace {
std::string shape(const Matrix<double>& m) {
    return std::to_string(m.rows()) + "×" + std::to_string(m.cols());
}
} // namespace

Result<Loss> mean_squared_error(const Matrix<double>& y, const Matrix<double>& target) {
    if (y.rows() != target.rows() || y.cols() != target.cols())
        return fail("the target does not fit: y is " + shape(y) + ", the target " + shape(target));
    if (y.size() == 0) return fail("a loss needs at least one value; y is " + shape(y));
    Loss loss;
    const double n = static_cast<double>(y.size());
    loss.gradient = y - target;
    loss.value = loss.gradient.squaredNorm() / n;
    loss.gradient *= 2 / n;
    return loss;
}

Result<Loss> cross_entropy(const Matrix<double>& logits, std::span<const Index> classes) {
    if (logits.size() == 0)
        return fail("a loss needs at least one value; the logits are " + shape(logits));
    if (static_cast<Index>(classes.size()) != logits.rows())
        return fail(std::to_string(classes.size()) + " classes for " +
                    std::to_string(logits.rows()) + " tokens");
    Loss loss;
    loss.gradient.resize(logits.rows(), logits.cols());
    const double n = static_cast<double>(logits.rows());
    for (Index t = 0; t < logits.rows(); ++t) {
        const Index c = classes[static_cast<std::size_t>(t)];
        if (c < 0 || c >= logits.cols())
            return fail("token " + std::to_string(t) + " has class " + std::to_string(c) +
                        ", but there are " + std::to_string(logits.cols()));
        // exp(logit − max) cannot overflow.
        const double top = logits.row(t).maxCoeff();
        const auto e = (logits.row(t).array() - top).exp().eval();
        const double sum = e.sum();
        loss.value += (std::log(sum) - (logits(t, c) - top)) / n;
        loss.gradient.row(t) = (e / (sum * n)).matrix();
        loss.gradient(t, c) -= 1 / n;
    }
    return loss;
}

} // namespace normscope
