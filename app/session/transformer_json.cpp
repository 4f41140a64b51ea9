#include "app/session/document_json.h"
#include "app/session/settings_json.h"
#include "core/transformer/named_tensors.h"

namespace normscope {

namespace {

// {"name": "W.safetensors", "words": ["<s>", …], "tensors": {"encoder.layers.0…": [0.5, …], …}}:
// PyTorch's names, row after row.
nlohmann::ordered_json json_of(const FileWeights& weights) {
    nlohmann::ordered_json out;
    out["name"] = weights.name;
    out["words"] = weights.vocabulary;
    if (const auto layers = weights.model.config.decoder_layers) out["decoder_layers"] = *layers;
    for (const auto& tensor : tensors(weights.model)) {
        auto& values = out["tensors"][tensor.name] = nlohmann::ordered_json::array();
        for (Index i = 0; i < tensor.size(); ++i)
            values.push_back(static_cast<double>(tensor.data[i]));
    }
    return out;
}

void read_tensor(const JsonPlace& place, const NamedTensor<float>& into) {
    const std::vector<double> values = list_of(read_number)(place);
    if (static_cast<Index>(values.size()) != into.size())
        place.expected(worded("{} numbers", into.size()));
    for (std::size_t i = 0; i < values.size(); ++i) into.data[i] = static_cast<float>(values[i]);
}

std::shared_ptr<const FileWeights> read_weights(const JsonPlace& at, TransformerConfig config) {
    FileWeights out;
    check_keys(at, {"name", "words", "decoder_layers", "tensors"});
    const auto count = [](const JsonPlace& n) {
        return read_integer(n, 1, k_most_transformer_layers);
    };
    read_some(at, {{"name", out.name, read_string},
                   {"words", out.vocabulary, list_of(read_string)},
                   {"decoder_layers", config.decoder_layers, count}});
    const auto values = at.find("tensors");
    if (!values || !values->json.is_object()) at.expected("an object with “tensors”");
    config.vocabulary = static_cast<Index>(out.vocabulary.size());
    config.source_vocabulary = config.vocabulary;
    const auto has = [&](const char* name) { return values->json.contains(name); };
    config.final_norm = has("encoder.norm.weight") || has("decoder.norm.weight");
    config.rezero = has("encoder.layers.0.alpha1") || has("decoder.layers.0.alpha1");
    // A few bytes must not ask for gigabytes.
    if (least_parameters(config) > static_cast<double>(k_most_file_parameters))
        at.wrong(worded("a Transformer of this size has more than {} parameters",
                        k_most_file_parameters));
    auto model = empty_transformer<float>(config);
    if (!model) at.wrong(error_text(model.error()));
    out.model = std::move(*model);
    if (!has("encoder.norm.weight")) out.model.encoder.final_norm.reset();
    if (!has("decoder.norm.weight")) out.model.decoder.final_norm.reset();
    std::vector<std::string_view> names;
    const auto into = tensors(out.model);
    for (const auto& tensor : into) names.push_back(tensor.name);
    check_keys(*values, names);
    for (const auto& tensor : into) {
        const auto found = values->find(tensor.name);
        if (!found) values->wrong("“" + tensor.name + worded("” is missing"));
        read_tensor(*found, tensor);
    }
    at.check(check(out));
    return std::make_shared<const FileWeights>(std::move(out));
}

} // namespace

nlohmann::ordered_json part_json(const TransformerSetup& setup) {
    nlohmann::ordered_json out;
    write_fields(out, setup.config);
    out["source"] = *setup.source;
    out["target"] = *setup.target;
    for (const TakenOut& piece : *setup.taken_out)
        write_fields(out["taken_out"].emplace_back(), piece);
    if (setup.decoded) out["decoded"] = *setup.decoded;
    if (setup.weights) out["weights"] = json_of(*setup.weights);
    return out;
}

void read_part(const JsonPlace& place, TransformerSetup& setup) {
    const auto weights = [&](const JsonPlace& at) { return read_weights(at, setup.config); };
    const auto decoded = [](const JsonPlace& at) {
        return static_cast<int>(read_integer(at, 0, static_cast<int>(k_most_words)));
    };
    const auto words = list_of(read_string);
    read_object(place, setup.config,
                {{"source", setup.source, words},
                 {"target", setup.target, words},
                 {"taken_out", setup.taken_out, list_of(read_new<TakenOut>)},
                 {"decoded", setup.decoded, decoded},
                 {"weights", setup.weights, weights}});
    if (setup.weights) setup.config = setup.weights->model.config;
}

} // namespace normscope
