#include "core/train/class_loss.h"

#include "core/kernels/softmax.h"

#include <cmath>

namespace normscope {
namespace {

// Of one point: its loss, whether it is right, and its row of dlogits, not yet divided by T.
struct PointLoss {
    double loss;
    bool right;
};

template<class S>
PointLoss sigmoid_loss(const S* logits, Index wanted, S* d) {
    // softplus(−s) = −log σ(s), by the logit towards the class that is wanted
    const double towards = static_cast<double>(wanted == 1 ? logits[0] : -logits[0]);
    const double small = std::exp(-std::abs(towards));
    const double of_other = towards >= 0 ? small / (1 + small) : 1 / (1 + small); // σ(−s)
    d[0] = static_cast<S>(wanted == 1 ? -of_other : of_other);
    return {std::log1p(small) + std::max(-towards, 0.0), towards > 0};
}

template<class S>
PointLoss softmax_loss(const S* logits, Index count, Index wanted, S* d) {
    Index top = 0;
    for (Index c = 1; c < count; ++c)
        if (logits[c] > logits[top]) top = c;
    std::copy_n(logits, count, d);
    softmax_row(d, count, count);
    // log p_c = s_c − max − log Σ exp(s − max); the largest p is 1/Σ.
    const double log_sum = static_cast<double>(logits[top]) - std::log(static_cast<double>(d[top]));
    d[wanted] -= S(1);
    return {log_sum - static_cast<double>(logits[wanted]), top == wanted};
}

} // namespace

template<class S>
BatchLoss class_loss(const Matrix<S>& logits, std::span<const Index> classes, Matrix<S>& dlogits) {
    const Index points = logits.rows(), count = logits.cols();
    dlogits.resize(points, count);
    BatchLoss out;
    for (Index t = 0; t < points; ++t) {
        const Index wanted = classes[static_cast<std::size_t>(t)];
        const S* row = logits.data() + t * count;
        S* d = dlogits.data() + t * count;
        const PointLoss point =
            count == 1 ? sigmoid_loss(row, wanted, d) : softmax_loss(row, count, wanted, d);
        out.loss += point.loss;
        out.accuracy += point.right ? 1 : 0;
    }
    dlogits *= S(1) / static_cast<S>(points);
    out.loss /= static_cast<double>(points);
    out.accuracy /= static_cast<double>(points);
    return out;
}

template BatchLoss class_loss(const Matrix<float>&, std::span<const Index>, Matrix<float>&);
template BatchLoss class_loss(const Matrix<double>&, std::span<const Index>, Matrix<double>&);

} // namespace normscope
