#include "app/cli/transformer/transformer.h"

#include "app/model/transformer/transformer_setup.h"
#include "app/session/archive.h"
#include "app/study/gradient_flow/flow_study.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

Json layers_json(const std::vector<LayerMeasure>& layers) {
    Json out = Json::array();
    for (const LayerMeasure& layer : layers) {
        Json& own = out.emplace_back();
        own["w1_grad_norm"] = layer.w1_grad_norm;
        own["w2_grad_norm"] = layer.w2_grad_norm;
        own["attention_grad_norm"] = layer.attention_grad_norm;
        own["mean_square"] = layer.mean_square;
        own["token_cosine"] = std::isnan(layer.token_cosine) ? Json() : Json(layer.token_cosine);
        for (const AddNormMeasure& at : layer.add_norm)
            own["add_norm"].push_back({{"x_norm", at.x_norm},
                                       {"f_norm", at.f_norm},
                                       {"skip_grad_norm", at.skip_grad_norm},
                                       {"branch_grad_norm", at.branch_grad_norm}});
    }
    return out;
}

Json seeds_json(const std::vector<SeedMeasure>& seeds) {
    Json out = Json::array();
    for (const SeedMeasure& seed : seeds)
        out.push_back({{"seed", seed.seed},
                       {"loss", seed.measure.loss},
                       {"encoder", layers_json(seed.measure.encoder)},
                       {"decoder", layers_json(seed.measure.decoder)}});
    return out;
}

// The columns of an Add & Norm; the last one of a layer has those of the layer too.
constexpr TableColumn k_columns[] = {{"mean square", "/mean_square"},
                                     {"token cosine", "/token_cosine", Mean::arithmetic},
                                     {"‖X‖", "/x_norm"},
                                     {"‖F(X)‖", "/f_norm"},
                                     {"skip", "/skip_grad_norm"},
                                     {"through F", "/branch_grad_norm"},
                                     {"‖dW1‖", "/w1_grad_norm"},
                                     {"‖dW2‖", "/w2_grad_norm"},
                                     {"‖dW attention‖", "/attention_grad_norm"}};

// Lines of one stack, from its last layer down.
void add_lines(TextTable& table, Json seeds, const std::string& stack) {
    for (Json& seed : seeds)
        for (Json& layer : seed[stack]) {
            const Json of_layer = layer;
            layer["add_norm"].back().update(of_layer);
        }
    const Json& layers = seeds[0][stack];
    for (std::size_t l = layers.size(); l-- > 0;) {
        const std::size_t blocks = layers[l]["add_norm"].size();
        for (std::size_t b = blocks; b-- > 0;) {
            const bool last = b + 1 == blocks;
            table.add({last ? fmt::format("{} {}", stack, l + 1) : std::string(),
                       last     ? "feed-forward"
                       : b == 0 ? "self-attention"
                                : "cross-attention"},
                      seeds, fmt::format("/{}/{}/add_norm/{}", stack, l, b));
        }
    }
}

} // namespace

bool overflows(const std::vector<SeedMeasure>& seeds) {
    const auto beyond = [](const LayerMeasure& layer) {
        return !std::isfinite(layer.mean_square) || !std::isfinite(layer.w2_grad_norm);
    };
    return std::ranges::any_of(seeds, [&](const SeedMeasure& seed) {
        return std::ranges::any_of(seed.measure.encoder, beyond) ||
               std::ranges::any_of(seed.measure.decoder, beyond);
    });
}

std::string transformer_json(const DrawnTransformers& drawn) {
    Json out;
    Json& config = out["config"] = json_of(drawn.config);
    config.erase("seed"); // each seed says its own
    config["final_norm"] = has_final_norm(drawn.config);
    config["batch"] = drawn.batch.sentences;
    config["source_tokens"] = drawn.batch.source_tokens;
    config["target_tokens"] = drawn.batch.target_tokens;
    config["precision"] = drawn.precision;
    out["seeds"] = seeds_json(drawn.seeds);
    return out.dump(1) + '\n';
}

std::string weights_json(const WeightsRun& run) {
    Json out;
    out["weights"] = run.file;
    Json& config = out["config"] = json_of(run.config);
    for (const char* of_drawn : {"seed", "init", "tied"}) config.erase(of_drawn);
    config["final_norm"] = has_final_norm(run.config);
    out["from"] = Json::object();
    out["overridden"] = Json::object();
    for (const FileSetting& setting : run.settings) {
        const std::string key(setting.field->key);
        out["from"][key] = setting.asked ? "option" : setting.of_file ? "file" : "assumed";
        if (setting.asked && setting.of_file && *setting.of_file != setting.field->get(run.config))
            out["overridden"][key] = json_of(*setting.field, *setting.of_file);
    }
    out["notes"] = run.notes;
    if (run.loss) out["loss"] = *run.loss;
    return out.dump(1) + '\n';
}

std::string transformer_table(const DrawnTransformers& drawn) {
    const TransformerConfig& c = drawn.config;
    std::string tokens;
    if (has_encoder(c)) tokens += fmt::format(", {} source tokens", drawn.batch.source_tokens);
    if (has_decoder(c)) tokens += fmt::format(", {} target tokens", drawn.batch.target_tokens);
    std::vector<double> losses;
    for (const SeedMeasure& seed : drawn.seeds) losses.push_back(seed.measure.loss);
    TextTable table({"layer", "sublayer"}, k_columns);
    const Json seeds = seeds_json(drawn.seeds);
    for (const char* stack : {"decoder", "encoder"}) add_lines(table, seeds, stack);
    return fmt::format("{}: width {}, {} sentences{}, {}\n\n", transformer_name(c), c.width,
                       drawn.batch.sentences, tokens,
                       drawn.seeds.size() == 1
                           ? fmt::format("seed {}", drawn.seeds.front().seed)
                           : fmt::format("geometric mean of {} seeds (of token cosines the "
                                         "arithmetic one)",
                                         drawn.seeds.size())) +
           table.text() +
           "mean square and token cosine: of the layer's output, the cosine between two tokens of "
           "a "
           "sentence; ‖X‖ and ‖F(X)‖: at the Add & Norm of the sublayer; skip and through F: the "
           "parts of the gradient at X\n" +
           fmt::format("loss: {}\n", shown(mean_over_seeds(losses)));
}

} // namespace normscope
