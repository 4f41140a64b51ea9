#include "app/session/parts_archive.h"

#include "app/model/transformer/file_weights.h"
#include "core/base/lists.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <utility>

namespace normscope {

void forget_derived_names(FlowSetup& flow) {
    const InEnglish as_kept;
    FlowSetup renamed = flow;
    renamed.linked_affine = false;
    std::vector<PinnedStack> pins = *flow.pinned;
    for (PinnedStack& pin : pins) {
        const std::string kept = std::exchange(pin.name, {});
        renamed.pinned = pins;
        if (entry_at(stack_names(renamed), &pin - pins.data()) != kept) pin.name = kept;
    }
    flow.pinned = std::move(pins);
}

nlohmann::ordered_json json_of(const std::shared_ptr<const FileWeights>& weights) {
    if (!weights) return nullptr;
    Writer out;
    out("name", weights->name);
    out("words", weights->vocabulary);
    out("decoder_layers", weights->model.config.decoder_layers);
    Writer values;
    for (const auto& tensor : tensors(weights->model))
        values(tensor.name, std::vector<double>(tensor.data, tensor.data + tensor.size()));
    out.put("tensors", std::move(values.out));
    return std::move(out.out);
}

std::shared_ptr<const FileWeights> read_weights(const JsonPlace& at, TransformerConfig& config) {
    FileWeights out;
    const auto count = [](const JsonPlace& n) {
        return read_integer(n, 1, k_most_transformer_layers);
    };
    Reader file(at);
    file("name", out.name);
    file("words", out.vocabulary);
    file("decoder_layers", config.decoder_layers, count);
    const auto values = file.find("tensors");
    file.only();
    if (!values || !values->json.is_object()) at.expected("an object with “tensors”");
    config.vocabulary = std::ssize(out.vocabulary);
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
    Reader named(*values);
    const auto into = tensors(out.model);
    for (const auto& tensor : into) {
        std::vector<double> read;
        named.need(tensor.name, read, [&](const JsonPlace& numbers) {
            const auto size = static_cast<std::size_t>(tensor.size());
            if (!numbers.json.is_array() || numbers.json.size() != size)
                numbers.expected(worded("{} numbers", size));
            return list_of(read_number)(numbers);
        });
        for (const auto i : indices(read)) tensor.data[i] = static_cast<float>(read[i]);
    }
    named.only();
    at.check(check(out));
    return std::make_shared<const FileWeights>(std::move(out));
}

nlohmann::ordered_json json_of(const std::vector<LaneDifference>& differences) {
    Writer out;
    for (const auto& [field, value] : differences)
        out.out[std::string(field->key)] = json_of(*field, value);
    return std::move(out.out);
}

void read_into(const JsonPlace& at, std::vector<LaneDifference>& into) {
    Reader reader(at);
    for (const Field<TrainConfig>* const field : lane_fields())
        if (const auto found = reader.find(field->key)) {
            const FieldValue usual = field->get(TrainConfig{});
            const bool none = found->json.is_null(); // a number that may be none
            into.push_back({field, none ? usual : read_value(*found, *field, usual)});
        }
    reader.only();
}

void read_into(const JsonPlace& at, TrainConfig& into) {
    Reader reader(at);
    TrainConfig said;
    reader.fields(said);
    reader.only();
    into = usual_config(said.task);
    reader.fields(into);
}

void complete(Points& out, const JsonPlace& at) {
    PointNames& names = out.names;
    if (std::cmp_not_equal(out.x.rows(), out.classes.size()))
        at.expected("as many classes as points");
    const auto columns = static_cast<std::size_t>(out.x.cols());
    for (const Index one : out.classes) out.class_count = std::max(out.class_count, one + 1);
    if (std::max(out.class_count, std::ssize(names.classes)) > std::max<Index>(2, out.x.rows()))
        at.expected("at most as many classes as points");
    if (names.classes.empty()) { // of a session that kept none
        for (std::size_t i = 0; i <= columns; ++i) names.features.push_back(std::to_string(i + 1));
        names.class_column = names.features.back();
        names.features.pop_back();
        names.class_at = static_cast<Index>(columns);
        for (Index c = 0; c < out.class_count; ++c) names.classes.push_back(std::to_string(c));
    }
    if (names.features.size() != columns || names.class_at > static_cast<Index>(columns))
        at.expected("as many features as columns, and the class among them");
    if (std::ssize(names.classes) < out.class_count) at.expected("a name for each class");
    out.class_count = std::ssize(names.classes);
}

} // namespace normscope
