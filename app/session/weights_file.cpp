#include "app/session/weights_file.h"

#include "app/io/safetensors/safetensors.h"
#include "app/session/settings_json.h"

#include <filesystem>

namespace normscope {

namespace {

// What the metadata says, as JSON: "4" is a number, "pre" a word.
nlohmann::json said_by(const Safetensors& file) {
    nlohmann::json out = nlohmann::json::object();
    for (const auto& [key, text] : file.metadata) {
        nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
        out[key] = value.is_discarded() ? nlohmann::json(text) : std::move(value);
    }
    return out;
}

// Settings that no weights of a file have, or that do not fit their width.
void make_fit(TransformerConfig& config, const Safetensors& file) {
    if (config.positions == Positions::learned) config.positions = Positions::sinusoidal;
    if (config.placement == Placement::peri) config.placement = Placement::post;
    const TensorEntry* head = file.find("generator.weight");
    if (head && head->shape.size() == 2 && head->shape[1] > 0) {
        const Index width = head->shape[1];
        while (width % config.heads != 0) --config.heads;
        while (width % config.norm.groups != 0) --config.norm.groups;
    }
}

// Of a file that names none: the ids.
Words numbered(Index count) {
    Words words;
    for (Index i = 0; i < count; ++i) words.push_back(std::to_string(i));
    return words;
}

} // namespace

Result<FileWeights> read_file_weights(const Safetensors& file, const TransformerConfig& now) {
    return reading([&] {
        const nlohmann::json said = said_by(file);
        const JsonPlace place{said, file.file_name, "/__metadata__"};
        TransformerConfig config = now;
        make_fit(config, file);
        read_fields(place, config);
        auto model = or_throw(read_transformer<float>(file, config));
        FileWeights out{std::filesystem::path(file.file_name).filename().string(),
                        numbered(model.config.vocabulary), std::move(model)};
        read_optional(place, "words", out.vocabulary, list_of(read_string));
        return out;
    });
}

} // namespace normscope
