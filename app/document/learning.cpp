#include "app/document/learning.h"

#include "app/document/batch_training.h"
#include "app/document/loss.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr const char* k_too_far =
    "This step would leave the finite numbers: lower the learning rate";

// The losses after each of these steps but the last, where nobody kept them: those before the next.
std::vector<double> after_each(const std::vector<double>& losses) {
    return {losses.begin() + (losses.empty() ? 0 : 1), losses.end()};
}

std::vector<double> to_values(const Vector<double>& v) {
    return {v.begin(), v.end()};
}

} // namespace

Result<Document> learn(const Document& before, int steps) {
    if (before.backward.loss == LossKind::given)
        return fail("There is no loss to learn from while dY is typed: choose a distance to a "
                    "target or another loss");
    AddNormOptions options;
    options.norm = before.norm;
    options.residual = before.residual;
    options.options.eps = before.eps;
    if (constant_statistics(before)) options.options.mode = Mode::eval;
    AddNorm<double> layer(affine_of(before), options);
    if (constant_statistics(before)) {
        Matrix<double> z;
        if (const auto ok = residual_add(*before.x, *before.f, before.residual, z); !ok)
            return tl::unexpected(ok.error());
        layer.set_running(learned_stats(before, z).running);
    }
    Shared<Matrix<double>> target;
    std::vector<double> losses = *before.backward.losses;
    std::vector<double> landed = *before.backward.landed;
    if (landed.empty()) landed = after_each(losses);
    const std::size_t end =
        std::min(losses.size() + static_cast<std::size_t>(steps), k_most_losses);
    for (bool first = true;; first = false) {
        const auto y = layer.forward(*before.x, *before.f);
        if (!y) return tl::unexpected(y.error());
        if (first && before.backward.loss == LossKind::distance)
            target = target_matrix(before, layer.z(), layer.cache().x_hat);
        const LossOnY loss = loss_gradient(before, **y, target);
        if (!std::isfinite(*loss.value))
            return fail(!first ? k_too_far
                        : losses.empty()
                            ? "The loss is not a finite number, so there is nothing to follow: "
                              "the badges in Backward say why"
                            : "The loss is not a finite number, so there is nothing to follow: "
                              "undo, or lower the learning rate");
        if (first && landed.size() < losses.size()) landed.push_back(*loss.value);
        if (!first) landed.push_back(*loss.value);
        if (losses.size() == end) break;
        losses.push_back(*loss.value);
        Matrix<double> passed_on; // to X and to F(X): nobody asks
        if (const auto ok = layer.backward(*loss.dy, passed_on, passed_on); !ok)
            return tl::unexpected(ok.error());
        layer.step(before.backward.lr);
        if (!layer.affine().gamma.allFinite() || !layer.affine().beta.allFinite())
            return fail(k_too_far);
    }
    Document d = before;
    if (before.backward.losses->empty()) {
        d.backward.start_gamma = before.gamma;
        d.backward.start_beta = before.beta;
        d.backward.start_gamma_range = before.gamma_range;
        d.backward.start_beta_range = before.beta_range;
    }
    d.gamma = to_values(layer.affine().gamma);
    d.beta = to_values(layer.affine().beta);
    d.gamma_range.grow(*d.gamma);
    d.beta_range.grow(*d.beta);
    d.backward.losses = std::move(losses);
    d.backward.landed = std::move(landed);
    return d;
}

} // namespace normscope
