#include "app/study/backward/gradient_checks.h"

#include "app/model/learning.h"
#include "core/nn/loss.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace normscope {

namespace {

constexpr std::uint64_t k_seed = 20;
constexpr double k_step = 1e-3; // in units of what the function varies on

// Of a polynomial of low degree, of which the difference is exact: long enough for large numbers.
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

// Where the largest magnitude is, −1 where something is not a number.
template<class M>
Index largest_entry(const M& m) {
    const double most = m.size() == 0 ? std::nan("") : m.cwiseAbs().maxCoeff();
    const double* begin = m.data();
    const double* end = begin + m.size();
    const double* found = std::find_if(begin, end, [&](double v) { return std::abs(v) == most; });
    return found == end ? -1 : found - begin;
}

// The entries of `wanted`, the largest ones, that exist and that a random sample has missed.
std::vector<Index> missed(const std::vector<Index>& sample, std::vector<Index> wanted) {
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::erase_if(wanted, [&](Index i) { return i < 0 || std::ranges::binary_search(sample, i); });
    return wanted;
}

// ∂x̂/∂z_i of the group of each z_i, a row each.
Matrix<double> x_hat_by_z(const CheckedGradients& g, const std::vector<Index>& entries) {
    const StatisticSets sets = statistic_sets(g.cache);
    Matrix<double> out(static_cast<Index>(entries.size()), sets.size());
    Matrix<double> group;
    std::optional<NormOfSet> norm;
    Index at = -1; // the set that `group` and `norm` are of
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Index token = entries[e] / sets.features, feature = entries[e] % sets.features;
        if (const Index wanted = sets.set_of(token, feature); wanted != at) {
            at = wanted;
            group = cells(g.z, sets.block(at));
            norm.emplace(g.document, g.running, at);
        }
        double& z = group.data()[sets.place(token, feature)];
        const double before = z;
        out.row(static_cast<Index>(e)) = five_point_difference(
            [&](double v) -> Vector<double> {
                z = v;
                const auto moved = (*norm)(group);
                if (!moved) return Vector<double>::Constant(sets.size(), std::nan(""));
                return moved->cache.x_hat.template reshaped<Eigen::RowMajor>();
            },
            before, norm->step(1 / rstd_of(g.cache, at), std::abs(before)));
        z = before;
    }
    return out;
}

// ∂L/∂z_i, where only the group of z_i takes part: L = Σ γ⊙dy⊙x̂ over the group, up to a constant.
// `by_z`: ∂x̂/∂z_i of these entries.
void check_dz(const CheckedGradients& g, const std::vector<Index>& entries,
              const Matrix<double>& by_z, SampledCheck& check) {
    const StatisticSets sets = statistic_sets(g.cache);
    Vector<double> a(sets.size());
    double largest = 0; // of a
    Index at = -1;      // the set that `a` is of
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Index entry = entries[e];
        if (const Index wanted = sets.set_of(entry / sets.features, entry % sets.features);
            wanted != at) {
            at = wanted;
            for (Index i = 0; i < sets.size(); ++i) {
                const Index t = sets.token(at, i), d = sets.feature(at, i);
                a(i) = g.affine.gamma(param_index(g.affine.per, t, d)) * g.dy(t, d);
            }
            largest = a.cwiseAbs().maxCoeff();
        }
        check.compare(entry, g.dz.data()[entry], by_z.row(static_cast<Index>(e)).dot(a),
                      largest * rstd_of(g.cache, at));
    }
}

// The cells that share the parameters `entries`, a column each.
Eigen::ArrayXXd shared_cells(const Matrix<double>& m, AffinePer per,
                             const std::vector<Index>& entries, Index shared) {
    const auto n = static_cast<Index>(entries.size());
    Eigen::ArrayXXd out(shared, n);
    if (per == AffinePer::feature) {
        // Row by row, as they stand in memory.
        for (Index t = 0; t < shared; ++t)
            for (Index e = 0; e < n; ++e) out(t, e) = m(t, entries[static_cast<std::size_t>(e)]);
        return out;
    }
    for (Index e = 0; e < n; ++e)
        out.col(e) = Eigen::Map<const Eigen::ArrayXd>(
            m.data() + entries[static_cast<std::size_t>(e)] * shared, shared);
    return out;
}

// ∂L/∂γ_i and ∂L/∂β_i of `entries` over the cells that share them, a column of x̂ and dY each.
void check_params(const CheckedGradients& g, const std::vector<Index>& entries,
                  const Eigen::ArrayXXd& x_hat, const Eigen::ArrayXXd& all_dy,
                  SampledCheck& of_gamma, SampledCheck& of_beta) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Index entry = entries[e];
        const auto x = x_hat.col(static_cast<Index>(e));
        const auto dy = all_dy.col(static_cast<Index>(e));
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

// A sample, the same of both; what dY[`largest`] has a part in (−1: nothing), and the largest dγ.
void check_params(const CheckedGradients& g, Index largest, SampledCheck& of_gamma,
                  SampledCheck& of_beta) {
    const Matrix<double>& x_hat = g.cache.x_hat;
    const Index total = g.dgamma.size();
    const Index shared = x_hat.size() / total;
    const auto entries = entries_to_check(
        total, std::clamp(k_param_budget / (4 * shared), Index{1}, k_most_entries), k_seed);
    const auto cells = [&](const Matrix<double>& m, const std::vector<Index>& of) {
        return shared_cells(m, g.affine.per, of, shared);
    };
    of_gamma.total = of_beta.total = total;
    check_params(g, entries, cells(x_hat, entries), cells(g.dy, entries), of_gamma, of_beta);
    if (static_cast<Index>(entries.size()) == total || largest < 0) return;
    const Index of_largest =
        g.affine.per == AffinePer::feature ? largest % x_hat.cols() : largest / x_hat.cols();
    const auto more = missed(entries, {of_largest, largest_entry(g.dgamma)});
    check_params(g, more, cells(x_hat, more), cells(g.dy, more), of_gamma, of_beta);
}

// What one token adds to the loss; `y` is its row.
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
            const std::vector<Index> one{head.classes[static_cast<std::size_t>(token)]};
            return cross_entropy<double>(y * head.weights, one)->loss /
                   static_cast<double>(g.z.rows());
        }
        }
        return 0;
    }
};

SampledCheck check_dy(const CheckedGradients& g, Index largest) {
    const Index features = g.z.cols();
    auto entries = entries_to_check(
        g.dy.size(), std::clamp(k_group_budget / (4 * features), k_fewest_entries, k_most_entries),
        k_seed);
    std::ranges::copy(missed(entries, {largest}), std::back_inserter(entries));
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

NormOfSet::NormOfSet(const Document& d, const RunningStats<double>* running, Index set)
    : norm_(d.norm.kind, 1) { // of groups there is one here
    options_.eps = d.eps;
    if (!running) return;
    options_.mode = Mode::eval;
    running_ = {running->mean.segment(set, 1), running->var.segment(set, 1), running->updates};
}

double NormOfSet::step(double s, double size_of_z) const {
    const bool linear = !terms_of(norm_, options_.mode).projection;
    return k_step * (linear ? std::max(s, size_of_z) : s);
}

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

GradientChecks check_gradients(const CheckedGradients& g, CheckMemo& memo) {
    GradientChecks checks;
    const Index total = g.z.size();
    const auto entries =
        entries_to_check(total, most_of_dz(statistic_sets(g.cache).size()), k_seed);
    if (!memo) memo = std::make_shared<const Matrix<double>>(x_hat_by_z(g, entries));
    checks.dz.total = total;
    check_dz(g, entries, *memo, checks.dz);
    // Of a gradient that is 0 nearly everywhere a sample would see nothing.
    const Index largest = static_cast<Index>(entries.size()) < total ? largest_entry(g.dy) : -1;
    if (largest >= 0) {
        const auto more = missed(entries, {largest, largest_entry(g.dz)});
        check_dz(g, more, x_hat_by_z(g, more), checks.dz);
    }
    check_params(g, largest, checks.dgamma, checks.dbeta);
    if (g.document.backward.loss != LossKind::given) checks.dy = check_dy(g, largest);
    return checks;
}

SampledCheck check_dz_of_group(const CheckedGradients& g, Index set, Matrix<double>& by_z) {
    const StatisticSets sets = statistic_sets(g.cache);
    const auto entry_at = [&](Index place) {
        return sets.token(set, place) * sets.features + sets.feature(set, place);
    };
    std::vector<Index> entries = entries_to_check(sets.size(), most_of_dz(sets.size()), k_seed);
    for (Index& entry : entries) entry = entry_at(entry);
    if (by_z.size() == 0) by_z = x_hat_by_z(g, entries);
    SampledCheck check;
    check.total = sets.size();
    check_dz(g, entries, by_z, check);
    if (static_cast<Index>(entries.size()) < sets.size()) {
        const auto largest_of = [&](const Matrix<double>& m) -> Index {
            const Index place = largest_entry(values_of(m, sets.block(set)));
            return place < 0 ? -1 : entry_at(place);
        };
        const auto more = missed(entries, {largest_of(g.dy), largest_of(g.dz)});
        check_dz(g, more, x_hat_by_z(g, more), check);
    }
    return check;
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
    const CellBlock block = sets.block(0);
    Matrix<double> z(block.rows, block.cols), a(z.rows(), z.cols()), claimed_a = a;
    const auto ones = identity_affine<double>(AffinePer::scalar, z.rows(), z.cols());
    // A group is gone through some eight times: four passes forward, one back, and what they need.
    const Index most = std::max<Index>(most_of_dz(sets.size()) / 8, k_fewest_groups);
    auto sample = entries_to_check(count, most, k_seed);
    if (static_cast<Index>(sample.size()) < count)
        if (const Index largest = largest_entry(g.dy); largest >= 0)
            std::ranges::copy(
                missed(sample, {sets.set_of(largest / sets.features, largest % sets.features)}),
                std::back_inserter(sample));
    for (const Index group : sample) {
        const NormOfSet norm(g.document, g.running, group);
        for (Index i = 0; i < sets.size(); ++i) {
            const Index t = sets.token(group, i), d = sets.feature(group, i);
            z.data()[i] = factor * g.z(t, d);
            const double gamma = g.affine.gamma(param_index(g.affine.per, t, d));
            a.data()[i] = gamma * g.dy(t, d);
            claimed_a.data()[i] = terms.gamma ? a.data()[i] : g.dy(t, d);
        }
        const auto here = norm(z);
        const auto along =
            here ? normalize_backward_by_definition(here->cache, ones, claimed_a, of_a)
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
