#include "app/cli/stack_options.h"

#include "app/cli/options.h"
#include "core/norm/normalize.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr std::string_view k_group = "Stack";

struct Definer {
    CLI::App& app;
    StackOptions& options;
    const std::optional<StackConfig>& defaults;

    // One of `table`, each entry of which has an id; `set` gets the entry that was chosen.
    template<class Table, class Set>
    CLI::Option* choice(const std::string& name, const Table& table, const std::string& about,
                        Set set) const {
        std::vector<std::string> ids;
        for (const auto& entry : table) ids.emplace_back(entry.id);
        return app
            .add_option_function<std::string>(
                name,
                [&said = options.said, table, set](const std::string& id) {
                    for (const auto& entry : table)
                        if (entry.id == id)
                            said.push_back([entry, set](StackConfig& c) { set(c, entry); });
                },
                about)
            ->check(CLI::IsMember(ids))
            ->group(std::string(k_group));
    }

    template<class Set>
    CLI::Option* number(const std::string& name, double lo, double hi, const std::string& about,
                        Set set) const {
        return add_number(
                   app, name,
                   [&said = options.said, set](double value) {
                       said.push_back([value, set](StackConfig& c) { set(c, value); });
                   },
                   NumberRange{lo, hi}, about)
            ->group(std::string(k_group));
    }

    template<class Set>
    CLI::Option* whole(const std::string& name, int lo, int hi, const std::string& about,
                       Set set) const {
        return add_whole(
                   app, name,
                   [&said = options.said, set](std::int64_t value) {
                       said.push_back(
                           [n = static_cast<int>(value), set](StackConfig& c) { set(c, n); });
                   },
                   {static_cast<double>(lo), static_cast<double>(hi)}, about)
            ->group(std::string(k_group));
    }

    // What the help text says the value is when nothing is said.
    template<class Value>
    void usual(CLI::Option* option, Value&& value) const {
        if (defaults) option->default_str(fmt::format("{}", value(*defaults)));
    }
};

struct SkipChoice {
    Residual value;
    std::string_view id;
};
constexpr SkipChoice k_skips[] = {{Residual::add, "add"}, {Residual::no_skip, "none"}};

template<class E>
std::string id_of(std::span<const NamedChoice<E>> table, E value) {
    for (const auto& entry : table)
        if (entry.value == value) return std::string(entry.id);
    return {};
}

} // namespace

StackConfig StackOptions::applied_to(StackConfig config) const {
    for (const auto& set : said) set(config);
    return config;
}

void define_stack_options(CLI::App& app, StackOptions& options, const StackOptionsSpec& spec) {
    const Definer d{app, options, spec.defaults};
    constexpr double most = 1e9;
    d.usual(d.whole("--blocks", 1, 1024, "Blocks of the stack",
                    [](StackConfig& c, int v) { c.blocks = v; }),
            [](const StackConfig& c) { return c.blocks; });
    d.usual(d.whole(spec.width, 1, 8192, "Features of a token",
                    [](StackConfig& c, int v) { c.width = v; }),
            [](const StackConfig& c) { return c.width; });
    d.usual(d.whole("--tokens", 1, 8192, "Tokens of the sequence",
                    [](StackConfig& c, int v) { c.tokens = v; }),
            [](const StackConfig& c) { return c.tokens; });
    d.usual(d.choice("--sublayer", sublayer_table(), "The branch of a block",
                     [](StackConfig& c, const auto& entry) { c.sublayer = entry.value; }),
            [](const StackConfig& c) { return id_of(sublayer_table(), c.sublayer); });
    d.usual(d.whole("--ffn-mult", 1, 64, "Hidden features of the feed-forward layer, in widths",
                    [](StackConfig& c, int v) { c.ffn_mult = v; }),
            [](const StackConfig& c) { return c.ffn_mult; });
    d.usual(d.whole("--heads", 1, 8192, "Heads of attention; they divide the width",
                    [](StackConfig& c, int v) { c.heads = v; }),
            [](const StackConfig& c) { return c.heads; });
    d.usual(d.choice("--norm", norm_table(), "Which values share a mean and a variance",
                     [](StackConfig& c, const auto& entry) { c.norm = entry.kind; }),
            [](const StackConfig& c) { return norm_entry(c.norm).id; });
    d.usual(d.choice("--placement", placement_table(), "Where the norm stands",
                     [](StackConfig& c, const auto& entry) { c.placement = entry.value; }),
            [](const StackConfig& c) { return id_of(placement_table(), c.placement); });
    d.usual(d.choice("--skip", std::span(k_skips), "What goes around the branch",
                     [](StackConfig& c, const auto& entry) { c.skip = entry.value; }),
            [](const StackConfig& c) { return c.skip == Residual::add ? "add" : "none"; });
    d.usual(d.number("--trunk-scale", -most, most, "λ of λx + αF(x)",
                     [](StackConfig& c, double v) { c.trunk_scale = v; }),
            [](const StackConfig& c) { return c.trunk_scale; });
    d.usual(d.number("--branch-scale", -most, most, "α of λx + αF(x)",
                     [](StackConfig& c, double v) { c.branch_scale = v; }),
            [](const StackConfig& c) { return c.branch_scale; });
    d.usual(d.choice("--init", init_table(), "How the weights are drawn",
                     [](StackConfig& c, const auto& entry) { c.init.init = entry.init; }),
            [](const StackConfig& c) { return init_id(c.init.init); });
    d.usual(d.number("--gain", -most, most, "Multiplies every weight",
                     [](StackConfig& c, double v) { c.init.gain = v; }),
            [](const StackConfig& c) { return c.init.gain; });
    d.usual(d.number("--gamma", -most, most, "γ of every block",
                     [](StackConfig& c, double v) { c.gamma = v; }),
            [](const StackConfig& c) { return c.gamma; });
    d.usual(d.number("--beta", -most, most, "β of every block",
                     [](StackConfig& c, double v) { c.beta = v; }),
            [](const StackConfig& c) { return c.beta; });
    d.usual(d.choice("--loss", stack_loss_table(), "What stands above the stack",
                     [](StackConfig& c, const auto& entry) { c.loss = entry.value; }),
            [](const StackConfig& c) { return id_of(stack_loss_table(), c.loss); });
    d.usual(d.whole("--vocab", 2, 1000000, "Classes of the cross-entropy",
                    [](StackConfig& c, int v) { c.vocabulary = v; }),
            [](const StackConfig& c) { return c.vocabulary; });
    add_whole(
        app, "--seeds", [&options](std::int64_t n) { options.seeds = static_cast<int>(n); },
        {1, static_cast<double>(spec.most_seeds)}, "How many seeds, from 0 up")
        ->group(std::string(k_group));
}

} // namespace normscope
