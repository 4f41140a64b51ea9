#include "app/cli/flow_text.h"

#include "app/cli/text_table.h"
#include "app/model/flow/flow_setup.h"
#include "app/session/document_json.h"
#include "app/study/gradient_flow/flow_study.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace normscope {

namespace {

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

// Of norms and mean squares, as the chart's.
double mean_of(const std::vector<SeedFlow>& seeds,
               const std::function<double(const SeedFlow&)>& value) {
    std::vector<double> values;
    for (const SeedFlow& seed : seeds) values.push_back(value(seed));
    return mean_over_seeds(values);
}

// Of what may be negative, or adds up to 1.
double arithmetic_mean_of(const std::vector<SeedFlow>& seeds,
                          const std::function<double(const SeedFlow&)>& value) {
    double sum = 0;
    for (const SeedFlow& seed : seeds) sum += value(seed);
    return sum / static_cast<double>(seeds.size());
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
        const auto mean = [&](auto value) {
            return shown(mean_of(
                seeds, [&](const SeedFlow& seed) { return value(seed.flow.blocks[l - 1]); }));
        };
        std::vector<std::string> row{
            std::to_string(l),
            mean([](const BlockFlow& b) { return b.mean_square; }),
            mean([](const BlockFlow& b) { return b.grad_norm; }),
            mean([](const BlockFlow& b) { return b.split.skip_norm; }),
            mean([](const BlockFlow& b) { return b.split.branch_norm; }),
            std::all_of(seeds.begin(), seeds.end(),
                        [&](const SeedFlow& seed) { return has_angle(seed.flow.blocks[l - 1]); })
                ? shown(arithmetic_mean_of(
                      seeds,
                      [&](const SeedFlow& seed) { return seed.flow.blocks[l - 1].split.cosine; }))
                : std::string("—"),
        };
        for (const Column& column : columns)
            row.push_back(mean([&](const BlockFlow& b) { return (b.*column.value).value_or(0); }));
        const auto scale = [&](double BlockFlow::*value) {
            return shown(arithmetic_mean_of(
                seeds, [&](const SeedFlow& seed) { return seed.flow.blocks[l - 1].*value; }));
        };
        if (scaled)
            row.insert(row.end(),
                       {scale(&BlockFlow::trunk_scale_grad), scale(&BlockFlow::branch_scale_grad)});
        table.add(std::move(row));
    }
    table.add({"input",
               shown(mean_of(seeds, [](const SeedFlow& s) { return s.flow.input_mean_square; })),
               shown(mean_of(seeds, [](const SeedFlow& s) { return s.flow.input_grad_norm; }))});
    return table.text() +
           "mean square and ‖∂L/∂x‖: of the block's output; skip and sublayer: the parts of the "
           "gradient at its input\n" +
           (scaled ? fmt::format(
                         "of the stack: dλ = {}, dα = {}\n",
                         shown(arithmetic_mean_of(
                             seeds, [](const SeedFlow& s) { return s.flow.trunk_scale_grad(); })),
                         shown(arithmetic_mean_of(
                             seeds, [](const SeedFlow& s) { return s.flow.branch_scale_grad(); })))
                   : std::string());
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
        table.add({std::to_string(k), shown(count(k)),
                   shown(arithmetic_mean_of(
                       seeds, [k](const SeedFlow& s) { return s.paths->energy_share[k]; })),
                   shown(arithmetic_mean_of(
                       seeds, [k](const SeedFlow& s) { return s.paths->signed_share[k]; }))});
    const bool carries = std::any_of(seeds.begin(), seeds.end(),
                                     [](const SeedFlow& s) { return s.flow.input_grad_norm != 0; });
    const double mean =
        arithmetic_mean_of(seeds, [](const SeedFlow& s) { return s.paths->mean_length(); });
    return table.text() + "mean length by energy: " +
           (carries ? shown(mean) : "— (the gradient at the input is 0)") + '\n';
}

} // namespace

bool overflows(const std::vector<SeedFlow>& seeds) {
    return std::any_of(seeds.begin(), seeds.end(), [](const SeedFlow& seed) {
        return std::any_of(
            seed.flow.blocks.begin(), seed.flow.blocks.end(), [](const BlockFlow& block) {
                return !std::isfinite(block.mean_square) || !std::isfinite(block.grad_norm);
            });
    });
}

std::string flow_json(const StackConfig& config, const std::string& precision,
                      const std::vector<SeedFlow>& seeds) {
    Json out;
    out["config"] = stack_settings(config);
    out["config"].erase("seed"); // each seed says its own
    out["config"]["precision"] = precision;
    out["seeds"] = Json::array();
    for (const SeedFlow& seed : seeds) out["seeds"].push_back(seed_json(seed));
    return out.dump(1) + '\n';
}

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

} // namespace normscope
