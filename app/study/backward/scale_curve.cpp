#include "app/study/backward/scale_curve.h"

#include "app/model/backward_setup.h"
#include "core/norm/affine.h"

#include <cmath>

namespace normscope {

namespace {

constexpr int k_points = 51;

} // namespace

ScaleCurve::ScaleCurve(const NormCache<double>& cache, const Affine<double>& affine,
                       const Matrix<double>& dy, const BackwardTerms& terms)
    : eps_(cache.eps), spread_(&spread_of(cache)) {
    const StatisticSets sets = statistic_sets(cache);
    const bool constants = cache.mode == Mode::eval;
    auto& [aa, cross, pull, statistic, power, gg, gm, mm] = groups_;
    for (Eigen::ArrayXd* sums : {&aa, &cross, &pull, &statistic, &power, &gg, &gm, &mm})
        sums->setZero(sets.count());
    for (Index group = 0; group < sets.count(); ++group) {
        const CellBlock own = sets.block(group);
        const Vector<double> x_hat = values_of(cache.x_hat, own), d = spread_->pull(x_hat);
        const Vector<double> gamma = gamma_of(affine, sets, group);
        Vector<double> a = values_of(dy, own);
        if (terms.gamma) a.array() *= gamma.array();
        if (terms_of(cache.norm, cache.mode).mean && terms.mean) a.array() -= a.mean();
        const double b = terms.projection && !constants ? a.cwiseProduct(x_hat).mean() : 0;
        const double s = 1 / rstd_of(cache, group); // u = x̂·s
        aa(group) = a.squaredNorm();
        cross(group) = b * a.dot(d);
        pull(group) = b * b * d.squaredNorm();
        power(group) = spread_->power(s);
        statistic(group) = power(group) * spread_->statistic(x_hat);
        gg(group) = s * s * gamma.cwiseProduct(x_hat).squaredNorm();
        if (!constants) continue;
        const double mean = cache.mean(group);
        gm(group) = mean * s * gamma.cwiseAbs2().dot(x_hat);
        mm(group) = mean * mean * gamma.squaredNorm();
    }
    if (!spread_->divides)
        rstd_ = Eigen::ArrayXd::Ones(sets.count());
    else if (constants)
        rstd_ = cache.rstd.array();
    for (int i = 0; i < k_points; ++i) {
        const double t = static_cast<double>(i) / (k_points - 1);
        const double scale = k_least_scale * std::pow(k_most_scale / k_least_scale, t);
        points_.push_back({scale, gradient(scale)});
    }
}

Eigen::ArrayXd ScaleCurve::rstd(double factor) const {
    if (rstd_) return *rstd_;
    const Eigen::ArrayXd power = spread_->power(factor) * groups_.statistic + eps_;
    return spread_->squares ? power.sqrt().inverse().eval() : power.inverse().eval();
}

Eigen::ArrayXd ScaleCurve::squared(Index first, Index count, double factor) const {
    const auto aa = groups_.aa.segment(first, count);
    if (rstd_) return rstd_->segment(first, count).square() * aa;
    const double grown = spread_->power(factor);
    const Eigen::ArrayXd r =
        (grown * groups_.statistic.segment(first, count) + eps_).inverse();   // rᵖ
    const Eigen::ArrayXd k = grown * r * groups_.power.segment(first, count); // kᵖ
    const auto square =
        aa - k * (2 * groups_.cross.segment(first, count) - k * groups_.pull.segment(first, count));
    // Not below 0, where rounding may fall; a NaN stays one.
    const auto above = 0.5 * (square + square.abs());
    return spread_->squares ? (r * above).eval() : (r.square() * above).eval();
}

double ScaleCurve::gradient(double factor) const {
    return std::sqrt(squared(0, groups_.aa.size(), factor).sum());
}

double ScaleCurve::gradient_of(Index group, double factor) const {
    return std::sqrt(squared(group, 1, factor)(0));
}

double ScaleCurve::squared_output(double factor) const {
    const Eigen::ArrayXd r2 = rstd(factor).square();
    const double more = factor - 1; // f·z − μ = f·u + (f − 1)·μ
    return (r2 * (factor * factor * groups_.gg + 2 * factor * more * groups_.gm +
                  more * more * groups_.mm))
        .sum();
}

double ScaleCurve::output(double factor) const {
    const double now = squared_output(factor);
    const double usual = squared_output(1);
    return usual == 0 ? 1 : std::sqrt(now / usual);
}

} // namespace normscope
