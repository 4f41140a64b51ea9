#include "app/model/flow_setup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace normscope {

namespace {

Result<void> bounded(const char* what, std::int64_t value, std::int64_t least, std::int64_t most,
                     const std::string& way_out) {
    if (value >= least && value <= most) return {};
    return fail(fmt::format("{} must be from {} to {}, but it is {}; {}", what, least, most, value,
                            way_out));
}

Result<void> check_numbers(const StackConfig& c) {
    struct Number {
        const char* what;
        double value;
    };
    const std::array<Number, 4> numbers{{{"γ", c.gamma},
                                         {"β", c.beta},
                                         {"ε", c.eps},
                                         {"The weights' standard deviation", c.init.std}}};
    for (const auto& [what, value] : numbers)
        if (!std::isfinite(value)) return fail(std::string(what) + " must be a finite number");
    if (c.eps < 0) return fail("ε must be 0 or larger");
    for (const BlockAffine& own : c.block_affine)
        if (!std::isfinite(own.gamma) || !std::isfinite(own.beta))
            return fail(fmt::format("γ and β of block {} must be finite numbers", own.block + 1));
    if (c.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return fail(fmt::format("The seed must be at most {}, but it is {}",
                                std::numeric_limits<std::int64_t>::max(), c.seed));
    return {};
}

} // namespace

std::size_t free_look(const std::vector<PinnedStack>& pins) {
    std::size_t look = 0;
    const auto taken = [&](const PinnedStack& pin) { return pin.look == look; };
    while (std::any_of(pins.begin(), pins.end(), taken)) ++look;
    return look;
}

FlowSetup default_flow() {
    FlowSetup setup;
    setup.stack.tokens = 32;
    return setup;
}

SublayerWords sublayer_words(SublayerKind kind) {
    switch (kind) {
    case SublayerKind::linear:
        return {"linear", "Linear"};
    case SublayerKind::tanh:
        return {"tanh", "tanh"};
    case SublayerKind::relu:
        return {"ReLU", "ReLU"};
    case SublayerKind::ffn:
        return {"FFN", "FFN"};
    case SublayerKind::attention:
        return {"attention", "Attn"};
    case SublayerKind::encoder:
        return {"encoder", "Enc"};
    }
    return {};
}

std::string norm_name(const StackConfig& c) {
    const NormEntry& norm = norm_entry(c.norm);
    if (c.placement == Placement::deepnorm)
        return c.norm == k_usual_norm ? std::string("DeepNorm")
               : norm.normalizes()    ? "DeepNorm-" + std::string(norm.short_name)
                                      : std::string("DeepNorm without a norm:");
    if (!norm.normalizes()) return "Plain";
    const char* const where = c.placement == Placement::pre    ? "Pre-"
                              : c.placement == Placement::peri ? "Peri-"
                                                               : "Post-";
    return where + std::string(norm.short_name);
}

std::string stack_name(const StackConfig& c) {
    std::string name = norm_name(c) + ' ';
    name += sublayer_words(c.sublayer).in_text;
    if (c.skip == Residual::no_skip)
        name += ", no skip";
    else if (c.trunk_scale != 1)
        name += fmt::format(", λ = {:.3g}", c.trunk_scale);
    if (c.branch_scale != 1) name += fmt::format(", α = {:.3g}", c.branch_scale);
    if (c.gamma != 1) name += fmt::format(", γ = {:.3g}", c.gamma);
    if (c.beta != 0) name += fmt::format(", β = {:.3g}", c.beta);
    if (!c.block_affine.empty()) name += ", blocks with their own γ, β";
    if (c.init.gain != 1) name += fmt::format(", gain {:.3g}", c.init.gain);
    if (c.loss == StackLoss::cross_entropy) name += ", cross-entropy";
    return name + fmt::format(", {} block{}", c.blocks, c.blocks == 1 ? "" : "s");
}

bool places_no_norm(const StackConfig& c) {
    return !norm_entry(c.norm).normalizes() &&
           (c.placement == Placement::pre || c.placement == Placement::peri);
}

bool enlarges_no_skip(const StackConfig& c) {
    return c.placement == Placement::deepnorm && c.skip == Residual::no_skip;
}

bool scales_skip(const StackConfig& c) {
    return c.skip == Residual::add &&
           (c.trunk_scale * own_trunk_scale(c) != 1 || c.branch_scale != 1);
}

double stack_bytes(const StackConfig& c) {
    const auto d = static_cast<double>(c.width);
    const auto t = static_cast<double>(c.tokens);
    const bool attention =
        c.sublayer == SublayerKind::attention || c.sublayer == SublayerKind::encoder;
    const bool ffn = c.sublayer == SublayerKind::ffn || c.sublayer == SublayerKind::encoder;
    double values = 0;
    // Each sublayer keeps x, the branch and x̂, besides what its own backward reads.
    if (attention) values += 4 * d * d + t * (8 * d + static_cast<double>(c.heads) * t);
    if (ffn) values += 2 * d * d * c.ffn_mult + t * d * (4 + 2 * c.ffn_mult);
    if (!attention && !ffn) values += d * d + 5 * t * d;
    values *= c.blocks;
    if (c.loss == StackLoss::cross_entropy)
        values += static_cast<double>(c.vocabulary) * (d + 2 * t);
    return 4 * values;
}

Result<void> check(const StackConfig& c) {
    const NormEntry& norm = norm_entry(c.norm);
    const bool over_tokens = norm.shares == Shares::feature;
    const Index least_tokens = over_tokens ? norm.fewest_values() : 1;
    for (const auto& ok :
         {bounded("The number of blocks", c.blocks, 1, k_most_blocks,
                  "the command “normscope flow” takes deeper stacks"),
          bounded("The width", c.width, 1, k_widest_stack,
                  "the command “normscope flow” takes wider stacks"),
          bounded("The number of tokens", c.tokens, least_tokens, k_most_stack_tokens,
                  over_tokens ? fmt::format("{} norm takes its statistics over tokens", norm.id)
                              : "the command “normscope flow” takes longer sequences"),
          check_config(c), check_numbers(c)})
        if (!ok) return ok;
    if (const double bytes = stack_bytes(c); bytes > k_most_stack_bytes)
        return fail(fmt::format("This stack would take about {:.1f} GB and at most {:.0f} GB are "
                                "used; take fewer blocks, tokens or heads, or a smaller width",
                                bytes / 1e9, k_most_stack_bytes / 1e9));
    return {};
}

Result<void> check(const FlowSetup& setup) {
    if (auto ok = check(setup.stack); !ok) return ok;
    if (auto ok = bounded("The number of seeds", setup.seeds, 1, k_most_flow_seeds,
                          "the command “normscope flow” takes more");
        !ok)
        return ok;
    if (setup.pinned->size() > k_most_pinned)
        return fail(
            fmt::format("{} stacks are pinned; at most {} can be compared: remove one first",
                        setup.pinned->size(), k_most_pinned));
    for (const PinnedStack& pin : *setup.pinned) {
        if (const auto ok = check(pin.stack); !ok)
            return fail(fmt::format("The pinned stack “{}”: {}", pin.name, ok.error().message));
        if (pin.look >= k_most_pinned)
            return fail(fmt::format("The pinned stack “{}” has look {}: expected 0 to {}", pin.name,
                                    pin.look, k_most_pinned - 1));
    }
    return {};
}

} // namespace normscope
