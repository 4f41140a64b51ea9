#include "app/model/transformer/file_weights.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace normscope {

bool fits(const TransformerConfig& config, const FileWeights& weights) {
    // The vocabulary is that of the words: see config_of().
    const auto sizes = [](const TransformerConfig& c) {
        return std::tuple(c.arch, c.layers, c.decoder_layers, c.width, c.ffn, c.final_norm, c.tied,
                          c.head_bias, c.rezero, c.source_vocabulary,
                          c.placement == Placement::peri,
                          c.positions == Positions::learned ? c.longest : 0);
    };
    return sizes(config) == sizes(weights.model.config);
}

Result<Transformer<float>> with_config(const FileWeights& weights,
                                       const TransformerConfig& config) {
    auto model = TRY(empty_transformer<float>(config));
    if (!weights.model.encoder.final_norm) model.encoder.final_norm.reset();
    if (!weights.model.decoder.final_norm) model.decoder.final_norm.reset();
    const auto from = tensors(weights.model);
    const auto to = tensors(model);
    if (!std::ranges::equal(from, to, [](const auto& a, const auto& b) {
            return a.name == b.name && a.shape == b.shape;
        }))
        return fail("The weights of {} have other sizes than the Transformer", weights.name);
    for (const auto i : indices(from)) std::copy_n(from[i].data, from[i].size(), to[i].data);
    return model;
}

double least_parameters(const TransformerConfig& c) {
    const auto d = static_cast<double>(c.width), ffn = static_cast<double>(c.ffn);
    return (encoder_layers(c) + decoder_layers(c)) * (4 * d * d + 2 * d * ffn) +
           static_cast<double>(c.vocabulary) * d;
}

Result<void> check(const FileWeights& weights) {
    const TransformerConfig& c = weights.model.config;
    if (source_vocabulary(c) != c.vocabulary)
        return fail("{}: the source has {} words and the target {}: the workspace "
                    "shows one vocabulary; “normscope transformer” runs such weights",
                    weights.name, source_vocabulary(c), c.vocabulary);
    if (std::ssize(weights.vocabulary) != c.vocabulary)
        return fail("{}: names {} words; its tables have {} rows", weights.name,
                    weights.vocabulary.size(), c.vocabulary);
    const std::set<std::string> distinct(weights.vocabulary.begin(), weights.vocabulary.end());
    if (distinct.size() != weights.vocabulary.size() || distinct.contains(""))
        return fail("{}: a word of its vocabulary is empty or stands twice", weights.name);
    if (decoder_layers(c) > k_most_transformer_layers)
        return fail("{}: has {} decoder layers; a document keeps up to {}: “normscope "
                    "transformer --weights” runs it",
                    weights.name, decoder_layers(c), k_most_transformer_layers);
    if (const Index count = parameter_count(weights.model); count > k_most_file_parameters)
        return fail("{}: has {} parameters; a document keeps up to {}: “normscope "
                    "transformer --weights” runs it",
                    weights.name, count, k_most_file_parameters);
    return {};
}

} // namespace normscope
