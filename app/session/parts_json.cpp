#include "app/session/document_json.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>

namespace normscope {

namespace {

StackConfig read_stack(const JsonPlace& at) {
    StackConfig c = default_flow().stack;
    read_object(at, c, {{"block_affine", c.block_affine, list_of(read_new<BlockAffine>)}});
    return c;
}

// One that says no look has that of its place: sessions were once written without.
PinnedStack read_pin(const JsonPlace& at, std::size_t place) {
    PinnedStack pin{{}, default_flow().stack, true, place};
    read_members(at, {{"stack", pin.stack, read_stack},
                      {"shown", pin.shown, read_flag},
                      {"look", pin.look, read_index},
                      {"name", pin.name, read_string}});
    const InEnglish as_kept;
    if (!at.find("name")) pin.name = stack_name(pin.stack);
    return pin;
}

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
        if (!found) values->wrong(worded("“{}” is missing", tensor.name));
        const std::vector<double> read = list_of(read_number)(*found);
        if (static_cast<Index>(read.size()) != tensor.size())
            found->expected(worded("{} numbers", tensor.size()));
        for (std::size_t i = 0; i < read.size(); ++i) tensor.data[i] = static_cast<float>(read[i]);
    }
    at.check(check(out));
    return std::make_shared<const FileWeights>(std::move(out));
}

std::vector<LaneDifference> read_differences(const JsonPlace& at) {
    std::vector<std::string_view> keys;
    for (const Field<TrainConfig>* const field : lane_fields()) keys.push_back(field->key);
    check_keys(at, keys);
    std::vector<LaneDifference> out;
    for (const Field<TrainConfig>* const field : lane_fields())
        if (const auto found = at.find(std::string(field->key))) {
            const FieldValue usual = field->get(TrainConfig{});
            const bool none = found->json.is_null(); // a number that may be none
            out.push_back({field, none ? usual : read_value(*found, *field, usual)});
        }
    return out;
}

// What is left out is as the task is usually trained.
TrainConfig read_config(const JsonPlace& at) {
    TrainConfig config = usual_config(read_new<TrainConfig>(at).task);
    read_fields(at, config);
    return config;
}

LanePast read_past(const JsonPlace& at) {
    LanePast past;
    read_members(at, {{"until", past.until, read_index}, {"config", past.config, read_config}});
    return past;
}

// One that says no look has that of its place.
Lane read_lane(const JsonPlace& at, std::size_t place) {
    Lane lane{"", true, place, {}};
    read_members(at, {{"name", lane.name, read_string},
                      {"on", lane.on, read_flag},
                      {"look", lane.look, read_index},
                      {"differences", lane.differences, read_differences},
                      {"past", lane.past, list_of(read_past)}});
    return lane;
}

nlohmann::ordered_json config_json(const TrainConfig& config) {
    nlohmann::ordered_json out;
    for (const Field<TrainConfig>& field : fields<TrainConfig>())
        if (const auto value = json_of(field, field.get(config)); !value.is_null())
            out[std::string(field.key)] = value;
    return out;
}

nlohmann::ordered_json json_of(const Lane& lane) {
    nlohmann::ordered_json out;
    if (!lane.name.empty()) out["name"] = lane.name;
    out["on"] = lane.on;
    out["look"] = lane.look;
    for (const auto& [field, value] : lane.differences)
        out["differences"][std::string(field->key)] = json_of(*field, value);
    for (const LanePast& past : lane.past)
        out["past"].push_back({{"until", past.until}, {"config", config_json(past.config)}});
    return out;
}

nlohmann::ordered_json json_of(const RaceInput& input) {
    nlohmann::ordered_json out;
    out["name"] = input.name;
    if (!input.given.text.empty()) out["text"] = input.given.text;
    const Points& points = input.given.points;
    for (Index i = 0; i < points.x.rows(); ++i) {
        out["points"].push_back(
            std::vector<double>(points.x.row(i).begin(), points.x.row(i).end()));
        out["classes"].push_back(points.classes[static_cast<std::size_t>(i)]);
    }
    if (points.classes.empty()) return out;
    out["features"] = points.names.features;
    out["class"] = points.names.class_column;
    out["class_at"] = points.names.class_at;
    out["class_names"] = points.names.classes;
    return out;
}

Points points_of(const JsonPlace& at, const std::vector<std::vector<double>>& points,
                 std::vector<Index> classes, PointNames names) {
    Points out;
    if (points.size() != classes.size()) at.expected("as many classes as points");
    const std::size_t columns = points.empty() ? 0 : points.front().size();
    out.x.resize(static_cast<Index>(points.size()), static_cast<Index>(columns));
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].size() != columns) at.expected("points of one number of columns");
        for (std::size_t k = 0; k < columns; ++k)
            out.x(static_cast<Index>(i), static_cast<Index>(k)) = points[i][k];
        out.class_count = std::max(out.class_count, classes[i] + 1);
    }
    out.classes = std::move(classes);
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
    out.names = std::move(names);
    return out;
}

RaceInput read_input(const JsonPlace& at) {
    RaceInput out;
    std::vector<std::vector<double>> points;
    std::vector<Index> classes;
    PointNames names;
    read_members(at, {{"name", out.name, read_string},
                      {"text", out.given.text, read_string},
                      {"points", points, list_of(list_of(read_number))},
                      {"classes", classes, list_of(read_index)},
                      {"features", names.features, list_of(read_string)},
                      {"class", names.class_column, read_string},
                      {"class_at", names.class_at, read_index},
                      {"class_names", names.classes, list_of(read_string)}});
    if (!points.empty() || !classes.empty())
        out.given.points = points_of(at, points, std::move(classes), std::move(names));
    return out;
}

} // namespace

nlohmann::ordered_json stack_settings(const StackConfig& c) {
    nlohmann::ordered_json out;
    write_fields(out, c);
    for (const BlockAffine& own : c.block_affine)
        write_fields(out["block_affine"].emplace_back(), own);
    return out;
}

nlohmann::ordered_json part_json(const FlowSetup& s) {
    nlohmann::ordered_json out;
    out["stack"] = stack_settings(s.stack);
    write_fields(out, s);
    for (const PinnedStack& pin : *s.pinned)
        out["pinned"].push_back({{"name", pin.name},
                                 {"shown", pin.shown},
                                 {"look", pin.look},
                                 {"stack", stack_settings(pin.stack)}});
    return out;
}

void read_part(const JsonPlace& place, FlowSetup& s) {
    read_object(place, s,
                {{"stack", s.stack, read_stack}, {"pinned", s.pinned, list_of(read_pin)}});
}

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

nlohmann::ordered_json part_json(const RaceSetup& setup) {
    nlohmann::ordered_json out;
    out["common"] = config_json(setup.common);
    write_fields(out, setup);
    for (const Lane& lane : *setup.lanes) out["lanes"].push_back(json_of(lane));
    if (!(setup.input == RaceSetup{}.input)) out["input"] = json_of(*setup.input);
    return out;
}

void read_part(const JsonPlace& place, RaceSetup& setup) {
    read_object(place, setup,
                {{"common", setup.common, read_config},
                 {"lanes", setup.lanes, list_of(read_lane)},
                 {"input", setup.input, read_input}});
}

} // namespace normscope
