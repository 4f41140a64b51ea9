#include "app/document/pin_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace normscope {

namespace {

constexpr std::size_t k_short = 3; // settings that a row has room for

// One setting of a stack in few words, and whether it is the default stack's.
struct Trait {
    std::string text;
    bool usual;
};

std::string norm_word(const StackConfig& c) {
    if (c.norm != NormKind::none) return norm_name(c);
    return c.placement == Placement::deepnorm ? "DeepNorm without a norm" : "no norm";
}

std::string_view init_word(Init init) {
    for (const InitEntry& entry : init_table())
        if (entry.init == init) return entry.label;
    return "";
}

enum class Digits : std::uint8_t { legible, all };

std::string number(double value, Digits digits) {
    return digits == Digits::legible ? fmt::format("{:.3g}", value) : fmt::format("{}", value);
}

std::string own_affine_word(const StackConfig& c, Digits digits) {
    if (c.block_affine.empty()) return "one γ, β";
    if (c.block_affine.size() > 1)
        return fmt::format("own γ, β in {} blocks", c.block_affine.size());
    const BlockAffine& own = c.block_affine.front();
    std::vector<std::string> words;
    if (own.gamma != c.gamma) words.push_back("γ " + number(own.gamma, digits));
    if (own.beta != c.beta) words.push_back("β " + number(own.beta, digits));
    return fmt::format("{} in block {}", fmt::join(words, " "), own.block + 1);
}

// In the same order for every stack: what a thing is before how large it is.
std::vector<Trait> traits_of(const StackConfig& c, Digits digits) {
    const StackConfig usual = default_flow().stack;
    std::vector<Trait> out;
    const auto add = [&](std::string text, bool same) { out.push_back({std::move(text), same}); };
    const auto value = [&](std::string_view symbol, auto now, auto of_default) {
        add(fmt::format("{} {}", symbol, number(static_cast<double>(now), digits)),
            now == of_default);
    };
    add(norm_word(c), c.norm == usual.norm && c.placement == usual.placement);
    add(std::string(sublayer_words(c.sublayer).in_text), c.sublayer == usual.sublayer);
    add(c.skip == Residual::no_skip ? "no skip" : "skip", c.skip == usual.skip);
    value("β", c.beta, usual.beta);
    value("γ", c.gamma, usual.gamma);
    add(own_affine_word(c, digits), c.block_affine == usual.block_affine);
    value("λ", c.trunk_scale, usual.trunk_scale);
    value("α", c.branch_scale, usual.branch_scale);
    value("L", c.blocks, usual.blocks);
    value("gain", c.init.gain, usual.init.gain);
    add(std::string(init_word(c.init.init)), c.init.init == usual.init.init);
    value("s", c.init.std, usual.init.std);
    value("d", c.width, usual.width);
    value("T", c.tokens, usual.tokens);
    value("FFN ×", c.ffn_mult, usual.ffn_mult);
    value("heads", c.heads, usual.heads);
    add(c.activation == Activation::gelu ? "GELU" : "ReLU in FFN",
        c.activation == usual.activation);
    add(c.mask == Mask::causal ? "causal" : "no mask", c.mask == usual.mask);
    add(c.loss == StackLoss::cross_entropy ? "cross-entropy" : "readout", c.loss == usual.loss);
    value("vocabulary", c.vocabulary, usual.vocabulary);
    value("ε", c.eps, usual.eps);
    add(fmt::format("seed {}", c.seed), c.seed == usual.seed);
    return out;
}

// The traits that are wanted, as a name; empty: none is wanted.
template<class Wanted>
std::string name_of(const std::vector<Trait>& traits, Wanted&& wanted) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < traits.size(); ++i)
        if (wanted(i)) words.push_back(traits[i].text);
    std::string name = fmt::format("{}", fmt::join(words, ", "));
    if (!name.empty() && name.front() >= 'a' && name.front() <= 'z')
        name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name;
}

bool is_taken(const std::string& name, const std::vector<PinnedStack>& pins) {
    return std::any_of(pins.begin(), pins.end(),
                       [&](const PinnedStack& pin) { return pin.name == name; });
}

// What the names offer, the one that says most in few words first.
std::vector<std::string> candidates(const StackConfig& stack, const std::vector<PinnedStack>& pins,
                                    Digits digits) {
    const std::vector<Trait> traits = traits_of(stack, digits);
    if (std::all_of(traits.begin(), traits.end(), [](const Trait& trait) { return trait.usual; }))
        return {stack_name(stack)};
    // And its norm, which one looks for first.
    const auto unusual = [&](std::size_t i) { return i == 0 || !traits[i].usual; };
    // Settings that not all of them have as this one has them.
    std::vector<bool> differs(traits.size(), false);
    for (const PinnedStack& pin : pins) {
        const std::vector<Trait> others = traits_of(pin.stack, digits);
        for (std::size_t i = 0; i < traits.size(); ++i)
            differs[i] = differs[i] || others[i].text != traits[i].text;
    }
    std::vector<std::string> names;
    const auto many = std::count_if(traits.begin(), traits.end(),
                                    [](const Trait& trait) { return !trait.usual; });
    if (static_cast<std::size_t>(many) > k_short && !pins.empty()) {
        names.push_back(name_of(traits, [&](std::size_t i) { return unusual(i) && differs[i]; }));
        names.push_back(name_of(traits, [&](std::size_t i) { return differs[i]; }));
    }
    names.push_back(name_of(traits, unusual));
    return names;
}

} // namespace

std::string pin_name(const StackConfig& stack, const std::vector<PinnedStack>& pins) {
    const bool is_new = std::none_of(pins.begin(), pins.end(),
                                     [&](const PinnedStack& pin) { return pin.stack == stack; });
    std::string name;
    for (const Digits digits : {Digits::legible, Digits::all})
        for (const std::string& one : candidates(stack, pins, digits)) {
            if (name.empty()) name = one;
            if (is_new && !one.empty() && !is_taken(one, pins)) return one;
        }
    std::string own = name;
    for (int n = 2; is_taken(own, pins); ++n) own = fmt::format("{} ({})", name, n);
    return own;
}

} // namespace normscope
