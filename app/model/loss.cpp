#include "app/model/loss.h"

#include "core/base/random.h"
#include "core/nn/loss.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace normscope {

namespace {

Matrix<double> by_rank(const BackwardSetup& setup, const Matrix<double>& x_hat) {
    const auto n = static_cast<std::size_t>(x_hat.size());
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = std::partition(order.begin(), order.end(), [&](std::size_t i) {
        return !std::isnan(x_hat.data()[i]); // NaN has no rank
    });
    std::sort(order.begin(), end, [&](std::size_t a, std::size_t b) {
        const double u = x_hat.data()[a];
        const double v = x_hat.data()[b];
        return u != v ? u < v : a < b;
    });
    Matrix<double> target = x_hat;
    const double count = static_cast<double>(end - order.begin());
    for (auto at = order.begin(); at != end; ++at) {
        const double p = (static_cast<double>(at - order.begin()) + 0.5) / count;
        const double unit = setup.target_kind == TargetKind::normal
                                ? normal_quantile(p)
                                : std::sqrt(12.0) * (p - 0.5); // mean 0, std 1
        target.data()[*at] = setup.target_mean + setup.target_std * unit;
    }
    return target;
}

} // namespace

LinearHead linear_head(std::uint64_t seed, Index tokens, Index features) {
    Random random(seed);
    LinearHead head;
    head.weights.resize(features, k_head_classes);
    const double scale = 1 / std::sqrt(static_cast<double>(features));
    for (Index i = 0; i < head.weights.size(); ++i)
        head.weights.data()[i] = scale * random.normal();
    for (Index t = 0; t < tokens; ++t)
        head.classes.push_back(static_cast<Index>(random.below(k_head_classes)));
    return head;
}

Matrix<double> target_matrix(const Document& d, const Matrix<double>& z,
                             const Matrix<double>& x_hat) {
    switch (d.backward.target_kind) {
    case TargetKind::z:
        break;
    case TargetKind::matrix:
        return *input_values(d, Input::target);
    case TargetKind::normal:
    case TargetKind::uniform:
        return by_rank(d.backward, x_hat);
    }
    return z;
}

LossOnY loss_gradient(const Document& d, const Matrix<double>& y,
                      const Shared<Matrix<double>>& target) {
    const BackwardSetup& s = d.backward;
    switch (s.loss) {
    case LossKind::given:
        if (s.dy->size() > 0) return {s.dy, std::nullopt};
        break;
    case LossKind::sum:
        return {Matrix<double>(Matrix<double>::Ones(y.rows(), y.cols())), y.sum()};
    case LossKind::one_entry: {
        Matrix<double> dy = Matrix<double>::Zero(y.rows(), y.cols());
        dy(s.entry_token, s.entry_feature) = 1;
        return {std::move(dy), y(s.entry_token, s.entry_feature)};
    }
    case LossKind::distance: {
        auto loss = mean_squared_error(y, *target);
        return {std::move(loss->dy), loss->loss};
    }
    case LossKind::cross_entropy: {
        const LinearHead head = linear_head(s.head_seed, y.rows(), y.cols());
        const auto loss = cross_entropy<double>(y * head.weights, head.classes);
        return {Matrix<double>(loss->dlogits * head.weights.transpose()), loss->loss};
    }
    }
    return {seed_pattern(y.rows(), y.cols()), std::nullopt};
}

} // namespace normscope
