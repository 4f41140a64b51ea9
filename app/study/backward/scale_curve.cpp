#include "app/study/backward/scale_curve.h"

#include "app/model/backward_setup.h"

#include <cmath>

namespace normscope {

namespace {

constexpr int k_points = 51;

using RowArray = Eigen::Array<double, 1, Eigen::Dynamic, Eigen::RowMajor>;

// γ of one token's features; `row` holds those of the token before, if it is not the first.
void next_gamma(const Affine<double>& affine, Index token, bool is_first, RowArray& row) {
    if (affine.per == AffinePer::token)
        row.setConstant(affine.gamma(token));
    else if (is_first && affine.per == AffinePer::feature)
        row = affine.gamma.array().transpose();
    else if (is_first)
        row.setConstant(affine.gamma(0));
}

} // namespace

ScaleSums::ScaleSums(const NormCache<double>& cache, const Affine<double>& affine,
                     const Matrix<double>& dy, const BackwardTerms& terms)
    : cache_(cache), affine_(affine), dy_(dy), terms_(terms), sets_(statistic_sets(cache)) {
    auto& [aa, cross, pull, statistic, power, gg, gm, mm] = groups_;
    for (Eigen::ArrayXd* sums : {&aa, &cross, &pull, &statistic, &power, &gg, &gm, &mm})
        sums->resize(sets_.count());
    if (sets_.by_feature())
        take_features();
    else
        take_tokens();
}

void ScaleSums::set(Index group, const GroupSums& sums, double gx, double g2) {
    const double s = 1 / rstd_of(cache_, group); // u = x̂·s
    const double mean = constants() ? cache_.mean(group) : 0;
    const double b = terms_.projection && !constants() ? sums.ax / group_size() : 0;
    const Spread& spread = spread_of(cache_);
    double ad = sums.ax, dd = sums.xx, q_of_x_hat = sums.xx / group_size();
    if (!spread.squares) {
        const Vector<double> x_hat = values_of(cache_.x_hat, sets_.block(group));
        const Vector<double> pull = spread.pull(x_hat);
        ad = along(group, pull);
        dd = pull.squaredNorm();
        q_of_x_hat = spread.statistic(x_hat);
    }
    groups_.aa(group) = sums.aa;
    groups_.cross(group) = b * ad;
    groups_.pull(group) = b * b * dd;
    groups_.power(group) = spread.power(s);
    groups_.statistic(group) = groups_.power(group) * q_of_x_hat;
    groups_.gg(group) = s * s * sums.gg;
    groups_.gm(group) = mean * s * gx;
    groups_.mm(group) = mean * mean * g2;
}

double ScaleSums::along(Index group, const Vector<double>& pull) const {
    Vector<double> a = values_of(dy_, sets_.block(group));
    for (Index i = 0; terms_.gamma && i < a.size(); ++i)
        a(i) *=
            affine_.gamma(param_index(affine_.per, sets_.token(group, i), sets_.feature(group, i)));
    if (terms_.mean && spread_of(cache_).centres) a.array() -= a.mean();
    return a.dot(pull);
}

void ScaleSums::take_tokens() {
    const bool centred = terms_of(cache_.norm, cache_.mode).mean && terms_.mean;
    const Index n = sets_.size();
    RowArray gamma(dy_.cols()), a(n);
    for (Index t = 0; t < dy_.rows(); ++t) {
        next_gamma(affine_, t, t == 0, gamma);
        for (Index set = sets_.set_of(t, 0); set < sets_.set_of(t, 0) + sets_.groups; ++set) {
            const Index from = sets_.block(set).col;
            const auto x_hat = cache_.x_hat.row(t).segment(from, n).array();
            const auto weights = gamma.segment(from, n);
            a = dy_.row(t).segment(from, n).array();
            if (terms_.gamma) a *= weights;
            if (centred) a -= a.mean();
            this->set(set, {a.square().sum(), (a * x_hat).sum(), x_hat.square().sum(),
                            (weights * x_hat).square().sum()});
        }
    }
}

// All columns at once, row by row as they stand in memory.
void ScaleSums::take_features() {
    const Index tokens = dy_.rows();
    const Index features = dy_.cols();
    RowArray gamma(features), a(features), mean_a = RowArray::Zero(features);
    RowArray aa = mean_a, ax = mean_a, xx = mean_a, gg = mean_a, gx = mean_a, g2 = mean_a;
    const auto next_a = [&](Index t) {
        next_gamma(affine_, t, t == 0, gamma);
        a = dy_.row(t).array();
        if (terms_.gamma) a *= gamma;
    };
    for (Index t = 0; t < tokens; ++t) {
        next_a(t);
        mean_a += a;
    }
    mean_a *= terms_.mean && !constants() ? 1 / group_size() : 0;
    for (Index t = 0; t < tokens; ++t) {
        next_a(t);
        const auto x_hat = cache_.x_hat.row(t).array();
        a -= mean_a;
        aa += a.square();
        ax += a * x_hat;
        xx += x_hat.square();
        gg += (gamma * x_hat).square();
        if (!constants()) continue;
        gx += gamma.square() * x_hat;
        g2 += gamma.square();
    }
    for (Index g = 0; g < features; ++g) set(g, {aa(g), ax(g), xx(g), gg(g)}, gx(g), g2(g));
}

ScaleCurve::ScaleCurve(const ScaleSums& sums)
    : eps_(sums.cache_.eps), spread_(&spread_of(sums.cache_)), groups_(sums.groups_) {
    if (!spread_->divides)
        rstd_ = Eigen::ArrayXd::Ones(groups_.statistic.size());
    else if (sums.constants())
        rstd_ = sums.cache_.rstd.array();
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
