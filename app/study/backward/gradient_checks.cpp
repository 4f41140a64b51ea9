#include "app/study/backward/gradient_checks.h"

#include "app/model/learning.h"
#include "core/base/lists.h"
#include "core/nn/loss.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr std::uint64_t k_seed = 20;
constexpr double k_step = 1e-3; // in units of the scale on which the function varies

// The step for low-degree polynomials, whose difference is exact: long enough for large numbers.
double step_from(double value) {
    return k_step * std::max(1.0, std::abs(value));
}

constexpr Index k_most_entries = 256;
constexpr Index k_fewest_entries = 16;
constexpr Index k_fewest_groups = 4;
constexpr Index k_group_budget = 40000;  // group values gone through
constexpr Index k_param_budget = 100000; // values gone through for dγ, and as many for dβ

// How many entries of dz time allows, of groups of n values.
Index most_of_dz(Index n) {
    return std::clamp(k_group_budget / (n + 128), k_fewest_entries, k_most_entries);
}

// The forward pass of one of the document's StatisticSets, by the norm's definition.
class NormOfSet {
  public:
    NormOfSet(const CheckedGradients& g, Index set)
        : norm_(g.document.norm.kind, 1) { // of groups there is one here
        options_.eps = g.document.eps;
        if (!g.running) return;
        options_.mode = Mode::eval;
        running_ = {g.running->mean.segment(set, 1), g.running->var.segment(set, 1),
                    g.running->updates};
    }

    // z: the set's block.
    Result<Normalized<double>> operator()(const Matrix<double>& z) const {
        return normalize_by_definition(norm_, z, options_, running_ ? &*running_ : nullptr);
    }

    // The step of a numeric derivative by a z of this size, where the norm divides by `s`. Where x̂
    // is linear in z any step is exact, but it must not vanish beside a large z.
    double step(double s, double size_of_z) const {
        const bool linear = !terms_of(norm_, options_.mode).projection;
        return k_step * (linear ? std::max(s, size_of_z) : s);
    }

  private:
    Norm norm_;
    NormOptions options_;
    std::optional<RunningStats<double>> running_; // of this feature
};

// The index of the largest magnitude; −1 where something is not a number, or nothing is there.
template<class M>
Index largest_entry(const M& m) {
    const double most = m.size() == 0 ? std::nan("") : m.cwiseAbs().maxCoeff();
    const double* begin = m.data();
    const double* end = begin + m.size();
    const double* found = std::find_if(begin, end, [&](double v) { return std::abs(v) == most; });
    return found == end ? -1 : found - begin;
}

// A sample in ascending order and, where it is not all of `total`, those of the largest entries
// that exist and that it has missed.
std::vector<Index> with_largest(std::vector<Index> sample, Index total,
                                std::vector<Index> largest) {
    if (std::ssize(sample) == total) return sample;
    std::ranges::sort(largest);
    for (const Index i : largest)
        if (i >= 0 && !find_in(sample, i)) sample.push_back(i);
    return sample;
}

// ∂L/∂z_i of these of `total` entries, where only the group of z_i takes part: L = Σ γ⊙dy⊙x̂ over
// the group, up to a constant.
SampledCheck check_dz(const CheckedGradients& g, const std::vector<Index>& entries, Index total) {
    const StatisticSets sets = statistic_sets(g.cache);
    SampledCheck check;
    check.total = total;
    for (const Index entry : entries) {
        const Index token = entry / sets.features, feature = entry % sets.features;
        const Index set = sets.set_of(token, feature);
        const Vector<double> a =
            gamma_of(g.affine, sets, set).cwiseProduct(values_of(g.dy, sets.block(set)));
        check.compare(entry, g.dz.data()[entry],
                      x_hat_by_z(g, set, sets.place(token, feature)).dot(a),
                      a.cwiseAbs().maxCoeff() * rstd_of(g.cache, set));
    }
    return check;
}

// ∂L/∂γ_i and ∂L/∂β_i over the cells that share them: a sample, the same of both; what
// dY[`largest`] has a part in (−1: nothing), and the largest dγ.
void check_params(const CheckedGradients& g, Index largest, SampledCheck& of_gamma,
                  SampledCheck& of_beta) {
    const Index total = g.dgamma.size(), features = g.dy.cols();
    const Index shared = g.dy.size() / total;
    auto entries = entries_to_check(
        total, std::clamp(k_param_budget / (4 * shared), Index{1}, k_most_entries), k_seed);
    if (largest >= 0)
        entries = with_largest(std::move(entries), total,
                               {param_index(g.affine.per, largest / features, largest % features),
                                largest_entry(g.dgamma)});
    of_gamma.total = of_beta.total = total;
    for (const Index entry : entries) {
        const CellBlock own = cells_of_parameter(g.affine.per, entry, g.dy.rows(), features);
        const Eigen::ArrayXd x = values_of(g.cache.x_hat, own), dy = values_of(g.dy, own);
        const double gamma = g.affine.gamma(entry);
        const double beta = g.affine.beta(entry);
        const double by_gamma = five_point_difference(
            [&](double v) { return (dy * (v * x + beta)).sum(); }, gamma, step_from(gamma));
        of_gamma.compare(entry, g.dgamma(entry), by_gamma, (dy * x).abs().sum());
        // Without γ⊙x̂, which no β moves: a value that is not a number stays out of dβ.
        const double by_beta =
            five_point_difference([&](double v) { return (dy * v).sum(); }, beta, step_from(beta));
        of_beta.compare(entry, g.dbeta(entry), by_beta, dy.abs().sum());
    }
}

// One token's part of the loss; `y` is its row of Y.
struct TokenLoss {
    const CheckedGradients& g;
    LinearHead head; // of cross-entropy

    double operator()(Index token, const Matrix<double>& y) const {
        const BackwardSetup& s = g.document.backward;
        switch (s.loss) {
        case LossKind::given:
            break;
        case LossKind::sum:
            return y.sum();
        case LossKind::one_entry:
            return token == s.entry_token ? y(0, s.entry_feature) : 0;
        case LossKind::distance:
            return (y - g.target.row(token)).squaredNorm() / static_cast<double>(g.z.size());
        case LossKind::cross_entropy: {
            const std::vector<Index> one{entry_at(head.classes, token)};
            return cross_entropy<double>(y * head.weights, one)->loss /
                   static_cast<double>(g.z.rows());
        }
        }
        return 0;
    }
};

SampledCheck check_dy(const CheckedGradients& g, Index largest) {
    const Index features = g.z.cols();
    const auto entries = with_largest(entries_to_check(g.dy.size(),
                                                       std::clamp(k_group_budget / (4 * features),
                                                                  k_fewest_entries, k_most_entries),
                                                       k_seed),
                                      g.dy.size(), {largest});
    const bool distance = g.document.backward.loss == LossKind::distance;
    const bool classes = g.document.backward.loss == LossKind::cross_entropy;
    TokenLoss loss{g, {}};
    if (classes) loss.head = linear_head(g.document.backward.head_seed, g.z.rows(), features);
    SampledCheck check;
    check.total = g.dy.size();
    const double scale = g.dy.cwiseAbs().maxCoeff();
    for (const Index entry : entries) {
        const Index token = entry / features, feature = entry % features;
        Matrix<double> y(1, features);
        for (Index d = 0; d < features; ++d)
            y(0, d) = affine_at(g.affine, token, d, g.cache.x_hat(token, d));
        double& moved = y(0, feature);
        // A distance is as large as its farther end squared, whose rounding is more than what a
        // step of y's own size changes; and 2(y − target)/(T·D) is the difference of two terms.
        const double farther =
            distance ? std::max(std::abs(moved), std::abs(g.target(token, feature))) : moved;
        const double terms = distance ? 2 * farther / static_cast<double>(g.z.size()) : 0;
        const double numeric = five_point_difference(
            [&](double v) {
                moved = v;
                return loss(token, y);
            },
            moved, classes ? k_step : step_from(farther));
        check.compare(entry, g.dy(token, feature), numeric, std::max(scale, terms));
    }
    return check;
}

} // namespace

SampledCheck check_x_hat(const Matrix<double>& z, const NormCache<double>& cache,
                         const RunningStats<double>* running) {
    NormOptions options;
    options.eps = cache.eps;
    options.mode = cache.mode;
    const auto defined = normalize_by_definition(cache.norm, z, options, running);
    SampledCheck check;
    check.total = z.size();
    if (!defined) return check; // nor is there a cache of what the norm refuses
    const Matrix<double>& x_hat = defined->cache.x_hat;
    const StatisticSets sets = statistic_sets(cache);
    Vector<double> largest(sets.count());
    for (Index set = 0; set < sets.count(); ++set)
        largest(set) = cells(x_hat, sets.block(set)).cwiseAbs().maxCoeff();
    for (Index t = 0; t < z.rows(); ++t)
        for (Index d = 0; d < z.cols(); ++d)
            check.compare(t * z.cols() + d, cache.x_hat(t, d), x_hat(t, d),
                          largest(sets.set_of(t, d)));
    return check;
}

Vector<double> x_hat_by_z(const CheckedGradients& g, Index set, Index place) {
    const CellBlock own = statistic_sets(g.cache).block(set);
    const NormOfSet norm(g, set);
    Matrix<double> z = cells(g.z, own);
    double& moved = z.data()[place];
    const double before = moved;
    return five_point_difference(
        [&](double v) -> Vector<double> {
            moved = v;
            const auto normalized = norm(z);
            if (!normalized) return Vector<double>::Constant(z.size(), std::nan(""));
            return normalized->cache.x_hat.template reshaped<Eigen::RowMajor>();
        },
        before, norm.step(1 / rstd_of(g.cache, set), std::abs(before)));
}

GradientChecks check_gradients(const CheckedGradients& g) {
    GradientChecks checks;
    const Index total = g.z.size();
    auto entries = entries_to_check(total, most_of_dz(statistic_sets(g.cache).size()), k_seed);
    // A sample would see nothing of a gradient that is 0 nearly everywhere.
    const Index largest = std::ssize(entries) < total ? largest_entry(g.dy) : -1;
    if (largest >= 0)
        entries = with_largest(std::move(entries), total, {largest, largest_entry(g.dz)});
    checks.dz = check_dz(g, entries, total);
    check_params(g, largest, checks.dgamma, checks.dbeta);
    if (g.document.backward.loss != LossKind::given) checks.dy = check_dy(g, largest);
    return checks;
}

SampledCheck check_dz_of_group(const CheckedGradients& g, Index set) {
    const StatisticSets sets = statistic_sets(g.cache);
    const auto largest_of = [&](const Matrix<double>& m) {
        return largest_entry(values_of(m, sets.block(set)));
    };
    auto places = with_largest(entries_to_check(sets.size(), most_of_dz(sets.size()), k_seed),
                               sets.size(), {largest_of(g.dy), largest_of(g.dz)});
    for (Index& place : places)
        place = sets.token(set, place) * sets.features + sets.feature(set, place);
    return check_dz(g, places, sets.size());
}

SampledCheck check_scaled(const CheckedGradients& g, double factor, const ScaleCurve& claimed,
                          const BackwardTerms& terms) {
    const StatisticSets sets = statistic_sets(g.cache);
    const Index count = sets.count();
    // The difference takes a = γ⊙dy for dy, with γ = 1.
    BackwardTerms of_a = terms;
    of_a.gamma = true;
    SampledCheck check;
    check.total = count;
    // A group is gone through some eight times: four passes forward, one back, and what they need.
    const Index most = std::max<Index>(most_of_dz(sets.size()) / 8, k_fewest_groups);
    auto sample = entries_to_check(count, most, k_seed);
    if (const Index largest = largest_entry(g.dy); largest >= 0)
        sample = with_largest(std::move(sample), count,
                              {sets.set_of(largest / sets.features, largest % sets.features)});
    for (const Index group : sample) {
        const NormOfSet norm(g, group);
        const CellBlock own = sets.block(group);
        const Matrix<double> z = factor * cells(g.z, own), dy = cells(g.dy, own);
        Matrix<double> a = dy;
        a.reshaped<Eigen::RowMajor>().array() *= gamma_of(g.affine, sets, group).array();
        const auto ones = identity_affine<double>(AffinePer::scalar, z.rows(), z.cols());
        const auto here = norm(z);
        const auto along =
            here ? normalize_backward_by_definition(here->cache, ones, terms.gamma ? a : dy, of_a)
                 : Result<NormGradients<double>>(tl::unexpected(here.error()));
        double numeric = std::nan("");
        const double rstd = here ? rstd_of(here->cache, 0) : 1;
        if (along) {
            const double size = along->dz.norm();
            const Matrix<double> direction =
                size > 0 ? Matrix<double>(along->dz / size) : along->dz;
            numeric = five_point_difference(
                [&](double t) {
                    const auto moved = norm(z + t * direction);
                    return moved ? moved->cache.x_hat.cwiseProduct(a).sum() : std::nan("");
                },
                0, norm.step(1 / rstd, z.cwiseAbs().maxCoeff()));
        }
        check.compare(group, claimed.gradient_of(group, factor), numeric, a.norm() * rstd);
    }
    return check;
}

} // namespace normscope
