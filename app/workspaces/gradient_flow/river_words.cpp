#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/words/no_gradient.h"
#include "app/workspaces/gradient_flow/panels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {

namespace {

constexpr double k_shrunk = 0.5; // less of a gradient: said why

// From which block down the numbers are none any more.
std::string trouble(const std::vector<FlowSlice>& slices) {
    for (std::size_t i = slices.size(); i-- > 0;) {
        const FlowSlice& s = slices[i];
        if (is_finite(s)) continue;
        const bool nan = std::isnan(s.total) || std::isnan(s.branch) || std::isnan(s.skip);
        return worded("From block {} down the gradient {}.", i + 1,
                      nan ? "is not a number: an activation overflowed on the way up"
                          : "overflows what a number can hold");
    }
    return {};
}

std::string angle_text(const GradientSplit& s) {
    if (s.skip_norm == 0 || s.branch_norm == 0) return worded("no angle: one part is 0");
    const double degrees = std::acos(std::clamp(s.cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
    return worded("at {:.0f}° to each other", degrees);
}

// ∂L/∂λ and ∂L/∂α, where there are scales: those of a block's own, or of the stack's.
std::string scale_gradients(const StackConfig& stack, double trunk, double branch) {
    if (!scales_skip(stack)) return {};
    return fmt::format(" · dλ = {} · dα = {}", flow_norm_text(trunk), flow_norm_text(branch));
}

} // namespace

std::string words_about(const StackStudy& study, const GradientFlow& flow, int block,
                        const FlowSlice& s, bool stopped) {
    const auto at = static_cast<std::size_t>(block - 1);
    const BlockFlow& b = flow.blocks[at];
    std::string words = worded("Block {}: ‖∂L/∂x{}‖ = {} · skip {} · {} {} · {}", block,
                               subscript(block - 1), flow_norm_text(s.total),
                               flow_norm_text(s.skip), sublayer_words(study.stack.sublayer).in_text,
                               flow_norm_text(s.branch), angle_text(b.split)) +
                        scale_gradients(study.stack, b.trunk_scale_grad, b.branch_scale_grad);
    if (at < study.block_gain.size())
        words = worded("{} · Jacobian norm {} (scales a gradient so much on average)", words,
                       flow_norm_text(study.block_gain[at]));
    else if (!study.refined)
        words = stopped ? worded("{} · Jacobian norm: not measured", words)
                        : worded("{} · Jacobian norm: being measured", words);
    return words + ".";
}

std::string words_about_all(const StackStudy& study, const GradientFlow& flow,
                            const std::vector<FlowSlice>& slices) {
    if (const std::string bad = trouble(slices); !bad.empty()) return bad;
    const GradientSplit& s = flow.blocks.front().split;
    std::string words;
    if (const auto none = no_gradient_reason(study))
        words = *none;
    else if (study.stack.skip == Residual::no_skip)
        words = tr("No skip: all of it comes through the sublayers");
    else
        words =
            worded("At the input block 1's skip brings {}, its sublayer {}: as arrows ({}) they "
                   "add up to {}",
                   flow_norm_text(s.skip_norm), flow_norm_text(s.branch_norm), angle_text(s),
                   flow_norm_text(flow.input_grad_norm)) +
            scale_gradients(study.stack, flow.trunk_scale_grad(), flow.branch_scale_grad());
    words += ".";
    const double left = flow.input_grad_norm / flow.blocks.back().grad_norm;
    if (study.stack.skip == Residual::add && study.stack.placement == Placement::post &&
        norm_entry(study.stack.norm).normalizes() && left > 0 && left < k_shrunk)
        words +=
            ' ' + worded("The norm behind each Add divides by the sum's σ, and the gradient as "
                         "well: {} of it is left.",
                         share_text(left));
    if (study.in_float64)
        words += ' ' + worded("Computed in float64, as float32 ran out of its range.");
    return words;
}

} // namespace normscope
