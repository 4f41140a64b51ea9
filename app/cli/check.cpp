#include "app/cli/check.h"

#include "app/cli/document_options.h"
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "app/study/backward/backward.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <ostream>
#include <utility>

namespace normscope {

namespace {

struct CheckOptions {
    DocumentOptions document;
    std::string dy;
    std::string mode = "train";
    double tolerance = k_check_tolerance;
};

std::string cell_name(const Document& d, Index entry) {
    if (entry < 0) return {};
    const Index features = d.feature_count();
    return (*d.tokens)[static_cast<std::size_t>(entry / features)] + ", " +
           (*d.features)[static_cast<std::size_t>(entry % features)];
}

std::string parameter_name(const Document& d, Index entry) {
    const auto at = static_cast<std::size_t>(entry);
    if (entry < 0) return {};
    if (d.affine_per == AffinePer::feature) return (*d.features)[at];
    return d.affine_per == AffinePer::token ? (*d.tokens)[at] : "all";
}

// NaN has no sign that would say anything.
double unsigned_nan(double value) {
    return std::isnan(value) ? std::abs(value) : value;
}

// Where the two are farthest apart, and where for their size.
std::string line(const std::string& name, const SampledCheck& check,
                 const std::function<std::string(Index)>& place, double tolerance) {
    const auto both = [&](const GradientEntry& entry) {
        return fmt::format("at {}: analytic {:.9g}, differences {:.9g}", place(entry.entry),
                           unsigned_nan(entry.analytic), unsigned_nan(entry.numeric));
    };
    const bool same = check.largest.entry == check.worst.entry || check.largest.entry < 0;
    return fmt::format(
        "{:<10}{}  {} of {} entries{}, largest difference {:.1e}{}, of its size {:.1e} {}\n", name,
        check.agrees(tolerance)            ? "agrees "
        : !std::isnan(check.max_relative)  ? "differs"
        : std::isnan(check.worst.analytic) ? "is NaN "
                                           : "unknown", // its differences are NaN
        check.checked, check.total,
        check.checked < check.total ? " (the largest, others at random)" : "", check.max_absolute,
        same ? "" : " " + both(check.largest), check.max_relative, both(check.worst));
}

// Which constants a batch norm in evaluation goes by.
std::string statistics_line(const Document& d) {
    return d.token_count() == 1
               ? std::string("μ, σ²    constants: 0 and 1, as nothing is learned from one token\n")
               : fmt::format("μ, σ²    constants: what {} updates of momentum {:g} learn from this "
                             "batch\n",
                             d.batch.updates, d.batch.momentum);
}

CommandResult run_check(const CheckOptions& options, const CommandContext& context) {
    std::ostream& out = context.out;
    Checked<Document> document = document_from(options.document, "check");
    if (!document) return tl::unexpected(std::move(document).error());
    if (options.document.example.empty() && options.dy.empty())
        return usage_error("check: --x goes with --dy");
    if (!options.dy.empty()) {
        Checked<Table> dy = load_input(options.dy);
        if (!dy) return tl::unexpected(dy.error());
        document->backward.dy = std::move(dy->values);
        document->backward.loss = LossKind::given;
        if (const Result<void> fits = check(*document); !fits)
            return data_error(options.dy + ": " + fits.error().message);
    }
    if (options.mode == "eval") document->backward.mode = Mode::eval;
    note_idle_mode("check", document->norm, options.mode, context.notes);
    const std::shared_ptr<const Backward> backward = Backward::of(*document);
    if (backward->error()) return data_error(document->title + ": " + backward->error()->message);
    const GradientChecks& checks = backward->checks();
    const double tolerance = options.tolerance;
    bool agrees = true;
    bool not_a_number = false;
    const auto cell = [&](Index entry) { return cell_name(*document, entry); };
    const auto parameter = [&](Index entry) { return parameter_name(*document, entry); };
    const auto report = [&](const std::string& name, const SampledCheck& check,
                            const std::function<std::string(Index)>& place) {
        out << line(name, check, place, tolerance);
        agrees = agrees && check.agrees(tolerance);
        not_a_number = not_a_number || std::isnan(check.max_relative);
    };
    if (backward->running()) out << statistics_line(*document);
    if (checks.dy) report("dY", *checks.dy, cell);
    report(backward->skip() ? "dX, dF(X)" : "dF(X)", checks.dz, cell);
    report("dγ", checks.dgamma, parameter);
    report("dβ", checks.dbeta, parameter);
    if (agrees) return {};
    const bool by_dy = !options.dy.empty() && document->backward.dy->hasNaN();
    if (not_a_number)
        return data_error(fmt::format("{}: a gradient is NaN, so there is nothing to compare: {}",
                                      by_dy ? options.dy : document->title,
                                      backward->not_a_number()
                                          ? backward->not_a_number()->cause
                                          : "its differences overflow, or are smaller than what "
                                            "its values have digits for"));
    return data_error(
        fmt::format("{}: a gradient differs from central differences by more than {:g} of its size",
                    document->title, tolerance));
}

} // namespace

CommandAction define_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    define_document_options(app, options->document);
    app.add_option("--dy", options->dy, std::string("∂L/∂Y, T×D: ") + k_matrix_files)
        ->type_name("FILE");
    app.add_option("--mode", options->mode,
                   fmt::format("Batch norm: the batch's own statistics, or constants (eval): what "
                               "{} updates with this batch lead to",
                               BatchSetup().updates))
        ->check(CLI::IsMember({"train", "eval"}));
    add_number(
        app, "--tolerance", [options](double v) { options->tolerance = v; }, NumberRange{},
        "The largest difference, as a share of the gradient, or of its terms where those are "
        "larger")
        ->default_str("1e-6");
    return [options](const CommandContext& context) { return run_check(*options, context); };
}

} // namespace normscope
