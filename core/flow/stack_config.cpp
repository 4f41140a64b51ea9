#include "core/flow/stack_config.h"

#include "core/base/in_range.h"

#include <cmath>

namespace normscope {
namespace {

constexpr int k_most_blocks = 1024;
constexpr Index k_most_tokens = 8192;
constexpr double k_most_parameters = 5e8;

Result<void> check_size(const StackConfig& c) {
    const double square = static_cast<double>(c.width) * static_cast<double>(c.width);
    double per_block = has_attention(c.sublayer) ? 4 * square : 0;
    if (has_ffn(c.sublayer)) per_block += 2 * square * c.ffn_mult;
    if (per_block == 0) per_block = square;
    if (per_block * c.blocks <= k_most_parameters) return {};
    return fail("this stack has {} weights, more than fit; use fewer blocks or a smaller width",
                static_cast<long long>(per_block * c.blocks));
}

} // namespace

Result<void> check_config(const StackConfig& c) {
    TRY(in_range("the number of blocks", c.blocks, 1, k_most_blocks));
    TRY(in_range("the width", c.width, 1, k_widest_model));
    TRY(in_range("the number of tokens", c.tokens, 1, k_most_tokens));
    if (has_ffn(c.sublayer)) TRY(in_range("the feed-forward factor", c.ffn_mult, 1, 64));
    if (has_attention(c.sublayer)) TRY(check_heads(c.width, c.heads));
    TRY(is_finite("the trunk scale", c.trunk_scale));
    TRY(is_finite("the branch scale", c.branch_scale));
    TRY(is_finite("the gain", c.init.gain));
    if (c.loss == StackLoss::cross_entropy) TRY(in_range("the vocabulary", c.vocabulary, 2, 1e6));
    for (const BlockAffine& own : c.block_affine)
        TRY(in_range("a block with its own γ and β", own.block, 0, c.blocks - 1));
    TRY(check_groups(c.norm, c.width));
    return check_size(c);
}

double own_trunk_scale(const StackConfig& c) {
    return c.placement == Placement::deepnorm ? std::pow(2.0 * c.blocks, 0.25) : 1;
}

} // namespace normscope
