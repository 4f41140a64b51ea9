#include "app/document/gradient_checks.h"

#include "app/document/loss.h"
#include "core/nn/loss.h"
#include "core/norm/affine.h"

#include <cmath>

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

double param_at(const Vector<double>& values, AffinePer per, Index token, Index feature) {
    return values(per == AffinePer::feature ? feature : per == AffinePer::token ? token : 0);
}

// How many entries of dz time allows, of groups of n values.
Index most_of_dz(Index n) {
    return std::clamp(k_group_budget / (n + 128), k_fewest_entries, k_most_entries);
}

// Which cells share statistics with one.
struct Groups {
    bool by_feature;
    Index features;
    Index size;

    explicit Groups(const CheckedGradients& g)
        : by_feature(g.document.norm == NormKind::batch), features(g.z.cols()),
          size(by_feature ? g.z.rows() : features) {}

    Index group(Index entry) const { return by_feature ? entry % features : entry / features; }
    Index place(Index entry) const { return by_feature ? entry / features : entry % features; }
};

double rstd_of(const CheckedGradients& g, Index group) {
    return g.document.norm == NormKind::none ? 1 : g.cache.rstd(group);
}

// ∂x̂/∂z_i of the group of each z_i, a row each.
Matrix<double> x_hat_by_z(const CheckedGradients& g, const std::vector<Index>& entries) {
    const Groups groups(g);
    Matrix<double> out(static_cast<Index>(entries.size()), groups.size);
    Matrix<double> group;
    std::optional<GroupNorm> norm;
    Index at = -1; // the group that `group` and `norm` are of
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Index wanted = groups.group(entries[e]);
        if (wanted != at) {
            at = wanted;
            group = groups.by_feature ? Matrix<double>(g.z.col(at)) : Matrix<double>(g.z.row(at));
            norm.emplace(g.document, g.running, at);
        }
        double& z = group.data()[groups.place(entries[e])];
        const double before = z;
        out.row(static_cast<Index>(e)) = five_point_difference(
            [&](double v) -> Vector<double> {
                z = v;
                const auto moved = (*norm)(group);
                if (!moved) return Vector<double>::Constant(groups.size, std::nan(""));
                return moved->cache.x_hat.template reshaped<Eigen::RowMajor>();
            },
            before, norm->step(1 / rstd_of(g, at), std::abs(before)));
        z = before;
    }
    return out;
}

// ∂L/∂z_i, where only the group of z_i takes part: L = Σ γ⊙dy⊙x̂ over the group, up to a constant.
// `by_z`: ∂x̂/∂z_i of these entries.
SampledCheck check_dz(const CheckedGradients& g, const std::vector<Index>& entries,
                      const Matrix<double>& by_z, Index total) {
    const Groups groups(g);
    SampledCheck check;
    check.total = total;
    Vector<double> a(groups.size);
    double largest = 0; // of a
    Index at = -1;      // the group that `a` is of
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Index entry = entries[e];
        if (groups.group(entry) != at) {
            at = groups.group(entry);
            for (Index i = 0; i < groups.size; ++i) {
                const Index t = groups.by_feature ? i : at;
                const Index d = groups.by_feature ? at : i;
                a(i) = param_at(g.affine.gamma, g.affine.per, t, d) * g.dy(t, d);
            }
            largest = a.cwiseAbs().maxCoeff();
        }
        check.compare(entry, g.dz.data()[entry], by_z.row(static_cast<Index>(e)).dot(a),
                      largest * rstd_of(g, at));
    }
    return check;
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

// ∂L/∂γ_i and ∂L/∂β_i over the cells that share them: the same entries of both.
void check_params(const CheckedGradients& g, CheckMemo& memo, SampledCheck& of_gamma,
                  SampledCheck& of_beta) {
    const Matrix<double>& x_hat = g.cache.x_hat;
    const Index total = g.dgamma.size();
    const Index shared = x_hat.size() / total;
    const auto entries = entries_to_check(
        total, std::clamp(k_param_budget / (4 * shared), Index{1}, k_most_entries), k_seed);
    const auto keep = [&](std::shared_ptr<const Eigen::ArrayXXd>& kept, const Matrix<double>& m) {
        if (!kept)
            kept = std::make_shared<const Eigen::ArrayXXd>(
                shared_cells(m, g.affine.per, entries, shared));
    };
    keep(memo.x_hat, x_hat);
    keep(memo.dy, g.dy);
    of_gamma.total = of_beta.total = total;
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const Index entry = entries[e];
        const auto x = memo.x_hat->col(static_cast<Index>(e));
        const auto dy = memo.dy->col(static_cast<Index>(e));
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

// 2(y − target)/(T·D) is the difference of two terms: how large they are before they cancel.
double distance_term(const CheckedGradients& g, Index token, Index feature, double y) {
    if (g.document.backward.loss != LossKind::distance) return 0;
    return 2 * std::max(std::abs(y), std::abs(g.target(token, feature))) /
           static_cast<double>(g.z.size());
}

// The loss that goes by a distance is as large as the farther end of it squared, whose rounding is
// larger than what a step of y's own size changes.
double step_of_y(const CheckedGradients& g, Index token, Index feature, double y) {
    switch (g.document.backward.loss) {
    case LossKind::cross_entropy:
        return k_step;
    case LossKind::distance:
        return step_from(std::max(std::abs(y), std::abs(g.target(token, feature))));
    default:
        return step_from(y);
    }
}

SampledCheck check_dy(const CheckedGradients& g) {
    const Index features = g.z.cols();
    const auto entries = entries_to_check(
        g.dy.size(), std::clamp(k_group_budget / (4 * features), k_fewest_entries, k_most_entries),
        k_seed);
    TokenLoss loss{g, {}};
    if (g.document.backward.loss == LossKind::cross_entropy)
        loss.head = linear_head(g.document.backward.head_seed, g.z.rows(), features);
    SampledCheck check;
    check.total = g.dy.size();
    const double scale = g.dy.cwiseAbs().maxCoeff();
    for (const Index entry : entries) {
        const Index token = entry / features;
        Matrix<double> y(1, features);
        for (Index d = 0; d < features; ++d)
            y(0, d) = param_at(g.affine.gamma, g.affine.per, token, d) * g.cache.x_hat(token, d) +
                      param_at(g.affine.beta, g.affine.per, token, d);
        double& moved = y(0, entry % features);
        const double before = moved;
        const double numeric = five_point_difference(
            [&](double v) {
                moved = v;
                return loss(token, y);
            },
            moved, step_of_y(g, token, entry % features, before));
        check.compare(entry, g.dy(token, entry % features), numeric,
                      std::max(scale, distance_term(g, token, entry % features, before)));
    }
    return check;
}

} // namespace

GroupNorm::GroupNorm(const Document& d, const RunningStats<double>* running, Index group)
    : kind_(d.norm) {
    options_.eps = d.eps;
    if (!running) return;
    options_.mode = Mode::eval;
    running_ = {running->mean.segment(group, 1), running->var.segment(group, 1), running->updates};
}

double GroupNorm::step(double s, double size_of_z) const {
    const bool linear = kind_ == NormKind::none || running_;
    return k_step * (linear ? std::max(s, size_of_z) : s);
}

GradientChecks check_gradients(const CheckedGradients& g, CheckMemo& memo) {
    GradientChecks checks;
    const auto entries = entries_to_check(g.z.size(), most_of_dz(Groups(g).size), k_seed);
    if (!memo.x_hat_by_z)
        memo.x_hat_by_z = std::make_shared<const Matrix<double>>(x_hat_by_z(g, entries));
    checks.dz = check_dz(g, entries, *memo.x_hat_by_z, g.z.size());
    check_params(g, memo, checks.dgamma, checks.dbeta);
    if (g.document.backward.loss != LossKind::given) checks.dy = check_dy(g);
    return checks;
}

SampledCheck check_dz_of_group(const CheckedGradients& g, Index group, Matrix<double>& by_z) {
    const Groups groups(g);
    std::vector<Index> entries = entries_to_check(groups.size, most_of_dz(groups.size), k_seed);
    for (Index& entry : entries)
        entry =
            groups.by_feature ? entry * groups.features + group : group * groups.features + entry;
    if (by_z.size() == 0) by_z = x_hat_by_z(g, entries);
    return check_dz(g, entries, by_z, groups.size);
}

SampledCheck check_scaled(const CheckedGradients& g, double factor,
                          const std::function<double(Index group)>& claimed,
                          const BackwardTerms& terms) {
    const Groups groups(g);
    const Index count = g.z.size() / groups.size;
    // a = γ⊙dy stands for dy below γ = 1.
    BackwardOptions backward;
    backward.terms = terms;
    backward.terms.gamma = true;
    SampledCheck check;
    check.total = count;
    const Index rows = groups.by_feature ? groups.size : 1;
    Matrix<double> z(rows, groups.size / rows), a(z.rows(), z.cols()), claimed_a = a;
    const auto ones = identity_affine<double>(AffinePer::scalar, z.rows(), z.cols());
    // A group is gone through some eight times: four forward passes, one backward and what they
    // need.
    const Index most = std::max<Index>(most_of_dz(groups.size) / 8, k_fewest_groups);
    for (const Index group : entries_to_check(count, most, k_seed)) {
        const GroupNorm norm(g.document, g.running, group);
        for (Index i = 0; i < groups.size; ++i) {
            const Index t = groups.by_feature ? i : group;
            const Index d = groups.by_feature ? group : i;
            z.data()[i] = factor * g.z(t, d);
            const double gamma = param_at(g.affine.gamma, g.affine.per, t, d);
            a.data()[i] = gamma * g.dy(t, d);
            claimed_a.data()[i] = terms.gamma ? a.data()[i] : g.dy(t, d);
        }
        const auto here = norm(z);
        const auto along = here ? normalize_backward<double>(here->cache, ones, claimed_a, backward)
                                : Result<NormGradients<double>>(tl::unexpected(here.error()));
        const double analytic = claimed(group);
        double numeric = std::nan("");
        const double rstd = !here ? 1 : g.document.norm == NormKind::none ? 1 : here->cache.rstd(0);
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
        check.compare(group, analytic, numeric, a.norm() * rstd);
    }
    return check;
}

} // namespace normscope
