#include "app/words/no_gradient.h"

#include "app/language/language.h"

#include <algorithm>
#include <iterator>

namespace normscope {

namespace {

double gamma_of(const StackConfig& c, int block) {
    for (const BlockAffine& own : c.block_affine)
        if (own.block == block) return own.gamma;
    return c.gamma;
}

// "in every block", "in block 4": counted from 1.
std::string where_gamma_is_zero(const StackConfig& c, int block) {
    for (int i = 0; i < c.blocks; ++i)
        if (gamma_of(c, i) != 0) return worded("in block {}", block + 1);
    return "in every block";
}

// The settings that let nothing through block `block` (0 …); empty: none do.
std::string closed_by(const StackConfig& c, int block) {
    const bool gamma_is_zero = gamma_of(c, block) == 0;
    const bool behind_the_add =
        c.placement == Placement::post || c.placement == Placement::deepnorm;
    if (gamma_is_zero && behind_the_add)
        return worded("what leaves a block is multiplied by its γ, and γ = 0 {}",
                      where_gamma_is_zero(c, block));
    const std::string_view no_trunk = c.skip == Residual::no_skip ? "there is no skip"
                                      : c.trunk_scale == 0        ? "λ = 0 closes the skip"
                                                                  : "";
    if (no_trunk.empty()) return {};
    if (c.branch_scale == 0) return worded("{} and α = 0 closes the sublayers", no_trunk);
    if (gamma_is_zero)
        return worded("{} and γ = 0 {} closes the sublayer", no_trunk,
                      where_gamma_is_zero(c, block));
    return {};
}

} // namespace

std::optional<std::string> no_gradient_reason(const StackStudy& study) {
    if (study.seeds.empty() || study.seeds.front().flow.input_grad_norm != 0) return std::nullopt;
    const std::vector<BlockFlow>& blocks = study.seeds.front().flow.blocks;
    // The block with a gradient at its output and none at its input.
    const auto below =
        std::ranges::find_if(blocks, [](const BlockFlow& b) { return b.grad_norm != 0; });
    if (below == blocks.end())
        return worded("No gradient reaches the input: there is none at the top");
    const auto block = static_cast<int>(below - blocks.begin());
    if (const std::string closed = closed_by(study.stack, block); !closed.empty())
        return worded("No gradient reaches the input: it is exactly 0, as {}", closed);
    // A gradient's norm is lost with its square. The norm at the block's input is estimated: it
    // shrinks as in the block above.
    const auto above = std::next(below);
    const double shrinks =
        above == blocks.end() ? 1 : std::min(1.0, below->grad_norm / above->grad_norm);
    const double nearly_lost = study.in_float64 ? 1e-150 : 1e-30;
    if (below->grad_norm * shrinks < nearly_lost)
        return worded(
            "No gradient reaches the input: below block {} it is too small to measure in {}",
            block + 1, study.in_float64 ? "float64" : "float32");
    return worded("No gradient reaches the input: it is exactly 0 from block {} down", block + 1);
}

} // namespace normscope
