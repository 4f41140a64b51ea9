#include "app/model/learning.h"

#include "app/model/batch_training.h"
#include "core/base/lists.h"
#include "core/base/random.h"
#include "core/nn/loss.h"
#include "core/norm/affine.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace normscope {

namespace {

constexpr double k_rate_without_curvature = 0.1;
constexpr const char* k_too_far =
    "This step would leave the finite numbers: lower the learning rate";

// The losses after each of these steps but the last, where nobody kept them: those before the next.
std::vector<double> after_each(const std::vector<double>& losses) {
    return {losses.begin() + (losses.empty() ? 0 : 1), losses.end()};
}

std::vector<double> to_values(const Vector<double>& v) {
    return {v.begin(), v.end()};
}

// Every γ with its β: Σ x̂² and Σ x̂ of the `cells` that share the two.
struct Pairs {
    Eigen::ArrayXd squares, sums;
    double cells;
};

Pairs pairs_of(const Matrix<double>& x_hat, AffinePer per) {
    if (per == AffinePer::feature)
        return {x_hat.colwise().squaredNorm().transpose(), x_hat.colwise().sum().transpose(),
                static_cast<double>(x_hat.rows())};
    if (per == AffinePer::token)
        return {x_hat.rowwise().squaredNorm(), x_hat.rowwise().sum(),
                static_cast<double>(x_hat.cols())};
    return {Eigen::ArrayXd::Constant(1, x_hat.squaredNorm()),
            Eigen::ArrayXd::Constant(1, x_hat.sum()), static_cast<double>(x_hat.size())};
}

// The largest eigenvalue of [Σ x̂² Σ x̂; Σ x̂ n], the Gram matrix of ∂Y/∂(γ, β), over all pairs.
double largest_gram(const Pairs& p) {
    const Eigen::ArrayXd half = (p.squares - p.cells) / 2;
    return ((p.squares + p.cells) / 2 + (half.square() + p.sums.square()).sqrt()).maxCoeff();
}

// The largest eigenvalue of ∂²L/∂Y² within a token; of cross-entropy no more than ½·‖W‖²/T, as
// diag(p) − ppᵀ has none above ½.
double curvature_in_y(const Document& d) {
    const auto tokens = static_cast<double>(d.token_count());
    if (d.backward.loss == LossKind::distance)
        return 2 / (tokens * static_cast<double>(d.feature_count()));
    if (d.backward.loss != LossKind::cross_entropy) return 0;
    const Matrix<double> w =
        linear_head(d.backward.head_seed, d.token_count(), d.feature_count()).weights;
    const Matrix<double> gram = w.transpose() * w;
    Vector<double> v = gram.colwise().sum(); // power iteration
    for (int i = 0; i < 200; ++i) v = (gram * v).normalized();
    return v.dot(gram * v) / (2 * tokens);
}

void reach(std::optional<FaderRange>& range, const Vector<double>& gradient) {
    FaderRange r = range.value_or(FaderRange{});
    r.lo = std::min(r.lo, gradient.minCoeff());
    r.hi = std::max(r.hi, gradient.maxCoeff());
    if (r.lo < r.hi) range = r;
}

Matrix<double> by_rank(const BackwardSetup& setup, const Matrix<double>& x_hat) {
    const auto n = static_cast<std::size_t>(x_hat.size());
    std::vector<std::size_t> order = first_places(n);
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

double usual_learning_rate(const Document& d, const Matrix<double>& x_hat) {
    const double in_y = curvature_in_y(d);
    if (in_y == 0) return k_rate_without_curvature;
    const double rate = 1 / (in_y * largest_gram(pairs_of(x_hat, d.affine_per)));
    if (!std::isfinite(rate) || rate <= 0) return k_rate_without_curvature;
    const double digit = std::pow(10.0, std::floor(std::log10(rate)) - 1);
    return std::floor(rate / digit) * digit;
}

Result<Document> learn(const Document& before, int steps) {
    NormOptions options = norm_options(before);
    std::optional<RunningStats<double>> running;
    if (constant_statistics(before)) {
        options.mode = Mode::eval;
        Matrix<double> z;
        TRY(residual_add(*before.x, *before.f, before.residual, z));
        running = learned_stats(before, z).running;
    }
    // γ and β alone learn: z and x̂ stay.
    Affine<double> affine = affine_of(before);
    const auto forward =
        TRY(add_norm_forward(*before.x, *before.f, Add{before.residual}, before.norm, affine,
                             options, running ? &*running : nullptr));
    const Matrix<double>& x_hat = forward.cache.x_hat;
    Matrix<double> y = forward.y;
    Shared<Matrix<double>> target;
    std::vector<double> losses = *before.backward.losses;
    std::vector<double> landed = *before.backward.landed;
    if (landed.empty()) landed = after_each(losses);
    const bool typed = before.backward.loss == LossKind::given;
    std::size_t left = static_cast<std::size_t>(steps);
    if (!typed) left = std::min(left, k_most_losses - losses.size());
    std::optional<FaderRange> dgamma_reach = before.backward.dgamma_reach;
    std::optional<FaderRange> dbeta_reach = before.backward.dbeta_reach;
    std::optional<double> lr = before.backward.lr;
    for (bool first = true;; first = false) {
        if (first && before.backward.loss == LossKind::distance)
            target = target_matrix(before, forward.z, x_hat);
        const LossOnY loss = loss_gradient(before, y, target);
        if (!typed && !std::isfinite(*loss.value))
            return fail("{}",
                        !first ? k_too_far
                        : losses.empty()
                            ? "The loss is not a finite number, so there is nothing to follow: "
                              "the badges in Backward say why"
                            : "The loss is not a finite number, so there is nothing to follow: "
                              "undo, or lower the learning rate");
        if (!typed && (!first || landed.size() < losses.size())) landed.push_back(*loss.value);
        if (left-- == 0) break;
        if (!typed) losses.push_back(*loss.value);
        const auto gradients = TRY(normalize_backward(forward.cache, affine, *loss.dy));
        if (!gradients.dgamma.allFinite() || !gradients.dbeta.allFinite())
            return fail("dγ or dβ is not a finite number, so there is no step to take: the badges "
                        "in Backward say why");
        reach(dgamma_reach, gradients.dgamma);
        reach(dbeta_reach, gradients.dbeta);
        if (!lr) lr = usual_learning_rate(before, x_hat);
        affine.gamma -= *lr * gradients.dgamma;
        affine.beta -= *lr * gradients.dbeta;
        if (!affine.gamma.allFinite() || !affine.beta.allFinite()) return fail(k_too_far);
        TRY(affine_forward(x_hat, affine, y));
    }
    Document d = before;
    if (typed ? before.backward.start_gamma->empty() : before.backward.losses->empty()) {
        d.backward.start_gamma = before.gamma;
        d.backward.start_beta = before.beta;
        d.backward.start_gamma_range = before.gamma_range;
        d.backward.start_beta_range = before.beta_range;
    }
    d.gamma = to_values(affine.gamma);
    d.beta = to_values(affine.beta);
    d.gamma_range.grow(*d.gamma);
    d.beta_range.grow(*d.beta);
    if (!typed) {
        d.backward.losses = std::move(losses);
        d.backward.landed = std::move(landed);
    }
    d.backward.dgamma_reach = dgamma_reach;
    d.backward.dbeta_reach = dbeta_reach;
    return d;
}

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
    if (d.backward.target_kind == TargetKind::z) return z;
    if (d.backward.target_kind == TargetKind::matrix) return *input_values(d, Input::target);
    return by_rank(d.backward, x_hat);
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
