#include "app/document/scale_curve.h"

#include "app/document/backward_setup.h"

#include <cmath>

namespace normscope {

namespace {

constexpr int k_points = 51;

using RowArray = Eigen::Array<double, 1, Eigen::Dynamic, Eigen::RowMajor>;

// γ of one token's features, where those of the token before stand in `row`.
void next_gamma(const Affine<double>& affine, Index token, RowArray& row) {
    if (token == 0 && affine.per == AffinePer::feature)
        row = affine.gamma.array().transpose();
    else if (token == 0 || affine.per == AffinePer::token)
        row.setConstant(affine.gamma(token));
}

} // namespace

ScaleCurve::ScaleCurve(const Matrix<double>& z, const NormCache<double>& cache,
                       const Affine<double>& affine, const Matrix<double>& dy,
                       const BackwardTerms& terms)
    : kind_(cache.kind), eps_(cache.eps) {
    const bool by_feature = kind_ == NormKind::batch;
    const Index groups = by_feature ? z.cols() : z.rows();
    const Index n = by_feature ? z.rows() : z.cols();
    inv_n_ = 1 / static_cast<double>(n);
    groups_.assign(static_cast<std::size_t>(groups), GroupSums{});
    RowArray gamma(z.cols()), a(z.cols()), u(z.cols());
    if (!by_feature) {
        const bool centres = kind_ == NormKind::layer;
        for (Index t = 0; t < groups; ++t) {
            next_gamma(affine, t, gamma);
            const auto sums_with = [&](const RowArray& weights) {
                return group_sums(weights.data(), dy.row(t).data(), z.row(t).data(),
                                  centres ? cache.mean(t) : 0, centres ? Centred::yes : Centred::no,
                                  a.data(), n);
            };
            GroupSums& sums = groups_[static_cast<std::size_t>(t)];
            sums = sums_with(gamma);
            if (!terms.gamma) {
                const double gg = sums.gg; // of Y, which has its γ
                sums = sums_with(RowArray::Ones(n));
                sums.gg = gg;
            }
            if (centres && !terms.mean) sums.aa += a.sum() * a.sum() * inv_n_;
        }
    } else {
        // All columns at once, row by row as they stand in memory.
        RowArray mean_a = RowArray::Zero(groups), aa = mean_a, au = mean_a, uu = mean_a,
                 gg = mean_a;
        for (Index t = 0; t < n; ++t) {
            next_gamma(affine, t, gamma);
            if (terms.gamma)
                mean_a += gamma * dy.row(t).array();
            else
                mean_a += dy.row(t).array();
        }
        mean_a *= terms.mean ? inv_n_ : 0;
        for (Index t = 0; t < n; ++t) {
            next_gamma(affine, t, gamma);
            a = dy.row(t).array();
            if (terms.gamma) a *= gamma;
            a -= mean_a;
            u = z.row(t).array() - cache.mean.array().transpose();
            aa += a.square();
            au += a * u;
            uu += u.square();
            gg += (gamma * u).square();
        }
        for (Index g = 0; g < groups; ++g)
            groups_[static_cast<std::size_t>(g)] = {aa(g), au(g), uu(g), gg(g)};
    }
    if (!terms.projection)
        for (GroupSums& group : groups_) group.au = 0;
    for (int i = 0; i < k_points; ++i) {
        const double t = static_cast<double>(i) / (k_points - 1);
        const double scale = k_least_scale * std::pow(k_most_scale / k_least_scale, t);
        points_.push_back({scale, gradient(scale)});
    }
}

double ScaleCurve::rstd(const GroupSums& group, double factor) const {
    if (kind_ == NormKind::none) return 1;
    return 1 / std::sqrt(factor * factor * group.uu * inv_n_ + eps_);
}

double ScaleCurve::squared(const GroupSums& g, double factor) const {
    if (kind_ == NormKind::none) return g.aa;
    const double f2 = factor * factor;
    const double variance = g.uu * inv_n_;
    const double r2 = 1 / (f2 * variance + eps_);
    const double q = f2 * r2;
    const double square = g.aa - q * g.au * g.au * inv_n_ * (2 - q * variance);
    return r2 * (square < 0 ? 0 : square); // rounding may fall below 0 where it is 0
}

double ScaleCurve::gradient(double factor) const {
    double total = 0;
    for (const GroupSums& g : groups_) total += squared(g, factor);
    return std::sqrt(total);
}

double ScaleCurve::gradient_of(Index group, double factor) const {
    return std::sqrt(squared(groups_[static_cast<std::size_t>(group)], factor));
}

double ScaleCurve::output(double factor) const {
    double now = 0;
    double usual = 0;
    for (const GroupSums& g : groups_) {
        const double r = factor * rstd(g, factor);
        const double r1 = rstd(g, 1);
        now += g.gg * r * r;
        usual += g.gg * r1 * r1;
    }
    return usual == 0 ? 1 : std::sqrt(now / usual);
}

double ScaleCurve::output_change(double factor) const {
    double change = 0;
    double usual = 0;
    for (const GroupSums& g : groups_) {
        const double r1 = rstd(g, 1);
        const double difference = factor * rstd(g, factor) - r1;
        change += g.gg * difference * difference;
        usual += g.gg * r1 * r1;
    }
    return usual == 0 ? 0 : std::sqrt(change / usual);
}

} // namespace normscope
