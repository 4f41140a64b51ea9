#include "app/cli/explain.h"

#include "app/cli/examples.h"
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "app/document/worked_steps.h"
#include "core/norm/normalize.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

namespace normscope {

namespace {

constexpr Index k_most_lines = 16; // of a step with a line a value; longer rows are elided
constexpr int k_most_digits = 12;

// The command line as given; empty where nothing was said.
struct ExplainOptions {
    std::string example;
    std::string x;
    std::string sublayer;
    std::string norm;
    std::string affine;
    std::string gamma; // a number or a path
    std::string beta;
    std::optional<double> eps;
    std::string precision;
    std::optional<Index> token;
    std::optional<Index> feature;
    int digits = 0; // 0: as few as give exact results
};

Checked<Document> load_document(const ExplainOptions& options) {
    if (!options.example.empty()) return load_example(options.example);
    Checked<Table> x = load_input(options.x);
    if (!x) return tl::unexpected(x.error());
    const Index tokens = x->values.rows();
    const Index features = x->values.cols();
    Document document = blank_document(tokens, features);
    document.title = options.x;
    document.tokens = names_or_numbered(std::move(x->token_names), 't', tokens);
    document.features = names_or_numbered(std::move(x->feature_names), 'd', features);
    document.x = std::move(x->values);
    if (!options.sublayer.empty()) {
        Checked<Table> f = load_input(options.sublayer);
        if (!f) return tl::unexpected(f.error());
        document.f = std::move(f->values);
    }
    return document;
}

// What the options say instead of the example's own settings.
Checked<Document> apply_options(Document document, const ExplainOptions& options) {
    if (!options.norm.empty()) {
        const Result<NormKind> norm = norm_from_id(options.norm);
        if (!norm) return usage_error("explain: " + norm.error().message);
        document.norm = *norm;
    }
    if (options.eps) document.eps = *options.eps;
    if (!options.precision.empty()) {
        document.precision =
            options.precision == "float64" ? Precision::float64 : Precision::float32;
    }
    const AffinePer before = document.affine_per;
    if (!options.affine.empty()) document.affine_per = affine_per(options.affine);
    for (const auto& [given, neutral_text, target] :
         {std::tuple(&options.gamma, "1", &document.gamma),
          std::tuple(&options.beta, "0", &document.beta)}) {
        if (given->empty() && document.affine_per == before) continue;
        const Checked<Vector<double>> values =
            load_parameter(given->empty() ? neutral_text : *given, document.affine_per,
                           document.token_count(), document.feature_count());
        if (!values) return tl::unexpected(values.error());
        *target = std::vector<double>(values->begin(), values->end());
    }
    if (const Result<void> consistent = check(document); !consistent) {
        return data_error(document.title + ": " + consistent.error().message);
    }
    return document;
}

// The token, or under batch norm the feature, that is asked for.
Checked<Index> chosen_group(const ExplainOptions& options, const Derived& derived) {
    const Document& document = derived.document();
    const bool by_feature = derived.group_axis() == Axis::feature;
    if (by_feature && options.token) {
        return usage_error("explain: --token: batch norm shares statistics per feature: choose "
                           "one with --feature");
    }
    if (!by_feature && options.feature) {
        return usage_error("explain: --feature: only batch norm shares statistics per feature: "
                           "choose a token with --token");
    }
    const Index count = by_feature ? document.feature_count() : document.token_count();
    const Index usual = by_feature ? 0 : example_token(options.example);
    const Index group = (by_feature ? options.feature : options.token).value_or(usual);
    if (group >= count) {
        return data_error(document.title + ": " + (by_feature ? "feature " : "token ") +
                          std::to_string(group) + " is not there: expected 0 to " +
                          std::to_string(count - 1) + ".");
    }
    return group;
}

void print_steps(std::ostream& out, const Derived& derived, const WorkedSteps& worked) {
    const Document& document = derived.document();
    const std::string norm = document.norm == NormKind::none
                                 ? "No norm"
                                 : std::string(norm_entry(document.norm).label) + " norm";
    out << document.title << ": " << norm << ", "
        << (derived.group_axis() == Axis::feature ? "feature " : "token ") << worked.subject
        << '\n';
    for (const WorkedStep& step : worked.steps) {
        out << '\n' << step.heading << '\n';
        for (const WorkedLine& line : step.lines) out << "  " << line.text << '\n';
    }
    if (!worked.exact) {
        out << "\nEvery line follows from the rounded numbers above it; unrounded results differ "
               "in the last digits.\n";
    }
}

CommandResult run_explain(const ExplainOptions& options, std::ostream& out) {
    if (options.example.empty() == options.x.empty()) {
        return usage_error("explain: expected either --example or --x");
    }
    if (options.x.empty() && !options.sublayer.empty()) {
        return usage_error("explain: --sublayer goes with --x");
    }
    Checked<Document> loaded = load_document(options);
    if (!loaded) return tl::unexpected(std::move(loaded).error());
    Checked<Document> document = apply_options(std::move(*loaded), options);
    if (!document) return tl::unexpected(std::move(document).error());
    const std::shared_ptr<const Derived> derived = Derived::of(*document);
    const Checked<Index> group = chosen_group(options, *derived);
    if (!group) return tl::unexpected(group.error());
    if (derived->error()) {
        return data_error(document->title + ": " + derived->error()->message);
    }
    print_steps(
        out, *derived,
        worked_steps(*derived, *group, {.decimals = options.digits, .most_lines = k_most_lines}));
    return {};
}

} // namespace

CommandAction define_explain(CLI::App& app) {
    const auto options = std::make_shared<ExplainOptions>();
    app.add_option("--example", options->example, "The example to explain (see: examples)")
        ->type_name("NAME")
        ->check(unknown_example);
    app.add_option("--x", options->x, "X, T×D: .npy, .csv or .tsv")->type_name("FILE");
    app.add_option("--sublayer", options->sublayer, "F(X), T×D, added to X")->type_name("FILE");
    app.add_option("--norm", options->norm, "Which values share a mean and a variance")
        ->check(CLI::IsMember(norm_ids()));
    app.add_option("--gamma", options->gamma, "γ, a number or a file")->type_name("GAMMA");
    app.add_option("--beta", options->beta, "β, a number or a file")->type_name("BETA");
    app.add_option("--affine", options->affine, "What shares one γ and β")
        ->check(CLI::IsMember(affine_ids()));
    add_number(
        app, "--eps", [options](double eps) { options->eps = eps; }, NumberRange{},
        "ε, added to the variance inside the root");
    app.add_option("--precision", options->precision, "Computed in")
        ->check(CLI::IsMember({"float32", "float64"}));
    app.add_option("--token", options->token, "The token, counted from 0")
        ->type_name("I")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--feature", options->feature, "Batch norm: the feature, counted from 0")
        ->type_name("I")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--digits", options->digits,
                   "Decimals; as few as give exact results if not said")
        ->type_name("N")
        ->check(CLI::Range(1, k_most_digits));
    return [options](const CommandContext& context) { return run_explain(*options, context.out); };
}

} // namespace normscope
