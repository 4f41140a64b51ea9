#include "app/study/backward/published.h"

#include "app/language/language.h"
#include "app/study/backward/gradient_checks.h"
#include "core/base/lists.h"
#include "core/norm/normalize.h"

#include <array>
#include <cmath>
#include <numeric>

namespace normscope {

namespace {

using Row = Eigen::RowVectorXd;

std::vector<double> values(const Row& row) {
    return {row.begin(), row.end()};
}

std::vector<double> values(double value) {
    return {value};
}

// The token that the statements are computed from; σ is without ε.
struct Token {
    Row x, f, z, dy, w, u; // u = z − μ
    double n, mean, variance, sigma, gamma, beta, eps, lr;
    std::vector<double> gammas; // of the features
    std::string first;          // feature's name
    bool skip;

    // dz = γ/(Nσ)·(dy × J), given dy × J
    Row dz(const Row& dy_j) const { return gamma / (n * sigma) * dy_j; }
};

Token token_of(const Document& d, const Matrix<double>& dy, Index t, double lr,
               PublishedReading& out) {
    Token k;
    k.x = d.x->row(t);
    k.f = d.f->row(t);
    k.skip = d.residual == Residual::add;
    k.z = k.skip ? Row(k.x + k.f) : k.f;
    k.dy = dy.row(t);
    k.n = static_cast<double>(k.z.size());
    k.mean = k.z.mean();
    k.u = k.z.array() - k.mean;
    k.variance = k.u.squaredNorm() / k.n;
    k.sigma = std::sqrt(k.variance);
    k.w = k.u / k.sigma;
    k.eps = d.eps;
    k.lr = lr;
    const auto at = [&](const std::vector<double>& p) {
        if (d.affine_per == AffinePer::token) return entry_at(p, t);
        double sum = 0;
        for (const double v : p) sum += v;
        return sum / static_cast<double>(p.size());
    };
    k.gamma = at(*d.gamma);
    k.beta = at(*d.beta);
    k.gammas = d.affine_per == AffinePer::feature
                   ? *d.gamma
                   : std::vector<double>(static_cast<std::size_t>(k.z.size()), k.gamma);
    k.first = d.features->front();
    for (const double v : *d.gamma)
        if (d.affine_per == AffinePer::feature && v != d.gamma->front()) out.uniform_gamma = false;
    return k;
}

constexpr double k_cancelled = 0.1; // of the variance

std::vector<PublishedTerm> forward_terms(const Token& k) {
    // In single precision, where mean(w²) − μ² loses its digits first.
    const Eigen::RowVectorXf single = k.z.cast<float>();
    const float mean = single.mean();
    const float one_pass = single.squaredNorm() / static_cast<float>(k.n) - mean * mean;
    const bool cancelled =
        std::abs(static_cast<double>(one_pass) - k.variance) > k_cancelled * k.variance;
    return {
        {"Sum", Verdict::right, "z = prev + orig", k.skip ? "z = x + f" : "z = f, without the skip",
         values(k.x + k.f), values(k.z),
         k.skip
             ? "The Add is a sum, entry by entry."
             : "The Add is a sum, entry by entry. Here its skip is left out, in all rows below."},
        {"Variance", Verdict::unsafe, "mean(w²) − μ²", "mean((w − μ)²)",
         values(static_cast<double>(one_pass)), values(k.variance),
         !std::isfinite(one_pass) && std::isfinite(k.variance)
             ? "Equal on paper. In float32 the squares are too large for a number here. The rows "
               "below take the right σ²."
         : cancelled
             ? "Equal on paper. In float32 two large numbers have cancelled here. The rows "
               "below take the right σ²."
             : "Equal on paper. In float32 two large numbers cancel: shift X by 10⁴, in Add & "
               "Norm, and look again. The rows below take the right σ²."},
        {"Divisor", Verdict::differs, "σ", "√(σ² + ε)", values(k.sigma),
         values(std::sqrt(k.variance + k.eps)),
         k.eps == 0
             ? "The same here, as ε is 0. Without ε a constant token divides 0 by 0; PyTorch "
               "adds 1e-5 inside the root."
             : "Without ε a constant token divides 0 by 0. PyTorch adds 1e-5 inside the root."},
        {"γ, β", Verdict::differs, "one γ, one β a token", "a γ for every feature (β too)",
         std::vector{k.gamma, k.beta}, k.gammas,
         "Tied to positions, they cannot be used for a longer sentence. PyTorch has D of each."},
    };
}

std::vector<PublishedTerm> parameter_terms(const Token& k) {
    const double dgamma = k.dy.dot(k.w);
    const Row after = k.gamma * k.w.array() + k.beta; // w once γ and β were applied in place
    const double dbeta = k.dy.sum();
    const std::string step = worded("γ −= lr·dγ, lr = {:g}", k.lr);
    return {
        {"dβ", Verdict::right, "Σ dy", "Σ dy", values(dbeta), values(dbeta),
         "β is added to every value."},
        {"dγ", Verdict::right_if, "Σ dy·w", "Σ dy·x\u0302", values(dgamma), values(dgamma),
         "Right only if w is x\u0302, the value before γ and β."},
        {"dγ in place", Verdict::wrong, "Σ dy·w, w = γ·x\u0302 + β", "Σ dy·x\u0302",
         values(k.dy.dot(after)), values(dgamma),
         k.gamma == 1 && k.beta == 0 ? "When γ and β overwrite w, w is Y and no longer x\u0302. "
                                       "The same here only as γ = 1 and β = 0."
                                     : "When γ and β overwrite w, w is Y and no longer x\u0302."},
        {"Step", Verdict::right, step, step, values(k.gamma - k.lr * dgamma),
         values(k.gamma - k.lr * dgamma), "Plain gradient descent; lr is the reader's to set."},
    };
}

// dz of layer norm with a γ for every feature and ε in the root.
Row full_dz(const Token& k) {
    const double s = std::sqrt(k.variance + k.eps);
    const Row x_hat = k.u / s;
    const Row a = Eigen::Map<const Row>(k.gammas.data(), std::ssize(k.gammas)).cwiseProduct(k.dy);
    return ((a.array() - a.mean()).matrix() - x_hat * (a.dot(x_hat) / k.n)) / s;
}

std::vector<PublishedTerm> jacobian_terms(const Token& k) {
    const Index size = k.z.size();
    // dy × J without J, of which the screen shows a diagonal and a row: N values instead of N².
    const double dy_sum = k.dy.sum();
    const Row dy_ww = k.dy.dot(k.w) * k.w;
    const Row dz = k.dz((k.n * k.dy - dy_ww).array() - dy_sum);
    // The bracket as printed: σ² divides the 1 as well. On the diagonal stands what should.
    const Row diagonal = (k.n - 1) - k.w.array().square();
    const Row others =
        (dy_sum - k.dy.array()) + k.u.array() * (k.dy.dot(k.u) - k.dy.array() * k.u.array());
    const Row dz_printed = k.dz(k.dy.array() * diagonal.array() - others.array() / k.variance);
    const Row printed = -(1 + k.u(0) * k.u.array()) / k.variance;
    const Row row = -1 - k.w(0) * k.w.array();
    std::vector<PublishedTerm> out = {
        {"J diagonal", Verdict::right, "N − 1 − (z−μ)²/σ²", "N − 1 − x\u0302²", values(diagonal),
         values(diagonal), "The same: x\u0302 is (z − μ)/σ."},
        {"J = N·I − 1 − w⊗w", Verdict::right_if, "N·I − 1 − w⊗w", "N·I − 11ᵀ − x\u0302x\u0302ᵀ",
         values(dz), values(dz),
         "1 is the matrix of ones, as the text says. Right only if w is x\u0302, the value before "
         "γ and β. Shown: the dz that follows."},
        {"dz", Verdict::right, "γ/(Nσ)·(dy × J)", "γ/(Nσ)·(dy × J)", values(dz), values(dz),
         "With the right J, and σ for √(σ² + ε)."},
        {"dX and dF(X)", Verdict::right, "prev gets dz, orig += dz", "dF(X) = dz, dX += dz",
         values(dz), values(dz),
         k.skip
             ? worded(
                   "A sum hands its gradient to both: the text returns dz for prev and adds dz to "
                   "orig's.")
             : worded(
                   "A sum hands its gradient to both. Here, without the skip, dX gets nothing.")},
        {"dz, all of it", Verdict::differs, "γ/(Nσ)·(dy × J)",
         "(a − mean a − x\u0302·mean(a⊙x\u0302))/s", values(dz), values(full_dz(k)),
         "Right are also a γ for every feature, a = γ⊙dy, and s = √(σ² + ε): what layer norm's "
         "Gradient surgery shows. The rows above correct one thing each."},
    };
    if (size > 1)
        out.insert(
            out.begin() + 1,
            {{"J off-diagonal", Verdict::wrong, "−(1 + (zᵢ−μ)(zⱼ−μ))/σ²", "−1 − (zᵢ−μ)(zⱼ−μ)/σ²",
              values(printed.tail(size - 1)), values(row.tail(size - 1)),
              worded("σ² divides the product only. Shown: the row i = {}, every other j.",
                     k.first)},
             {"dz from it", Verdict::wrong, "γ/(Nσ)·(dy × J as printed)", "γ/(Nσ)·(dy × J)",
              values(dz_printed), values(dz), "What the misplaced bracket does to the gradient."}});
    return out;
}

SampledCheck check_full_dz(const Document& document, const Token& k) {
    Document layer = document;
    layer.norm = NormKind::layer;
    NormOptions options;
    options.eps = k.eps;
    const Matrix<double> z = k.z, dy = k.dy, dz = full_dz(k);
    const auto normalized = normalize<double>(layer.norm, z, options);
    if (!normalized) return {};
    const Vector<double> gamma =
        Eigen::Map<const Vector<double>>(k.gammas.data(), std::ssize(k.gammas));
    const Affine<double> affine{AffinePer::feature, gamma, gamma};
    return check_dz_of_group(
        {layer, z, normalized->cache, affine, dy, dy, dz, gamma, gamma, nullptr}, 0);
}

} // namespace

PublishedReading read_published(const Document& d, const Matrix<double>& dy, Index token,
                                double lr) {
    PublishedReading out;
    const Token k = token_of(d, dy, token, lr, out);
    out.gamma = k.gamma;
    out.beta = k.beta;
    out.sigma = k.sigma;
    for (auto&& part : {forward_terms(k), parameter_terms(k), jacobian_terms(k)})
        add_all(out.terms, part);
    out.check = check_full_dz(d, k);
    return out;
}

std::string_view verdict_text(Verdict verdict) {
    const std::array texts = {tr("right", "verdict"), tr("right if"), tr("wrong"), tr("unsafe"),
                              tr("not PyTorch")};
    return entry_at(texts, verdict);
}

Normalization normalize_by(const Convention& c, std::span<const double> z, double eps) {
    const Eigen::Map<const Eigen::ArrayXd> values(z.data(), std::ssize(z));
    // One after the other: where all values are alike, the sign of x̂ is that of the rounding.
    const double mean = std::accumulate(z.begin(), z.end(), 0.0) / static_cast<double>(z.size());
    const Eigen::ArrayXd centred = values - mean;
    const double count = static_cast<double>(z.size()) - (c.unbiased ? 1 : 0);
    const double variance = count > 0 ? centred.square().sum() / count : std::nan("");
    const double divisor = c.eps_outside ? std::sqrt(variance) + eps : std::sqrt(variance + eps);
    const Eigen::ArrayXd normalized = centred / divisor;
    return {divisor, {normalized.begin(), normalized.end()}};
}

} // namespace normscope
