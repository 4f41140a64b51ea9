#include "app/document/scale_curve.h"

#include "app/document/backward_setup.h"

#include <cmath>

namespace normscope {

namespace {

constexpr int k_points = 51;

double gamma_at(const Affine<double>& affine, Index token, Index feature) {
    switch (affine.per) {
    case AffinePer::feature:
        return affine.gamma(feature);
    case AffinePer::token:
        return affine.gamma(token);
    case AffinePer::scalar:
        break;
    }
    return affine.gamma(0);
}

} // namespace

ScaleCurve::ScaleCurve(const Matrix<double>& z, const NormCache<double>& cache,
                       const Affine<double>& affine, const Matrix<double>& dy)
    : kind_(cache.kind), n_(0), eps_(cache.eps) {
    const bool by_feature = kind_ == NormKind::batch;
    const Index groups = by_feature ? z.cols() : z.rows();
    const Index n = by_feature ? z.rows() : z.cols();
    n_ = static_cast<double>(n);
    const bool centres = kind_ == NormKind::layer || kind_ == NormKind::batch;
    // Two passes in the order of memory, so that columns cost no more than rows.
    Vector<double> mean_a = Vector<double>::Zero(groups);
    const auto each = [&](auto&& visit) {
        for (Index t = 0; t < z.rows(); ++t)
            for (Index d = 0; d < z.cols(); ++d) {
                const double gamma = gamma_at(affine, t, d);
                visit(by_feature ? d : t, z(t, d), gamma, gamma * dy(t, d));
            }
    };
    if (centres) {
        each([&](Index g, double, double, double a) { mean_a(g) += a; });
        mean_a /= n_;
    }
    groups_.assign(static_cast<std::size_t>(groups), Group{});
    each([&](Index g, double value, double gamma, double a) {
        Group& group = groups_[static_cast<std::size_t>(g)];
        const double u = centres ? value - cache.mean(g) : value;
        const double centred = a - mean_a(g);
        group.aa += centred * centred;
        group.au += centred * u;
        group.uu += u * u;
        group.gg += gamma * gamma * u * u;
    });
    for (Group& group : groups_) group.variance = group.uu / n_;
    for (int i = 0; i < k_points; ++i) {
        const double t = static_cast<double>(i) / (k_points - 1);
        const double scale = k_least_scale * std::pow(k_most_scale / k_least_scale, t);
        points_.push_back({scale, gradient(scale)});
    }
}

double ScaleCurve::rstd(const Group& group, double factor) const {
    if (kind_ == NormKind::none) return 1;
    return 1 / std::sqrt(factor * factor * group.variance + eps_);
}

double ScaleCurve::gradient(double factor) const {
    double total = 0;
    for (const Group& g : groups_) {
        const double r = rstd(g, factor);
        if (kind_ == NormKind::none) {
            total += g.aa;
            continue;
        }
        const double q = factor * factor * r * r;
        const double square =
            g.aa - 2 * q * g.au * g.au / n_ + q * q * g.au * g.au * g.uu / (n_ * n_);
        total += r * r * (square < 0 ? 0 : square); // rounding may fall below 0 where it is 0
    }
    return std::sqrt(total);
}

double ScaleCurve::output(double factor) const {
    double now = 0;
    double usual = 0;
    for (const Group& g : groups_) {
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
    for (const Group& g : groups_) {
        const double r1 = rstd(g, 1);
        const double difference = factor * rstd(g, factor) - r1;
        change += g.gg * difference * difference;
        usual += g.gg * r1 * r1;
    }
    return usual == 0 ? 0 : std::sqrt(change / usual);
}

} // namespace normscope
