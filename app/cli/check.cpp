#include "app/cli/inputs.h"
#include "app/study/backward/backward.h"
#include "core/base/printable.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <ostream>
#include <string_view>
#include <utility>

namespace normscope {

namespace {

// Larger matrices take their time to normalize by the definition.
constexpr Index k_most_by_definition = 1'000'000;
constexpr std::string_view k_x_hat_column = "x̂         "; // its accent takes no room of its own

struct CheckOptions {
    DocumentOptions document;
    std::string dy;
    Mode mode = Mode::train;
    double tolerance = k_check_tolerance;
};

std::string cell_name(const Document& d, Index entry) {
    if (entry < 0) return {};
    const Index features = d.feature_count();
    return shortened(name_of(d, Axis::token, entry / features)) + ", " +
           shortened(name_of(d, Axis::feature, entry % features));
}

std::string parameter_name(const Document& d, Index entry) {
    if (entry < 0) return {};
    if (d.affine_per == AffinePer::scalar) return "all";
    return shortened(
        name_of(d, d.affine_per == AffinePer::token ? Axis::token : Axis::feature, entry));
}

// NaN has no sign that would say anything.
double unsigned_nan(double value) {
    return std::isnan(value) ? std::abs(value) : value;
}

// The names of the two sides of a comparison.
struct Sides {
    std::string_view checked, witness;
};
constexpr Sides k_of_gradient{"analytic", "differences"};
constexpr Sides k_of_x_hat{"kernel", "definition"};

// The report of a check, with the entries where the sides are farthest apart, absolutely and for
// their size.
std::string line(std::string_view name, const SampledCheck& check, const Sides& sides,
                 const std::function<std::string(Index)>& place, double tolerance) {
    const auto both = [&](const GradientEntry& entry) {
        return fmt::format("at {}: {} {:.9g}, {} {:.9g}", place(entry.entry), sides.checked,
                           unsigned_nan(entry.analytic), sides.witness,
                           unsigned_nan(entry.numeric));
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

// The constants of batch norm in evaluation.
std::string statistics_line(const Document& d) {
    return d.token_count() == 1
               ? std::string("μ, σ²    constants: 0 and 1, as nothing is learned from one token\n")
               : fmt::format("μ, σ²    constants: what {} updates of momentum {:g} learn from this "
                             "batch\n",
                             d.batch.updates, d.batch.momentum);
}

CommandResult run_check(const CheckOptions& options, const CommandContext& context) {
    std::ostream& out = context.out;
    Document document = TRY(document_from(options.document, "check"));
    if (options.document.example.empty() && options.dy.empty())
        return usage_error("check: --x goes with --dy");
    if (!options.dy.empty()) {
        document.backward.dy = TRY(load_input(options.dy)).values;
        document.backward.loss = LossKind::given;
        if (const Result<void> fits = check(document); !fits)
            return fail("{}: {}", options.dy, fits.error());
    }
    if (options.mode == Mode::eval) document.backward.mode = Mode::eval;
    note_idle_mode("check", document.norm, options.mode, context.notes);
    const std::shared_ptr<const Backward> backward = Backward::of(document);
    if (backward->error()) return fail("{}: {}", document.title, *backward->error());
    const GradientChecks& checks = backward->checks();
    const double tolerance = options.tolerance;
    bool gradients_agree = true;
    bool not_a_number = false;
    const auto cell = [&](Index entry) { return cell_name(document, entry); };
    const auto parameter = [&](Index entry) { return parameter_name(document, entry); };
    const auto report = [&](std::string_view name, const SampledCheck& check,
                            const std::function<std::string(Index)>& place) {
        out << line(name, check, k_of_gradient, place, tolerance);
        gradients_agree = gradients_agree && check.agrees(tolerance);
        not_a_number = not_a_number || std::isnan(check.max_relative);
    };
    if (backward->running()) out << statistics_line(document);
    bool x_hat_agrees = true;
    if (const Matrix<double>& z = backward->z(); z.size() <= k_most_by_definition) {
        const SampledCheck check = check_x_hat(z, backward->cache(), backward->running());
        out << line(k_x_hat_column, check, k_of_x_hat, cell, tolerance);
        x_hat_agrees = check.agrees(tolerance);
    }
    if (checks.dy) report("dY", *checks.dy, cell);
    report(backward->skip() ? "dX, dF(X)" : "dF(X)", checks.dz, cell);
    report("dγ", checks.dgamma, parameter);
    report("dβ", checks.dbeta, parameter);
    if (gradients_agree && x_hat_agrees) return {};
    if (gradients_agree)
        return fail(
            fmt::format("{}: x̂ differs from the norm's definition by more than {:g} of its size",
                        document.title, tolerance));
    const bool by_dy = !options.dy.empty() && document.backward.dy->hasNaN();
    if (not_a_number)
        return fail(fmt::format("{}: a gradient is NaN, so there is nothing to compare: {}",
                                by_dy ? options.dy : document.title,
                                backward->not_a_number()
                                    ? backward->not_a_number()->cause
                                    : "its differences overflow, or are smaller than what "
                                      "its values have digits for"));
    return fail(
        fmt::format("{}: a gradient differs from central differences by more than {:g} of its size",
                    document.title, tolerance));
}

} // namespace

CommandAction define_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    define_document_options(app, options->document);
    app.add_option("--dy", options->dy, std::string("∂L/∂Y, T×D: ") + k_matrix_files)
        ->type_name("FILE");
    add_choice<Mode>(app, "--mode", options->mode,
                     fmt::format("Batch norm: the batch's own statistics, or constants (eval): "
                                 "what {} updates with this batch lead to",
                                 BatchSetup().updates));
    add_number(app, "--tolerance", options->tolerance, {0},
               "The largest difference, as a share of the gradient, or of its terms where those "
               "are larger")
        ->default_str("1e-6");
    return [options](const CommandContext& context) { return run_check(*options, context); };
}

} // namespace normscope
