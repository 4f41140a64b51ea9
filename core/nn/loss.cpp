#include "core/nn/loss.h"

#include "core/base/lists.h"
#include "core/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {

namespace {

// The loss and accuracy (0 or 1) of one point, and its row d of dlogits, not yet divided by T.
template<class S>
BatchLoss sigmoid_loss(const S* logits, Index wanted, S* d) {
    // softplus(−s) = −log σ(s), s the logit towards the wanted class
    const double towards = static_cast<double>(wanted == 1 ? logits[0] : -logits[0]);
    const double small = std::exp(-std::abs(towards));
    const double of_other = towards >= 0 ? small / (1 + small) : 1 / (1 + small); // σ(−s)
    d[0] = static_cast<S>(wanted == 1 ? -of_other : of_other);
    return {std::log1p(small) + std::max(-towards, 0.0), towards > 0 ? 1.0 : 0.0};
}

template<class S>
BatchLoss softmax_loss(const S* logits, Index count, Index wanted, S* d) {
    Index top = 0;
    for (Index c = 1; c < count; ++c)
        if (logits[c] > logits[top]) top = c;
    std::copy_n(logits, count, d);
    softmax_row(d, count, count);
    // log p_c = s_c − max − log Σ exp(s − max); the largest p is 1/Σ.
    const double log_sum = static_cast<double>(logits[top]) - std::log(static_cast<double>(d[top]));
    d[wanted] -= S(1);
    return {log_sum - static_cast<double>(logits[wanted]), top == wanted ? 1.0 : 0.0};
}

} // namespace

template<class S>
Result<LossGradient<S>> linear_readout(const Matrix<S>& y, const Matrix<S>& readout) {
    TRY(check_gradient("the linear readout", readout, y.rows(), y.cols()));
    LossGradient<S> out;
    for (Index i = 0; i < y.size(); ++i)
        out.loss += static_cast<double>(readout.data()[i]) * static_cast<double>(y.data()[i]);
    out.dy = readout;
    return out;
}

Result<LossGradient<double>> mean_squared_error(const Matrix<double>& y,
                                                const Matrix<double>& target) {
    if (y.rows() != target.rows() || y.cols() != target.cols())
        return fail("the target does not fit: y is {}, the target {}", shape_text(y),
                    shape_text(target));
    if (y.size() == 0) return fail("a loss needs at least one value; y is {}", shape_text(y));
    LossGradient<double> out;
    const double n = static_cast<double>(y.size());
    out.dy = y - target;
    out.loss = out.dy.squaredNorm() / n;
    out.dy *= 2 / n;
    return out;
}

template<class S>
Result<void> cross_entropy_into(const Matrix<S>& logits, const std::vector<Index>& targets,
                                double label_smoothing, CrossEntropy<S>& out) {
    const Index tokens = logits.rows();
    const Index classes = logits.cols();
    if (tokens == 0 || classes == 0 || std::ssize(targets) != tokens)
        return fail(
            "cross-entropy needs one target a token: the logits are {}, there are {} targets",
            shape_text(tokens, classes), targets.size());
    if (!(label_smoothing >= 0 && label_smoothing <= 1))
        return fail("label smoothing must be from 0 to 1; it is {}", label_smoothing);
    out.loss = 0;
    out.probabilities = logits;
    out.dlogits.resize(tokens, classes);
    const double share = label_smoothing / static_cast<double>(classes); // ε/V
    const double kept = 1 - label_smoothing;
    const auto labelled = tokens - static_cast<Index>(std::ranges::count(targets, k_no_label));
    if (labelled == 0) return fail("cross-entropy needs a target: no token has one");
    const S scale = S(1) / static_cast<S>(labelled);
    for (Index t = 0; t < tokens; ++t) {
        const Index target = entry_at(targets, t);
        if (target == k_no_label) {
            softmax_row(out.probabilities.row(t).data(), classes, classes);
            out.dlogits.row(t).setZero();
            continue;
        }
        if (target < 0 || target >= classes)
            return fail("target {} of token {} is not one of the {} classes", target, t, classes);
        const auto row = logits.row(t).array();
        auto p = out.probabilities.row(t).array();
        softmax_row(p.data(), classes, classes);
        // log p_c = s_c − max − log Σ exp(s − max); the largest p is 1/Σ.
        Index top = 0;
        const auto largest = static_cast<double>(row.maxCoeff(&top));
        const double log_sum = largest - std::log(static_cast<double>(p(top)));
        const double of_target = static_cast<double>(row(target)) - log_sum;
        out.loss -= kept * of_target;
        if (share > 0) {
            double sum = 0; // Σ_c log p_c
            for (Index c = 0; c < classes; ++c) sum += static_cast<double>(row(c)) - log_sum;
            out.loss -= share * sum;
        }
        auto d = out.dlogits.row(t).array();
        d = (p - static_cast<S>(share)) * scale;
        d(target) -= static_cast<S>(kept) * scale;
    }
    out.loss /= static_cast<double>(labelled);
    return {};
}

template<class S>
Result<LossGradient<S>> vocabulary_loss(const Matrix<S>& y, const Matrix<S>& head,
                                        const std::vector<Index>& targets, int threads) {
    const Linear<S> linear{head, {}};
    const Matrix<S> logits = TRY(linear_forward(linear, y, threads));
    const auto entropy = TRY(cross_entropy(logits, targets));
    auto back = TRY(linear_backward(linear, y, entropy.dlogits, Pass{Want::input_only, threads}));
    return LossGradient<S>{entropy.loss, std::move(back.dx)};
}

template<class S>
BatchLoss class_loss(const Matrix<S>& logits, std::span<const Index> classes, Matrix<S>& dlogits) {
    const Index points = logits.rows(), count = logits.cols();
    dlogits.resize(points, count);
    BatchLoss out;
    for (Index t = 0; t < points; ++t) {
        const Index wanted = entry_at(classes, t);
        const S* row = logits.data() + t * count;
        S* d = dlogits.data() + t * count;
        const BatchLoss point =
            count == 1 ? sigmoid_loss(row, wanted, d) : softmax_loss(row, count, wanted, d);
        out.loss += point.loss;
        out.accuracy += point.accuracy;
    }
    dlogits *= S(1) / static_cast<S>(points);
    out.loss /= static_cast<double>(points);
    out.accuracy /= static_cast<double>(points);
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(linear_readout);
NORMSCOPE_IN_BOTH_PRECISIONS(cross_entropy_into);
NORMSCOPE_IN_BOTH_PRECISIONS(vocabulary_loss);
NORMSCOPE_IN_BOTH_PRECISIONS(class_loss);

} // namespace normscope
