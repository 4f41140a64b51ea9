#include "app/model/flow/flow_stories.h"

#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <string_view>

namespace normscope {

namespace {

constexpr std::ptrdiff_t k_short = 3; // settings that a row has room for

// One setting of a stack in few words, and whether it is the default stack's.
struct Trait {
    std::string text;
    bool usual;
};

std::string norm_word(const StackConfig& c) {
    if (norm_entry(c.norm).normalizes()) return norm_name(c.norm, c.placement);
    return std::string(
        tr(c.placement == Placement::deepnorm ? "DeepNorm without a norm" : "no norm"));
}

enum class Digits : std::uint8_t { legible, all };

// "β 0.5".
std::string number_word(std::string_view symbol, double value, Digits digits) {
    return digits == Digits::legible ? fmt::format("{} {:.3g}", symbol, value)
                                     : fmt::format("{} {}", symbol, value);
}

std::string own_affine_word(const StackConfig& c, Digits digits) {
    if (c.block_affine.empty()) return std::string(tr("one γ, β"));
    if (c.block_affine.size() > 1) return worded("own γ, β in {} blocks", c.block_affine.size());
    const BlockAffine& own = c.block_affine.front();
    std::vector<std::string> words;
    if (own.gamma != c.gamma) words.push_back(number_word("γ", own.gamma, digits));
    if (own.beta != c.beta) words.push_back(number_word("β", own.beta, digits));
    return worded("{} in block {}", fmt::format("{}", fmt::join(words, " ")), own.block + 1);
}

// The traits of a stack, in the same order for every stack: kinds before sizes.
std::vector<Trait> traits_of(const StackConfig& c, Digits digits) {
    const StackConfig usual = default_flow().stack;
    std::vector<Trait> out;
    const auto add = [&](std::string_view text, bool same) {
        out.push_back({std::string(text), same});
    };
    const auto value = [&](std::string_view symbol, auto now, auto of_default) {
        add(number_word(symbol, static_cast<double>(now), digits), now == of_default);
    };
    add(norm_word(c), c.norm == usual.norm && c.placement == usual.placement);
    add(sublayer_words(c.sublayer).in_text, c.sublayer == usual.sublayer);
    add(c.skip == Residual::no_skip ? tr("no skip") : tr("skip"), c.skip == usual.skip);
    value("β", c.beta, usual.beta);
    value("γ", c.gamma, usual.gamma);
    add(own_affine_word(c, digits), c.block_affine == usual.block_affine);
    value("λ", c.trunk_scale, usual.trunk_scale);
    value("α", c.branch_scale, usual.branch_scale);
    value("L", c.blocks, usual.blocks);
    value(tr("gain"), c.init.gain, usual.init.gain);
    add(tr(label_of(c.init.init)), c.init.init == usual.init.init);
    value("s", c.init.std, usual.init.std);
    value("d", c.width, usual.width);
    value("G", c.norm.groups, usual.norm.groups);
    value("T", c.tokens, usual.tokens);
    value("FFN ×", c.ffn_mult, usual.ffn_mult);
    value(tr("heads"), c.heads, usual.heads);
    add(c.activation == Activation::gelu ? "GELU" : tr("ReLU in FFN"),
        c.activation == usual.activation);
    add(c.mask == Mask::causal ? tr("causal") : tr("no mask"), c.mask == usual.mask);
    add(c.loss == StackLoss::cross_entropy ? tr("cross-entropy") : tr("readout"),
        c.loss == usual.loss);
    value(tr("vocabulary"), c.vocabulary, usual.vocabulary);
    value("ε", c.eps, usual.eps);
    add(worded("seed {}", c.seed), c.seed == usual.seed);
    return out;
}

std::string capital(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

// The traits that are wanted, as a name; empty: none is wanted.
template<class Wanted>
std::string name_of(const std::vector<Trait>& traits, Wanted&& wanted) {
    std::vector<std::string> words;
    for (const auto i : indices(traits))
        if (wanted(i)) words.push_back(traits[i].text);
    return capital(fmt::format("{}", fmt::join(words, ", ")));
}

// The names to choose from, first the one that says most in few words.
std::vector<std::string> candidates(const StackConfig& stack, std::span<const PinnedStack> pins,
                                    Digits digits) {
    const std::vector<Trait> traits = traits_of(stack, digits);
    const auto many = std::ranges::count(traits, false, &Trait::usual);
    if (many == 0) return {stack_name(stack)};
    // The unusual settings, and the norm, which one looks for first.
    const auto unusual = [&](std::size_t i) { return i == 0 || !traits[i].usual; };
    std::vector<std::string> names;
    if (many > k_short && !pins.empty()) {
        // Settings in which some pinned stack differs from this one.
        std::vector<bool> differs(traits.size(), false);
        for (const PinnedStack& pin : pins) {
            const std::vector<Trait> others = traits_of(pin.stack, digits);
            for (const auto i : indices(traits))
                differs[i] = differs[i] || others[i].text != traits[i].text;
        }
        names.push_back(name_of(traits, [&](std::size_t i) { return unusual(i) && differs[i]; }));
        names.push_back(name_of(traits, [&](std::size_t i) { return differs[i]; }));
    }
    names.push_back(name_of(traits, unusual));
    return names;
}

// A name that none of `taken` is, unless the stack is one of `pins` already: its norm and what
// makes it another than the default stack ("Pre-LN, β 0.5, L 24"); of many such settings those that
// not all pins have alike, where that tells it from them. Else a number stands behind it ("(2)").
std::string derived_name(const StackConfig& stack, std::span<const PinnedStack> pins,
                         const std::vector<std::string>& taken) {
    const auto is_taken = [&](const std::string& name) { return find_in(taken, name) != nullptr; };
    const bool is_new = !find_in(pins, stack, &PinnedStack::stack);
    std::string name;
    for (const Digits digits : {Digits::legible, Digits::all})
        for (const std::string& one : candidates(stack, pins, digits)) {
            if (name.empty()) name = one;
            if (is_new && !one.empty() && !is_taken(one)) return one;
        }
    std::string own = name;
    for (int n = 2; is_taken(own); ++n) own = fmt::format("{} ({})", name, n);
    return own;
}

} // namespace

std::vector<std::string> stack_names(const FlowSetup& setup) {
    std::vector<PinnedStack> stacks = *setup.pinned;
    for (PinnedStack& pin : stacks)
        if (is_of_a_story(pin)) pin.name = tr(pin.name);
    stacks.push_back({{}, setup.stack});
    const StackConfig usual = default_flow().stack;
    std::vector<std::string> names;
    for (const auto i : indices(stacks)) {
        StackConfig& stack = stacks[i].stack;
        if (setup.linked_affine) { // listed_names() says them
            stack.gamma = usual.gamma;
            stack.beta = usual.beta;
        }
        names.push_back(stacks[i].name.empty()
                            ? derived_name(stack, std::span(stacks).first(i), names)
                            : stacks[i].name);
    }
    return names;
}

std::vector<std::string> listed_names(const FlowSetup& setup) {
    std::vector<std::string> names = stack_names(setup);
    names.pop_back();
    if (!setup.linked_affine) return names;
    for (const auto i : indices(names)) {
        const StackConfig& stack = (*setup.pinned)[i].stack;
        if (stack.gamma != default_flow().stack.gamma)
            names[i] += ", " + number_word("γ", stack.gamma, Digits::legible);
        names[i] += ", " + number_word("β", stack.beta, Digits::legible);
    }
    return names;
}

std::string stack_details(const StackConfig& c) {
    const std::string weights = c.init.init == Init::normal
                                    ? fmt::format("N(0, {:.3g}²)", c.init.std)
                                    : std::string(tr(label_of(c.init.init)));
    return c.tokens == 1 ? worded("width {}, {} token, weights {}, seed {}", c.width, c.tokens,
                                  weights, c.seed)
                         : worded("width {}, {} tokens, weights {}, seed {}", c.width, c.tokens,
                                  weights, c.seed);
}

} // namespace normscope
