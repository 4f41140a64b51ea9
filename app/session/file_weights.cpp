#include "app/session/file_weights.h"

#include "app/session/document_json.h"
#include "core/base/in_range.h"
#include "core/base/lists.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace normscope {

namespace {

using Config = TransformerConfig;
using ConfigField = Field<Config>;

// Lists of words: the vocabulary, and a pair of sentences to begin with.
constexpr const char* k_words = "words";
constexpr const char* k_source = "example_source";
constexpr const char* k_target = "example_target";

// The settings and words in the metadata, as JSON: "4" is a number, "pre" a word, as is a choice
// called "1".
nlohmann::json said_by(const Safetensors& file) {
    nlohmann::json out = nlohmann::json::object();
    const auto read = [&](std::string_view key, bool is_choice) {
        const auto said = file.metadata.find(std::string(key));
        if (said == file.metadata.end()) return;
        auto value = nlohmann::json::parse(said->second, nullptr, false);
        if (is_choice || value.is_discarded()) value = said->second;
        out[said->first] = std::move(value);
    };
    for (const ConfigField* const field : file_settings())
        read(field->key, !field->words.choices.empty());
    for (const char* list : {k_words, k_source, k_target}) read(list, false);
    return out;
}

// Changes usual settings to ones that the weights can be run with.
void make_fit(Config& config, const NamedWeights& weights) {
    config.arch = Config{}.arch;
    config.positions = weights.positions.value_or(
        config.positions == Positions::learned ? Positions::sinusoidal : config.positions);
    if (config.placement == Placement::peri) config.placement = Placement::post;
    if (!has_tables(weights.file)) {
        config.positions = weights.positions.value_or(Positions::none);
        config.embed_scale = EmbedScale::one;
    }
    const Index width = layer_width(weights.file);
    if (width == 0) return;
    while (width % config.heads != 0) --config.heads;
    while (width % config.norm.groups != 0) --config.norm.groups;
}

Result<void> check_heads(const std::string& file_name, const Config& config, Index width) {
    // check_config() says what is wrong with a wider model.
    if (width == 0 || width > k_widest_model || width % config.heads == 0) return {};
    std::vector<Index> divisors;
    for (Index heads = 1; heads <= width; ++heads)
        if (width % heads == 0) divisors.push_back(heads);
    return fail("{}: heads: {} do not divide the width {}, which the file fixes: take one "
                "of {}.",
                file_name, config.heads, width, joined(divisors));
}

// Whether a setting changes anything in the Transformer. An encoder's layers may be a decoder's.
bool counts(const ConfigField& field, const Config& config, const Safetensors& weights) {
    return field.key == "groups" ? config.norm.kind == NormKind::group
           : field.key == "mask" ? has_decoder(config)
           : field.key == "arch" ? !weights.holds("decoder.layers.")
                                 : true;
}

} // namespace

std::vector<const ConfigField*> file_settings() {
    std::vector<const ConfigField*> out;
    for (const ConfigField& field : fields<Config>())
        for (const std::string_view key :
             {"arch", "heads", "activation", "norm", "groups", "placement", "skip", "positions",
              "mask", "embed_scale", "label_smoothing", "eps"})
            if (field.key == key) out.push_back(&field);
    return out;
}

std::string setting_text(const ConfigField& field, const FieldValue& value) {
    const auto json = json_of(field, value);
    return json.is_string() ? json.get<std::string>() : json.dump();
}

template<class S>
Result<FileModel<S>> read_file_model(const Safetensors& file, Config usual,
                                     std::span<const SetField<Config>> asked, int threads) {
    return reading([&] {
        const NamedWeights weights = or_throw(name_weights(file));
        const nlohmann::json said = said_by(file);
        const JsonPlace place{said, file.file_name, "/__metadata__"};
        Config config = usual;
        make_fit(config, weights);
        Reader reader(place);
        reader.fields(config);
        // A table is there to be used.
        if (weights.positions) config.positions = *weights.positions;
        const Config of_file = config;
        for (const SetField<Config>& change : asked) change.field->set(config, change.value);
        if (auto ok = check_heads(file.file_name, config, layer_width(weights.file)); !ok)
            throw ok.error();
        FileModel<S> out{or_throw(read_transformer<S>(weights.file, config, threads)),
                         {},
                         has_tables(weights.file),
                         {},
                         {},
                         {},
                         weights.notes};
        for (Index i = 0; i < out.model.config.vocabulary; ++i)
            out.vocabulary.push_back(std::to_string(i));
        for (const auto& [key, words] : {std::pair(k_words, &out.vocabulary),
                                         {k_source, &out.source},
                                         {k_target, &out.target}})
            reader(key, *words);
        for (const ConfigField* const field : file_settings()) {
            if (!counts(*field, out.model.config, weights.file)) continue;
            FileSetting& setting = out.settings.emplace_back(FileSetting{field, {}, false});
            if (said.contains(field->key) || (field->key == "positions" && weights.positions))
                setting.of_file = field->get(of_file);
            setting.asked = find_in(asked, field, &SetField<Config>::field);
        }
        return out;
    });
}

Result<FileModel<float>> read_file_weights(const Safetensors& file, Config now) {
    now.longest = static_cast<Index>(k_most_words);
    auto model = read_file_model<float>(file, now);
    if (model && !model->reads_words)
        return fail(worded("{}: holds layers alone, without tables for words (src_embed.weight, "
                           "generator.weight): “normscope transformer --weights” runs them on a "
                           "matrix",
                           file.file_name));
    return model;
}

FileWeights kept_weights(FileModel<float> model, const std::string& file_name) {
    return {std::filesystem::path(file_name).filename().string(), std::move(model.vocabulary),
            std::move(model.model)};
}

NORMSCOPE_IN_BOTH_PRECISIONS(read_file_model);

} // namespace normscope
