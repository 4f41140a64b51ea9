#include "app/cli/inputs.h"
#include "app/cli/outputs.h"
#include "app/model/flow/flow_setup.h"
#include "app/session/parts_archive.h"
#include "app/study/gradient_flow/flow_study.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <ostream>
#include <span>

namespace normscope {

namespace {

struct FlowOptions {
    StackOptions stack;
    std::string precision = "float32";
    bool paths = false;
    bool json = false;
};

// The stack that the options ask for together; each option alone is in its range.
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

Json block_json(const BlockFlow& block) {
    const auto& [skip, branch, cosine] = block.split;
    Json out{{"mean_square", block.mean_square},
             {"variance", block.variance},
             {"grad_norm", block.grad_norm},
             {"skip_norm", skip},
             {"branch_norm", branch},
             {"cosine", std::isfinite(skip) && std::isfinite(branch) ? Json(cosine) : Json()},
             // Always there: null where the block has no feed-forward layer.
             {"w1_grad_norm", json_or_null(block.w1_grad_norm)},
             {"w2_grad_norm", json_or_null(block.w2_grad_norm)}};
    if (block.attention_grad_norm) out["attention_grad_norm"] = *block.attention_grad_norm;
    if (block.weight_grad_norm) out["weight_grad_norm"] = *block.weight_grad_norm;
    out["gamma_grad_norm"] = block.gamma_grad_norm;
    out["beta_grad_norm"] = block.beta_grad_norm;
    out["trunk_scale_grad"] = block.trunk_scale_grad;
    out["branch_scale_grad"] = block.branch_scale_grad;
    return out;
}

Json seed_json(const SeedFlow& seed) {
    Json out{
        {"seed", seed.seed},
        {"loss", seed.flow.loss},
        {"input",
         {{"mean_square", seed.flow.input_mean_square}, {"grad_norm", seed.flow.input_grad_norm}}},
        {"blocks", Json::array()}};
    for (const BlockFlow& block : seed.flow.blocks) out["blocks"].push_back(block_json(block));
    if (seed.paths)
        out["paths"] = {{"energy_share", seed.paths->energy_share},
                        {"signed_share", seed.paths->signed_share}};
    return out;
}

// The flows of all seeds.
Json seeds_json(const std::vector<SeedFlow>& seeds) {
    Json out = Json::array();
    for (const SeedFlow& seed : seeds) out.push_back(seed_json(seed));
    return out;
}

std::string mean_of(const std::vector<SeedFlow>& seeds, const auto& value) {
    double sum = 0;
    for (const SeedFlow& seed : seeds) sum += value(seed);
    return shown(sum / static_cast<double>(seeds.size()));
}

// The columns of a block, and those of parameters that it may not have.
constexpr TableColumn k_columns[] = {{"mean square", "/mean_square"},
                                     {"‖∂L/∂x‖", "/grad_norm"},
                                     {"skip", "/skip_norm"},
                                     {"sublayer", "/branch_norm"},
                                     {"cosine", "/cosine", Mean::arithmetic}};
constexpr TableColumn k_of_parameters[] = {{"‖dW1‖", "/w1_grad_norm"},
                                           {"‖dW2‖", "/w2_grad_norm"},
                                           {"‖dW attention‖", "/attention_grad_norm"},
                                           {"‖dW‖", "/weight_grad_norm"}};
constexpr TableColumn k_of_scales[] = {{"dλ", "/trunk_scale_grad", Mean::arithmetic},
                                       {"dα", "/branch_scale_grad", Mean::arithmetic}};
constexpr TableColumn k_of_paths[] = {{"energy", "/energy_share/{}", Mean::arithmetic},
                                      {"signed share", "/signed_share/{}", Mean::arithmetic}};

std::string blocks_text(bool scaled, const std::vector<SeedFlow>& flows, Json seeds) {
    for (Json& seed : seeds)
        for (Json& block : seed["blocks"])
            if (!(block["skip_norm"] > 0 && block["branch_norm"] > 0))
                block["cosine"] = nullptr; // between parts of which one has no direction
    const Json& blocks = seeds[0]["blocks"];
    std::vector<TableColumn> columns(std::begin(k_columns), std::end(k_columns));
    for (const TableColumn& column : k_of_parameters)
        if (!blocks[0].value(Json::json_pointer(column.at), Json()).is_null())
            columns.push_back(column);
    if (scaled) add_all(columns, std::span(k_of_scales));
    TextTable table({"block"}, columns);
    for (std::size_t l = blocks.size(); l > 0; --l)
        table.add({std::to_string(l)}, seeds, fmt::format("/blocks/{}", l - 1));
    table.add({"input"}, seeds, "/input");
    std::string text = table.text() +
                       "mean square and ‖∂L/∂x‖: of the block's output; skip and sublayer: the "
                       "parts of the gradient at its input\n";
    const auto of_stack = [&](double BlockFlow::*value) {
        return mean_of(flows, [=](const SeedFlow& seed) { return seed.flow.sum_of(value); });
    };
    if (scaled)
        text +=
            fmt::format("of the stack: dλ = {}, dα = {}\n", of_stack(&BlockFlow::trunk_scale_grad),
                        of_stack(&BlockFlow::branch_scale_grad));
    return text;
}

std::string paths_text(Residual skip, const std::vector<SeedFlow>& flows, const Json& seeds) {
    const auto sublayers = flows.front().paths->energy_share.size() - 1;
    TextTable table({"sublayers crossed", "paths"}, k_of_paths);
    // Without a skip there is one path, through all.
    const auto count = [&](std::size_t k) {
        if (skip == Residual::no_skip) return k == sublayers ? 1.0 : 0.0;
        return path_count(static_cast<int>(sublayers), static_cast<int>(k));
    };
    for (std::size_t k = 0; k <= sublayers; ++k)
        table.add({std::to_string(k), shown(count(k))}, seeds, "/paths", k);
    const bool carries =
        std::ranges::any_of(flows, [](const SeedFlow& s) { return s.flow.input_grad_norm != 0; });
    return table.text() + "mean length by energy: " +
           (carries ? mean_of(flows, [](const SeedFlow& s) { return s.paths->mean_length(); })
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
    out["seeds"] = seeds_json(seeds);
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
    const Json json = seeds_json(seeds);
    out += blocks_text(scales_skip(config), seeds, json);
    if (seeds.front().paths) out += '\n' + paths_text(config.skip, seeds, json);
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
