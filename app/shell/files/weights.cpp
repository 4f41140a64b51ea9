#include "app/shell/files/weights.h"

#include "app/io/safetensors/transformer_weights.h"
#include "app/session/settings_json.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

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
    const nlohmann::json said = said_by(file);
    const JsonPlace place{said, file.file_name, "/__metadata__"};
    TransformerConfig config = now;
    make_fit(config, file);
    if (auto ok = read_fields(place, config); !ok) return tl::unexpected(ok.error());
    auto model = read_transformer<float>(file, config);
    if (!model) return tl::unexpected(model.error());
    FileWeights out{std::filesystem::path(file.file_name).filename().string(),
                    numbered(model->config.vocabulary), std::move(*model)};
    const auto word = [](const JsonPlace& at, std::size_t /*place*/) { return read_string(at); };
    if (auto ok = read_optional(place, "words", out.vocabulary, list_of<std::string>(word)); !ok)
        return tl::unexpected(ok.error());
    return out;
}

void take_weights(App::State& s, const OpenRequest& from, const Safetensors& file) {
    const auto weights = read_file_weights(file, s.document().transformer.config);
    if (!weights) return s.complain(weights.error().message);
    const TransformerConfig& config = weights->model.config;
    std::string assumed;
    for (const Field<TransformerConfig>& field : fields<TransformerConfig>())
        if (const std::string key(field.key);
            (key == "heads" || key == "norm" || key == "placement") && !file.metadata.contains(key))
            assumed += (assumed.empty() ? "" : ", ") + describe_value(field, field.get(config));
    const auto shared = std::make_shared<const FileWeights>(*weights);
    if (!s.apply_edits({TakeWeights{shared}})) return;
    const auto table = workspace_table();
    const auto shows = std::ranges::find_if(table, &WorkspaceEntry::of_weights);
    if (shows != table.end()) s.view.workspace = static_cast<std::size_t>(shows - table.begin());
    s.files.recent.add(from.path);
    s.say(fmt::format("{}: {}, {} features{}", from.path.filename().string(),
                      transformer_name(config), config.width,
                      assumed.empty() ? "" : "; the file does not say, so: " + assumed));
}

} // namespace normscope
