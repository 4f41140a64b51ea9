#include "app/session/document_json.h"
#include "app/session/settings_json.h"

#include <algorithm>

namespace normscope {

namespace {

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
    for (const Field<TrainConfig>& field : fields<TrainConfig>()) {
        const FieldValue value = field.get(config);
        const auto* number = std::get_if<std::optional<double>>(&value);
        if (!number || *number) out[std::string(field.key)] = json_of(field, value);
    }
    return out;
}

nlohmann::ordered_json json_of(const Lane& lane) {
    nlohmann::ordered_json out;
    if (!lane.name.empty()) out["name"] = lane.name;
    out["on"] = lane.on;
    out["look"] = lane.look;
    for (const LaneDifference& difference : lane.differences) {
        const auto* number = std::get_if<std::optional<double>>(&difference.value);
        auto& value = out["differences"][std::string(difference.field->key)];
        if (!number || *number) value = json_of(*difference.field, difference.value);
    }
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
    return out;
}

Points points_of(const JsonPlace& at, const std::vector<std::vector<double>>& points,
                 std::vector<Index> classes) {
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
    return out;
}

RaceInput read_input(const JsonPlace& at) {
    RaceInput out;
    std::vector<std::vector<double>> points;
    std::vector<Index> classes;
    read_members(at, {{"name", out.name, read_string},
                      {"text", out.given.text, read_string},
                      {"points", points, list_of(list_of(read_number))},
                      {"classes", classes, list_of(read_index)}});
    out.given.points = points_of(at, points, std::move(classes));
    return out;
}

} // namespace

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
