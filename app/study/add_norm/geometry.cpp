#include "app/study/add_norm/geometry.h"

#include <algorithm>

namespace normscope {

namespace {

Lies lies_of(const Document& d) {
    const NormEntry& norm = norm_entry(d.norm);
    if (!norm.normalizes()) return Lies::unmoved;
    if (norm.shares == Shares::feature) return Lies::shifted;
    if (statistic_sets(d).groups > 1) return Lies::at_zero;
    if (!norm.spread->squares) return Lies::on_rays;
    return norm.centres ? Lies::on_circle : Lies::on_sphere;
}

} // namespace

Geometry geometry_of(const Derived& derived, Index most) {
    const Document& d = derived.document();
    const NormEntry& norm = norm_entry(d.norm);
    const StatisticSets sets = derived.sets();
    Geometry out{lies_of(d), norm.normalizes() && norm.centres, {}, {0, 0, 0}, {1, 1, 1}};
    const MatrixView z = derived.view(Tensor::z), x_hat = derived.view(Tensor::x_hat),
                     y = derived.view(Tensor::y);
    for (Index t = 0; t < std::min(most, d.token_count()); ++t) {
        TokenWay way{};
        for (Index i = 0; i < k_space_features; ++i) {
            way.z(i) = z(t, i);
            way.centred(i) = out.centres ? z(t, i) - derived.mean(sets.set_of(t, i)) : z(t, i);
            way.x_hat(i) = x_hat(t, i);
            way.gamma(i) = derived.gamma(t, i);
            way.beta(i) = derived.beta(t, i);
            way.y(i) = y(t, i);
        }
        way.scaled = way.gamma.cwiseProduct(way.x_hat);
        out.tokens.push_back(way);
    }
    if (norm.shares == Shares::feature)
        for (Index i = 0; i < k_space_features; ++i) {
            out.mean(i) = derived.mean(i);
            out.spread(i) = 1 / derived.rstd(i);
        }
    return out;
}

double x_hat_length(const Eigen::Vector3d& centred, const Spread& spread, double eps) {
    const double length = centred.norm();
    return length > 0 ? length / spread.divisor(spread.statistic(centred), eps) : 0.0;
}

} // namespace normscope
