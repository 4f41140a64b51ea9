#include "app/model/flow/flow_stories.h"

#include "app/language/language.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
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

template<class F>
auto in_english(const F& say) {
    const InEnglish as_kept;
    return say();
}

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

// In the same order for every stack: what a thing is before how large it is.
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
    for (std::size_t i = 0; i < traits.size(); ++i)
        if (wanted(i)) words.push_back(traits[i].text);
    return capital(fmt::format("{}", fmt::join(words, ", ")));
}

bool is_taken(const std::string& name, const std::vector<PinnedStack>& pins) {
    return std::ranges::find(pins, name, &PinnedStack::name) != pins.end();
}

// Where a name has a setting's words as one of its own: "β 2", but not in "β 25".
std::size_t find_word(std::string_view name, std::string_view word) {
    constexpr std::string_view k_ends = " ,)";
    for (std::size_t at = name.find(word); at != std::string_view::npos;
         at = name.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || name[at - 1] == ' ';
        const bool ends = end == name.size() || k_ends.find(name[end]) != std::string_view::npos;
        if (begins && ends) return at;
    }
    return std::string_view::npos;
}

// What the names offer, the one that says most in few words first.
std::vector<std::string> candidates(const StackConfig& stack, const std::vector<PinnedStack>& pins,
                                    Digits digits) {
    const std::vector<Trait> traits = traits_of(stack, digits);
    const auto many = std::ranges::count(traits, false, &Trait::usual);
    if (many == 0) return {stack_name(stack)};
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
    if (many > k_short && !pins.empty()) {
        names.push_back(name_of(traits, [&](std::size_t i) { return unusual(i) && differs[i]; }));
        names.push_back(name_of(traits, [&](std::size_t i) { return differs[i]; }));
    }
    names.push_back(name_of(traits, unusual));
    return names;
}

// What pin_name() puts behind a name that is taken: " (2)".
bool is_count(std::string_view text) {
    constexpr std::string_view k_begin = " (", k_end = ")";
    return text.size() > k_begin.size() + k_end.size() && text.starts_with(k_begin) &&
           text.ends_with(k_end) &&
           text.find_first_not_of("0123456789", k_begin.size()) == text.size() - k_end.size();
}

// The name in the language that is spoken, where pin_name() made it of the stack's traits.
std::optional<std::string> said_traits(const PinnedStack& pin, Digits digits) {
    const auto kept = in_english([&] { return traits_of(pin.stack, digits); });
    std::vector<bool> named(kept.size(), false);
    std::string_view rest = pin.name;
    bool any = false, ended = false;
    for (std::size_t i = 0; i < kept.size() && !ended; ++i) {
        const std::string word = any ? kept[i].text : capital(kept[i].text);
        if (!rest.starts_with(word)) continue;
        const std::string_view behind = rest.substr(word.size());
        const bool goes_on = behind.starts_with(", ");
        ended = behind.empty() || is_count(behind);
        if (!goes_on && !ended) continue;
        named[i] = any = true;
        rest = goes_on ? behind.substr(2) : behind;
    }
    if (!ended) return std::nullopt;
    return name_of(traits_of(pin.stack, digits), [&](std::size_t i) { return named[i]; }) +
           std::string(rest);
}

} // namespace

std::string spoken_name(const PinnedStack& pin) {
    if (is_of_a_story(pin)) return std::string(tr(pin.name));
    const std::string whole = in_english([&] { return stack_name(pin.stack); });
    if (pin.name.starts_with(whole)) {
        const std::string behind = pin.name.substr(whole.size());
        if (behind.empty() || is_count(behind)) return stack_name(pin.stack) + behind;
    }
    for (const Digits digits : {Digits::legible, Digits::all})
        if (auto said = said_traits(pin, digits)) return *std::move(said);
    return pin.name;
}

std::string pin_name(const StackConfig& stack, const std::vector<PinnedStack>& pins) {
    const InEnglish as_kept;
    const bool is_new = std::ranges::find(pins, stack, &PinnedStack::stack) == pins.end();
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

std::string moved_name(const std::string& name, const StackConfig& before,
                       const StackConfig& after) {
    std::string out = name;
    const auto follow = [&](std::string_view symbol, double from, double to) {
        for (const Digits digits : {Digits::legible, Digits::all}) {
            const std::string word = number_word(symbol, from, digits);
            const std::size_t at = find_word(out, word);
            if (at == std::string::npos) continue;
            out.replace(at, word.size(), number_word(symbol, to, digits));
            return;
        }
    };
    follow("γ", before.gamma, after.gamma);
    follow("β", before.beta, after.beta);
    return out;
}

std::string listed_name(const PinnedStack& pin, bool linked_affine) {
    std::string name = spoken_name(pin);
    if (!linked_affine) return name;
    const auto say = [&](std::string_view symbol, double value) {
        const std::string word = number_word(symbol, value, Digits::legible);
        if (find_word(name, word) == name.npos &&
            find_word(name, number_word(symbol, value, Digits::all)) == name.npos)
            name += ", " + word;
    };
    if (pin.stack.gamma != default_flow().stack.gamma) say("γ", pin.stack.gamma);
    say("β", pin.stack.beta);
    return name;
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
