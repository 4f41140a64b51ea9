#include "app/cli/inputs.h"
#include "app/words/script.h"
#include "app/words/worked_steps.h"
#include "core/norm/normalize.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <ostream>
#include <tuple>
#include <utility>

namespace normscope {

namespace {

constexpr Index k_most_lines = 16; // of a step with a line a value; longer rows are elided
constexpr int k_most_digits = 12;

// The command line as given; empty where nothing was said.
struct ExplainOptions {
    DocumentOptions document;
    std::optional<Precision> precision;
    std::optional<Index> token;
    std::optional<Index> feature;
    int digits = 0; // 0: as few as give exact results
    std::optional<ScriptFor> script;
};

// The index of the statistic set of the token or feature that is asked for.
Checked<Index> chosen_group(const ExplainOptions& options, const Derived& derived) {
    const Document& document = derived.document();
    const StatisticSets sets = derived.sets();
    const bool by_feature = sets.by_feature();
    if (by_feature && options.token)
        return usage_error("explain: --token: {} norm shares statistics per feature: "
                           "choose one with --feature",
                           norm_entry(document.norm).id);
    if ((sets.shares == Shares::token || !norm_entry(document.norm).normalizes()) &&
        options.feature) {
        return usage_error("explain: --feature: only batch norm shares statistics per feature: "
                           "choose a token with --token");
    }
    const Index token =
        options.token.value_or(by_feature ? 0 : example_token(options.document.example));
    const Index feature = options.feature.value_or(0);
    for (const auto& [word, index, count] :
         {std::tuple("token", token, sets.tokens), {"feature", feature, sets.features}})
        if (index >= count)
            return fail("{}: {} {} is not there: expected 0 to {}.", document.title, word, index,
                        count - 1);
    return sets.set_of(token, feature);
}

void print_steps(std::ostream& out, const Derived& derived, const WorkedSteps& worked) {
    const Document& document = derived.document();
    const NormEntry& entry = norm_entry(document.norm);
    const std::string norm = entry.normalizes() ? std::string(entry.label) + " norm" : "No norm";
    out << document.title << ": " << norm << ", " << derived.sets().name() << ' ' << worked.subject
        << '\n';
    if (!worked.unit.empty())
        out << "X, F(X), Z, μ and the root in units of " << worked.unit << ", ε in their squares\n";
    for (const WorkedStep& step : worked.steps) {
        out << '\n' << step.heading << '\n';
        for (const WorkedLine& line : step.lines)
            out << "  " << (line.all.empty() ? line.text : line.all) << '\n';
    }
    if (worked.x_hat_lost)
        out << "\nx\u0302 is next to 0: ε is far above " << entry.spread->symbol << ".\n";
    if (!worked.exact) {
        out << "\nEvery line follows from the rounded numbers above it; unrounded results differ "
            << (worked.close ? "in the last digits.\n"
                : worked.off > 0
                    ? fmt::format("by up to {:.1g}: what was rounded off grows.\n", worked.off)
                    : "from them: these are too few digits, ask for more.\n");
    }
}

CommandResult run_explain(const ExplainOptions& options, std::ostream& out) {
    Document document = TRY(document_from(options.document, "explain"));
    document.precision = options.precision.value_or(document.precision);
    if (options.script) {
        const auto script = script_of(*Backward::of(document), *options.script);
        if (!script) return fail("{}: {}", document.title, script.error());
        out << *script;
        return {};
    }
    const std::shared_ptr<const Derived> derived = Derived::of(document);
    const Index group = TRY(chosen_group(options, *derived));
    if (derived->error()) return fail("{}: {}", document.title, *derived->error());
    print_steps(
        out, *derived,
        worked_steps(*derived, group, {.decimals = options.digits, .most_lines = k_most_lines}));
    return {};
}

} // namespace

CommandAction define_explain(CLI::App& app) {
    const auto options = std::make_shared<ExplainOptions>();
    define_document_options(app, options->document);
    add_choice<Precision>(app, "--precision", options->precision, "Computed in");
    add_number(app, "--token", options->token, {0}, "The token, counted from 0")->type_name("I");
    add_number(app, "--feature", options->feature, {0},
               "Batch norm, group norm: the feature, counted from 0")
        ->type_name("I");
    add_number(app, "--digits", options->digits, {1, k_most_digits},
               "Decimals; as few as give exact results if not said");
    add_choice<ScriptFor>(app, "--script", options->script,
                          "In place of the steps: a Python script that makes the numbers");
    return [options](const CommandContext& context) { return run_explain(*options, context.out); };
}

} // namespace normscope
