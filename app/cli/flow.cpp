#include "app/cli/flow_text.h"
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "app/cli/stack_options.h"
#include "app/model/flow/flow_setup.h"

#include <fmt/format.h>
#include <memory>
#include <ostream>

namespace normscope {

namespace {

struct FlowOptions {
    StackOptions stack;
    std::string precision = "float32";
    bool paths = false;
    bool json = false;
};

// What the options ask for together; each alone is in its range.
Checked<StackConfig> config_of(const FlowOptions& options) {
    const StackConfig config = applied(options.stack.said, StackConfig{});
    if (const auto ok = check_config(config); !ok)
        return usage_error("flow: " + ok.error().message +
                           "; see --blocks, --width, --heads, --groups and --ffn-mult");
    const NormEntry& norm = norm_entry(config.norm);
    if (norm.shares == Shares::feature && config.tokens < norm.fewest_values())
        return usage_error(fmt::format("flow: --tokens: {} norm takes its statistics over tokens "
                                       "and needs {} or more; found {}",
                                       norm.id, norm.fewest_values(), config.tokens));
    const double bytes = stack_bytes(config) * (options.precision == "float64" ? 2 : 1);
    if (bytes > k_most_bytes)
        return usage_error(
            fmt::format("flow: this stack would take about {:.0f} GB, and at most "
                        "{:.0f} GB are used; lower --blocks, --width, --tokens or --vocab",
                        bytes / 1e9, k_most_bytes / 1e9));
    return config;
}

// Options that were said and do nothing, and the way out.
void note_idle_options(const StackConfig& config, std::ostream& notes) {
    if (places_no_norm(config))
        notes << "normscope: flow: --placement places the norm, and --norm none leaves none: the "
                 "stack is that of --placement post; choose a --norm\n";
    if (enlarges_no_skip(config))
        notes << "normscope: flow: --placement deepnorm enlarges the skip, and --skip none leaves "
                 "none: only its smaller weights remain; choose --skip add\n";
    if (!norm_entry(config.norm).normalizes() && (config.gamma != 1 || config.beta != 0))
        notes << "normscope: flow: with --norm none nothing is normalized, but --gamma and --beta "
                 "still scale and shift\n";
    if (config.skip == Residual::no_skip && config.trunk_scale != 1)
        notes << "normscope: flow: --trunk-scale scales the skip, and --skip none leaves none; "
                 "choose --skip add\n";
}

CommandResult run_flow(const FlowOptions& options, const CommandContext& context) {
    const Checked<StackConfig> config = config_of(options);
    if (!config) return tl::unexpected(config.error());
    note_idle_options(*config, context.notes);
    const int seeds = options.stack.seeds.value_or(k_usual_seeds);
    const Paths paths = options.paths ? Paths::split : Paths::leave_out;
    const bool in_float64 = options.precision == "float64";
    const auto flows = in_float64 ? flow_over_seeds<double>(*config, seeds, paths, all_threads())
                                  : flow_over_seeds<float>(*config, seeds, paths, all_threads());
    if (!flows) return data_error("flow: " + flows.error().message);
    if (!in_float64 && overflows(*flows))
        context.notes << "normscope: flow: some values are beyond what float32 holds and are not "
                         "numbers; --precision float64 reaches further\n";
    if (options.json)
        context.out << flow_json(*config, options.precision, *flows);
    else
        context.out << flow_table(*config, *flows);
    return {};
}

} // namespace

CommandAction define_flow(CLI::App& app) {
    const auto options = std::make_shared<FlowOptions>();
    define_stack_options(app, options->stack, {.defaults = StackConfig{}});
    app.get_option("--seeds")->default_str(std::to_string(k_usual_seeds));
    app.add_flag("--paths", options->paths,
                 "Split the gradient at the input by the number of sublayers crossed");
    app.add_option("--precision", options->precision, "Computed in")
        ->check(CLI::IsMember({"float32", "float64"}))
        ->default_str("float32");
    app.add_flag("--json", options->json, "Print every number of every seed as JSON");
    return [options](const CommandContext& context) { return run_flow(*options, context); };
}

} // namespace normscope
