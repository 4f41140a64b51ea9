#include "app/cli/inputs.h"
#include "app/cli/outputs.h"
#include "app/model/flow/flow_setup.h"
#include "app/session/parts_archive.h"
#include "app/study/gradient_flow/flow_study.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
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
        return usage_error("flow: {}; see --blocks, --width, --heads, --groups and --ffn-mult",
                           ok.error());
    const NormEntry& norm = norm_entry(config.norm);
    if (norm.shares == Shares::feature && config.tokens < norm.fewest_values())
        return usage_error("flow: --tokens: {} norm takes its statistics over tokens "
                           "and needs {} or more; found {}",
                           norm.id, norm.fewest_values(), config.tokens);
    TRY(check_memory(stack_bytes(config) * (options.precision == "float64" ? 2 : 1),
                     "flow: this stack", "--blocks, --width, --tokens or --vocab"));
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

using Json = nlohmann::ordered_json;

// An angle between two parts that have a length.
bool has_cosine(const BlockFlow& block) {
    return std::isfinite(block.split.skip_norm) && std::isfinite(block.split.branch_norm);
}

Json block_json(const BlockFlow& block) {
    Json out;
    out["mean_square"] = block.mean_square;
    out["variance"] = block.variance;
    out["grad_norm"] = block.grad_norm;
    out["skip_norm"] = block.split.skip_norm;
    out["branch_norm"] = block.split.branch_norm;
    out["cosine"] = has_cosine(block) ? Json(block.split.cosine) : Json();
    const auto optional = [&](const char* key, const std::optional<double>& value) {
        if (value) out[key] = *value;
    };
    // Always there: null where the block has no feed-forward layer.
    out["w1_grad_norm"] = block.w1_grad_norm ? Json(*block.w1_grad_norm) : Json();
    out["w2_grad_norm"] = block.w2_grad_norm ? Json(*block.w2_grad_norm) : Json();
    optional("attention_grad_norm", block.attention_grad_norm);
    optional("weight_grad_norm", block.weight_grad_norm);
    out["gamma_grad_norm"] = block.gamma_grad_norm;
    out["beta_grad_norm"] = block.beta_grad_norm;
    out["trunk_scale_grad"] = block.trunk_scale_grad;
    out["branch_scale_grad"] = block.branch_scale_grad;
    return out;
}

Json seed_json(const SeedFlow& seed) {
    Json out;
    out["seed"] = seed.seed;
    out["loss"] = seed.flow.loss;
    out["input"] = {{"mean_square", seed.flow.input_mean_square},
                    {"grad_norm", seed.flow.input_grad_norm}};
    out["blocks"] = Json::array();
    for (const BlockFlow& block : seed.flow.blocks) out["blocks"].push_back(block_json(block));
    if (seed.paths)
        out["paths"] = {{"energy_share", seed.paths->energy_share},
                        {"signed_share", seed.paths->signed_share}};
    return out;
}

using OfSeed = std::function<double(const SeedFlow&)>;

// Of norms and mean squares, as the chart's.
std::string mean_of(const std::vector<SeedFlow>& seeds, const OfSeed& value) {
    std::vector<double> values;
    for (const SeedFlow& seed : seeds) values.push_back(value(seed));
    return shown(mean_over_seeds(values));
}

// Of what may be negative, or adds up to 1.
std::string arithmetic_mean_of(const std::vector<SeedFlow>& seeds, const OfSeed& value) {
    double sum = 0;
    for (const SeedFlow& seed : seeds) sum += value(seed);
    return shown(sum / static_cast<double>(seeds.size()));
}

// Whether both parts have a direction.
bool has_angle(const BlockFlow& block) {
    return has_cosine(block) && block.split.skip_norm > 0 && block.split.branch_norm > 0;
}

// The parameter gradients that the stack has, and their columns.
struct Column {
    const char* title;
    std::optional<double> BlockFlow::*value;
};
constexpr Column k_columns[] = {{"‖dW1‖", &BlockFlow::w1_grad_norm},
                                {"‖dW2‖", &BlockFlow::w2_grad_norm},
                                {"‖dW attention‖", &BlockFlow::attention_grad_norm},
                                {"‖dW‖", &BlockFlow::weight_grad_norm}};

std::string blocks_text(const StackConfig& config, const std::vector<SeedFlow>& seeds) {
    const bool scaled = scales_skip(config);
    std::vector<Column> columns;
    const GradientFlow& first = seeds.front().flow;
    for (const Column& column : k_columns)
        if (first.blocks.front().*column.value) columns.push_back(column);
    std::vector<std::string> titles{"block", "mean square", "‖∂L/∂x‖",
                                    "skip",  "sublayer",    "cosine"};
    for (const Column& column : columns) titles.emplace_back(column.title);
    if (scaled) titles.insert(titles.end(), {"dλ", "dα"});
    TextTable table(std::move(titles));
    for (std::size_t l = first.blocks.size(); l > 0; --l) {
        const auto of_block = [l](auto value) -> OfSeed {
            return [=](const SeedFlow& s) { return std::invoke(value, s.flow.blocks[l - 1]); };
        };
        const auto mean = [&](auto value) { return mean_of(seeds, of_block(value)); };
        const auto signed_mean = [&](auto value) {
            return arithmetic_mean_of(seeds, of_block(value));
        };
        const bool angles = std::ranges::all_of(
            seeds, [&](const SeedFlow& s) { return has_angle(s.flow.blocks[l - 1]); });
        std::vector<std::string> row{
            std::to_string(l),
            mean(&BlockFlow::mean_square),
            mean(&BlockFlow::grad_norm),
            mean([](const BlockFlow& b) { return b.split.skip_norm; }),
            mean([](const BlockFlow& b) { return b.split.branch_norm; }),
            angles ? signed_mean([](const BlockFlow& b) { return b.split.cosine; }) : "—",
        };
        for (const Column& column : columns)
            row.push_back(mean([&](const BlockFlow& b) { return (b.*column.value).value_or(0); }));
        if (scaled)
            row.insert(row.end(), {signed_mean(&BlockFlow::trunk_scale_grad),
                                   signed_mean(&BlockFlow::branch_scale_grad)});
        table.add(std::move(row));
    }
    const auto of_flow = [](auto value) -> OfSeed {
        return [=](const SeedFlow& s) { return std::invoke(value, s.flow); };
    };
    table.add({"input", mean_of(seeds, of_flow(&GradientFlow::input_mean_square)),
               mean_of(seeds, of_flow(&GradientFlow::input_grad_norm))});
    std::string text = table.text() +
                       "mean square and ‖∂L/∂x‖: of the block's output; skip and sublayer: the "
                       "parts of the gradient at its input\n";
    if (scaled)
        text += fmt::format("of the stack: dλ = {}, dα = {}\n",
                            arithmetic_mean_of(seeds, of_flow(&GradientFlow::trunk_scale_grad)),
                            arithmetic_mean_of(seeds, of_flow(&GradientFlow::branch_scale_grad)));
    return text;
}

std::string paths_text(Residual skip, const std::vector<SeedFlow>& seeds) {
    const auto sublayers = seeds.front().paths->energy_share.size() - 1;
    TextTable table({"sublayers crossed", "paths", "energy", "signed share"});
    // Without a skip there is one path, through all.
    const auto count = [&](std::size_t k) {
        if (skip == Residual::no_skip) return k == sublayers ? 1.0 : 0.0;
        return path_count(static_cast<int>(sublayers), static_cast<int>(k));
    };
    for (std::size_t k = 0; k <= sublayers; ++k)
        table.add(
            {std::to_string(k), shown(count(k)),
             arithmetic_mean_of(seeds, [k](const auto& s) { return s.paths->energy_share[k]; }),
             arithmetic_mean_of(seeds, [k](const auto& s) { return s.paths->signed_share[k]; })});
    const bool carries =
        std::ranges::any_of(seeds, [](const SeedFlow& s) { return s.flow.input_grad_norm != 0; });
    return table.text() + "mean length by energy: " +
           (carries
                ? arithmetic_mean_of(seeds, [](const auto& s) { return s.paths->mean_length(); })
                : "— (the gradient at the input is 0)") +
           '\n';
}

// Whether an activation or a gradient of a seed is beyond what its precision holds.
bool overflows(const std::vector<SeedFlow>& seeds) {
    const auto beyond = [](const BlockFlow& block) {
        return !std::isfinite(block.mean_square) || !std::isfinite(block.grad_norm);
    };
    return std::ranges::any_of(
        seeds, [&](const SeedFlow& seed) { return std::ranges::any_of(seed.flow.blocks, beyond); });
}

// {"config": {…}, "seeds": [{"seed": 0, "loss": …, "input": {…}, "blocks": [{…}, …], "paths": …}]}
// with every digit. What is not a number is null there.
std::string flow_json(const StackConfig& config, const std::string& precision,
                      const std::vector<SeedFlow>& seeds) {
    Json out;
    out["config"] = json_of(config);
    out["config"].erase("seed"); // each seed says its own
    out["config"]["precision"] = precision;
    out["seeds"] = Json::array();
    for (const SeedFlow& seed : seeds) out["seeds"].push_back(seed_json(seed));
    return out.dump(1) + '\n';
}

// A line a block from the top down to the input, means over the seeds; the paths below, if there
// are any.
std::string flow_table(const StackConfig& config, const std::vector<SeedFlow>& seeds) {
    std::string out = fmt::format(
        "{}: width {}, {} tokens, {}\n\n", stack_name(config), config.width, config.tokens,
        seeds.size() == 1 ? fmt::format("seed {}", seeds.front().seed)
                          : fmt::format("geometric mean of {} seeds (of cosines, shares{} the "
                                        "arithmetic one)",
                                        seeds.size(), scales_skip(config) ? ", dλ and dα" : ""));
    out += blocks_text(config, seeds);
    if (seeds.front().paths) out += '\n' + paths_text(config.skip, seeds);
    return out;
}

CommandResult run_flow(const FlowOptions& options, const CommandContext& context) {
    const StackConfig config = TRY(config_of(options));
    note_idle_options(config, context.notes);
    const int seeds = options.stack.seeds.value_or(k_usual_seeds);
    const Paths paths = options.paths ? Paths::split : Paths::leave_out;
    const bool in_float64 = options.precision == "float64";
    const auto flows = in_float64 ? flow_over_seeds<double>(config, seeds, paths, all_threads())
                                  : flow_over_seeds<float>(config, seeds, paths, all_threads());
    if (!flows) return fail("flow: {}", flows.error());
    if (!in_float64 && overflows(*flows))
        context.notes << "normscope: flow: some values are beyond what float32 holds and are not "
                         "numbers; --precision float64 reaches further\n";
    if (options.json)
        context.out << flow_json(config, options.precision, *flows);
    else
        context.out << flow_table(config, *flows);
    return {};
}

} // namespace

CommandAction define_flow(CLI::App& app) {
    const auto options = std::make_shared<FlowOptions>();
    define_stack_options(app, options->stack);
    app.add_flag("--paths", options->paths,
                 "Split the gradient at the input by the number of sublayers crossed");
    add_precision(app, options->precision);
    app.add_flag("--json", options->json, "Print every number of every seed as JSON");
    return [options](const CommandContext& context) { return run_flow(*options, context); };
}

} // namespace normscope
