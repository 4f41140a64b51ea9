#include "core/nn/loss.h"

#include "core/kernels/softmax.h"
#include "core/nn/linear.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {

namespace {

// log softmax(row)[target] = s_target − max − log Σ exp(s − max), in double.
template<class S>
double log_probability(const S* row, Index classes, Index target) {
    const double largest = static_cast<double>(*std::max_element(row, row + classes));
    double sum = 0;
    for (Index j = 0; j < classes; ++j) sum += std::exp(static_cast<double>(row[j]) - largest);
    return static_cast<double>(row[target]) - largest - std::log(sum);
}

} // namespace

template<class S>
Result<LossGradient<S>> linear_readout(const Matrix<S>& y, const Matrix<S>& readout) {
    if (auto ok = check_gradient("the linear readout", readout, y.rows(), y.cols()); !ok)
        return tl::unexpected(ok.error());
    LossGradient<S> out;
    for (Index i = 0; i < y.size(); ++i) {
        out.loss += static_cast<double>(readout.data()[i]) * static_cast<double>(y.data()[i]);
    }
    out.dy = readout;
    return out;
}

template<class S>
Result<CrossEntropy<S>> cross_entropy(const Matrix<S>& logits, const std::vector<Index>& targets) {
    const Index tokens = logits.rows();
    const Index classes = logits.cols();
    if (tokens == 0 || classes == 0 || static_cast<Index>(targets.size()) != tokens)
        return fail("cross-entropy needs one target a token: the logits are " +
                    shape_text(tokens, classes) + ", there are " + std::to_string(targets.size()) +
                    " targets");
    CrossEntropy<S> out;
    out.dlogits.resize(tokens, classes);
    for (Index t = 0; t < tokens; ++t) {
        const Index target = targets[static_cast<std::size_t>(t)];
        if (target < 0 || target >= classes)
            return fail("target " + std::to_string(target) + " of token " + std::to_string(t) +
                        " is not one of the " + std::to_string(classes) + " classes");
        const S* row = logits.data() + t * classes;
        S* d = out.dlogits.data() + t * classes;
        std::copy_n(row, classes, d);
        softmax_row(d, classes, classes);
        out.loss -= log_probability(row, classes, target);
        const S scale = S(1) / static_cast<S>(tokens);
        for (Index j = 0; j < classes; ++j) d[j] *= scale;
        d[target] -= S(1) / static_cast<S>(tokens);
    }
    out.loss /= static_cast<double>(tokens);
    return out;
}

template<class S>
Result<LossGradient<S>> vocabulary_loss(const Matrix<S>& y, const Matrix<S>& head,
                                        const std::vector<Index>& targets, int threads) {
    const Linear<S> linear{head, {}};
    auto logits = linear_forward(linear, y, threads);
    if (!logits) return tl::unexpected(logits.error());
    auto entropy = cross_entropy(*logits, targets);
    if (!entropy) return tl::unexpected(entropy.error());
    auto back = linear_backward(linear, y, entropy->dlogits, Pass{Want::input_only, threads});
    if (!back) return tl::unexpected(back.error());
    return LossGradient<S>{entropy->loss, std::move(back->dx)};
}

template Result<LossGradient<float>> linear_readout(const Matrix<float>&, const Matrix<float>&);
template Result<LossGradient<double>> linear_readout(const Matrix<double>&, const Matrix<double>&);
template Result<CrossEntropy<float>> cross_entropy(const Matrix<float>&, const std::vector<Index>&);
template Result<CrossEntropy<double>> cross_entropy(const Matrix<double>&,
                                                    const std::vector<Index>&);
template Result<LossGradient<float>> vocabulary_loss(const Matrix<float>&, const Matrix<float>&,
                                                     const std::vector<Index>&, int);
template Result<LossGradient<double>> vocabulary_loss(const Matrix<double>&, const Matrix<double>&,
                                                      const std::vector<Index>&, int);

} // namespace normscope
