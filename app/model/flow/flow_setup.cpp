#include "app/model/flow/flow_setup.h"

#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

Wording whose_affine(const FlowSetup& /*before*/, const FlowSetup& after) {
    return wording("{}", after.linked_affine ? "One γ, β for all stacks" : "γ, β of each stack");
}

constexpr Bounds k_any_count{0, std::numeric_limits<std::int32_t>::max()};

bool draws_otherwise(const StackConfig& c) {
    return c.init.init != Init::normal && c.init.std == InitRule{}.std;
}

void sublayer_look(const StackConfig& c, FieldLook& look) {
    look.hints = {"W·x",
                  "tanh(W·x)",
                  "W·relu(x)",
                  c.activation == Activation::gelu ? "Two matrices with a GELU between them"
                                                   : "Two matrices with a ReLU between them",
                  "Multi-head self-attention",
                  "Attention, then FFN, each with its own Add & Norm"};
}

// The norms by their short names, first the one that normalizes nothing.
FieldLook short_norms() {
    std::vector<NormEntry> norms(k_norms.begin(), k_norms.end());
    std::ranges::rotate(norms, std::ranges::find(norms, Shares::nothing, &NormEntry::shares));
    FieldLook look{.row = "Norm"};
    for (const NormEntry& norm : norms) {
        look.choices.push_back({norm.id, norm.normalizes() ? norm.short_name : norm.label});
        look.hints.push_back(norm.label);
    }
    return look;
}

void trunk_look(const StackConfig& c, FieldLook& look) {
    if (c.skip == Residual::no_skip) look.instead = "there is no skip";
}

constexpr Index k_usual_tokens = 32;

} // namespace

template<>
std::span<const Field<FlowSetup>> fields() {
    using S = FlowSetup;
    static const Field<S> rows[] = {
        field<&S::seeds>("seeds", "Seeds", {1, k_most_flow_seeds},
                         {.way_out = "the command “normscope flow” takes more",
                          .look = {.track = Track::counted,
                                   .lo = 1,
                                   .hi = k_most_flow_seeds,
                                   .hint = "This many runs: the line is their mean, the band their "
                                           "least and most"}}),
        field<&S::linked_affine>(
            "linked_affine", "One γ, β", {}, {},
            {.told = whose_affine, .unsaid = [](const S& s) { return !s.linked_affine; }}),
    };
    constexpr std::size_t k_stacks = 2; // the present one and the pinned ones
    static_assert(std::size(rows) + k_stacks == member_count<S>());
    return rows;
}

template<>
std::span<const Field<StackConfig>> fields() {
    using S = StackConfig;
    static const Field<S> rows[] = {
        field<&S::blocks>("blocks", "Blocks", {1, k_most_blocks},
                          {.way_out = "the command “normscope flow” takes deeper stacks",
                           .help = "Blocks of the stack",
                           .command_most = 1024,
                           .look = {.track = Track::counted,
                                    .lo = 1,
                                    .hi = k_most_blocks,
                                    .hint = "Residual blocks, L"}}),
        field<&S::width>("width", "Width", {1, k_widest_stack},
                         {.way_out = "the command “normscope flow” takes wider stacks",
                          .help = "Features of a token",
                          .command_most = 8192,
                          .look = {.row = "Width d",
                                   .track = Track::listed,
                                   .steps = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512},
                                   .hint = "Features of a token"}}),
        field<&S::tokens>("tokens", "Tokens", {1, k_most_stack_tokens},
                          {.way_out = "the command “normscope flow” takes longer sequences",
                           .help = "Tokens of the sequence",
                           .command_most = 8192,
                           .look = {.track = Track::listed,
                                    .steps = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512},
                                    .reset = k_usual_tokens,
                                    .hint = "Tokens of the sequence"}}),
        field<&S::sublayer>("sublayer", "Sublayer", {}, {.help = "The branch of a block"},
                            {.look = sublayer_look}),
        field<&S::ffn_mult>("ffn_mult", "Feed-forward factor", k_any_count,
                            {.help = "Hidden features of the feed-forward layer, in widths"}),
        field<&S::heads>("heads", "Heads", k_any_count,
                         {.help = "Heads of attention; they divide the width"}),
        field<&S::activation>("activation", "Activation", {},
                              {.choices = {{"relu", "ReLU"}, {"gelu", "GELU"}}}),
        field<&S::mask>("mask", "Mask"),
        norm_row<S>("Norm of the stack", short_norms()),
        groups_row<S>("Groups", k_widest_stack, 8192),
        field<&S::placement>(
            "placement", "Placement", {},
            {.help = "Where the norm stands",
             .look = {.hints = {"norm(x + F(x))", "x + F(norm(x)), and a final norm",
                                "norm(αx + F(x)), α = (2L)^¼, smaller weights in the branch",
                                "x + norm(F(norm(x))), and a final norm"}}}),
        field<&S::skip>("skip", "Skip", {},
                        {.help = "What goes around the branch",
                         .choices = {{"add", "Add"}, {"none", "None"}},
                         .look = {.hints = {"λx + α·F(x)", "F(x) alone"}}}),
        field<&S::trunk_scale>(
            "trunk_scale", "Trunk scale λ", {},
            {.help = "λ of λx + αF(x)",
             .look = {.row = "Skip · λ", .track = Track::linear, .hi = 1.5, .hint = "λx + F(x)"}},
            {.look = trunk_look}),
        field<&S::branch_scale>(
            "branch_scale", "Branch scale α", {},
            {.help = "α of λx + αF(x)",
             .look = {.row = "F(x) · α", .track = Track::linear, .hi = 2, .hint = "x + α·F(x)"}}),
        field<&S::init, &InitRule::init>(
            "init", "Weights", {},
            {.help = "How the weights are drawn",
             .look = {.choices = {{"xavier-normal", "Xavier"},
                                  {"xavier-uniform", "uniform"},
                                  {"he-normal", "He"},
                                  {"normal", "N(0,s²)"}},
                      .hints = {"Xavier normal: N(0, 2/(fan in + fan out))",
                                "Xavier uniform: the same variance", "He normal: N(0, 2/fan in)",
                                "N(0, 0.02²), as in GPT-2"}}}),
        field<&S::init, &InitRule::gain>(
            "gain", "Gain", {},
            {.help = "Multiplies every weight",
             .look = {.track = Track::logarithmic,
                      .lo = 0.05,
                      .hi = 5,
                      .hint = "Multiplies every weight as it is drawn"}}),
        field<&S::init, &InitRule::std>("std", "Standard deviation of the weights", {}, {},
                                        {.unsaid = draws_otherwise}),
        field<&S::gamma>("gamma", "γ of all blocks", {}, {.help = "γ of every block"}),
        field<&S::beta>("beta", "β of all blocks", {}, {.help = "β of every block"}),
        field<&S::eps>("eps", "ε of the stack", {0}),
        field<&S::loss>("loss", "Loss", {},
                        {.help = "What stands above the stack",
                         .look = {.hints = {"Σ R⊙y: a gradient of norm 1 at the top",
                                            "Over a vocabulary, one random target a token"}}}),
        field<&S::vocabulary>("vocab", "Vocabulary", k_any_count,
                              {.help = "Classes of the cross-entropy"}),
        field<&S::seed>("seed", "Seed", k_any_seed,
                        {.look = {.hint = "Of the weights and the input: click to type",
                                  .next_hint = "Other weights and another input"}}),
    };
    constexpr std::size_t k_lists = 1; // the blocks' own γ and β
    static_assert(std::size(rows) + k_lists ==
                  member_count<S>() - 2 + member_count<InitRule>() + k_norm_settings);
    return rows;
}

template<>
std::span<const Field<BlockAffine>> fields() {
    using S = BlockAffine;
    static const Field<S> rows[] = {
        field<&S::block>("block", "Block", {0}),
        field<&S::gamma>("gamma", "γ"),
        field<&S::beta>("beta", "β"),
    };
    static_assert(std::size(rows) == member_count<S>());
    return rows;
}

FlowSetup default_flow() {
    FlowSetup setup;
    setup.stack.tokens = k_usual_tokens;
    return setup;
}

SublayerWords sublayer_words(SublayerKind kind) {
    const SublayerWords words[] = {{tr("linear"), "Linear"},  {"tanh", "tanh"},
                                   {"ReLU", "ReLU"},          {"FFN", "FFN"},
                                   {tr("attention"), "Attn"}, {tr("encoder"), "Enc"}};
    return entry_at(words, kind);
}

std::string norm_name(const Norm& norm, Placement placement) {
    const NormEntry& entry = norm_entry(norm);
    if (placement == Placement::deepnorm)
        return norm == k_usual_norm ? std::string("DeepNorm")
               : entry.normalizes() ? "DeepNorm-" + std::string(entry.short_name)
                                    : worded("DeepNorm without a norm:");
    if (!entry.normalizes()) return "Plain";
    const char* const where = placement == Placement::pre    ? "Pre-"
                              : placement == Placement::peri ? "Peri-"
                                                             : "Post-";
    return where + std::string(entry.short_name);
}

std::string stack_name(const StackConfig& c) {
    std::string name = norm_name(c.norm, c.placement) + ' ';
    name += sublayer_words(c.sublayer).in_text;
    if (c.skip == Residual::no_skip)
        name = worded("{}, no skip", name);
    else if (c.trunk_scale != 1)
        name += fmt::format(", λ = {:.3g}", c.trunk_scale);
    if (c.branch_scale != 1) name += fmt::format(", α = {:.3g}", c.branch_scale);
    if (c.gamma != 1) name += fmt::format(", γ = {:.3g}", c.gamma);
    if (c.beta != 0) name += fmt::format(", β = {:.3g}", c.beta);
    if (!c.block_affine.empty()) name = worded("{}, blocks with their own γ, β", name);
    if (c.init.gain != 1) name = worded("{}, gain {:.3g}", name, c.init.gain);
    if (c.loss == StackLoss::cross_entropy) name = worded("{}, cross-entropy", name);
    return name + ", " +
           (c.blocks == 1 ? worded("{} block", c.blocks) : worded("{} blocks", c.blocks));
}

bool scales_skip(const StackConfig& c) {
    return c.skip == Residual::add &&
           (c.trunk_scale * own_trunk_scale(c) != 1 || c.branch_scale != 1);
}

double stack_bytes(const StackConfig& c) {
    const auto d = static_cast<double>(c.width);
    const auto t = static_cast<double>(c.tokens);
    const bool attention = has_attention(c.sublayer);
    const bool ffn = has_ffn(c.sublayer);
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

// check_config() bounds the heads, the feed-forward factor and the vocabulary where they are used.
Result<void> check(const StackConfig& c) {
    TRY(check_fields(c));
    const NormEntry& norm = norm_entry(c.norm);
    if (norm.shares == Shares::feature && c.tokens < norm.fewest_values())
        return fail("Tokens must be {} or more, but it is {}; {} norm takes its "
                    "statistics over tokens",
                    norm.fewest_values(), c.tokens, norm.id);
    for (const BlockAffine& own : c.block_affine)
        if (const auto ok = check_fields(own); !ok)
            return fail("Block {}: {}", own.block + 1, ok.error());
    TRY(check_config(c));
    if (const double bytes = stack_bytes(c); bytes > k_most_stack_bytes)
        return fail(worded("This stack would take about {:.1f} GB and at most {:.0f} GB are "
                           "used; take fewer blocks, tokens or heads, or a smaller width",
                           bytes / 1e9, k_most_stack_bytes / 1e9));
    return {};
}

Result<void> check(const FlowSetup& setup) {
    TRY(check_fields(setup));
    TRY(check(setup.stack));
    if (setup.pinned->size() > k_most_pinned)
        return fail("{} stacks are pinned; at most {} can be compared: remove one first",
                    setup.pinned->size(), k_most_pinned);
    for (const auto i : indices(*setup.pinned)) {
        const PinnedStack& pin = (*setup.pinned)[i];
        if (const auto ok = check(pin.stack); !ok)
            return fail("The pinned stack “{}”: {}", stack_names(setup)[i], ok.error());
        if (pin.look >= k_most_pinned)
            return fail("The pinned stack “{}” has look {}: expected 0 to {}",
                        stack_names(setup)[i], pin.look, k_most_pinned - 1);
    }
    return {};
}

} // namespace normscope
