#include "app/session/settings_json.h"

#include <fmt/format.h>

namespace normscope {

namespace {

using Json = nlohmann::json;

struct ToJson {
    const FieldInfo& field;

    template<class T>
    Json operator()(const T& value) const {
        return value;
    }
    Json operator()(const std::optional<double>& value) const { return *value; }
    Json operator()(const Chosen& value) const { return field.words.choices[value.at].id; }
    Json operator()(const Shared<std::vector<double>>& values) const { return *values; }
    Json operator()(const std::optional<FaderRange>& range) const {
        return Json::array({range->lo, range->hi});
    }
};

struct ReadValue {
    const JsonPlace& place;
    const FieldInfo& field;

    FieldValue operator()(bool) const { return read_flag(place); }
    FieldValue operator()(std::int64_t) const {
        constexpr double k_most = std::numeric_limits<std::int32_t>::max();
        return read_integer(place, static_cast<std::int64_t>(std::max(field.bounds.least, 0.0)),
                            static_cast<std::int64_t>(std::min(field.bounds.most, k_most)));
    }
    FieldValue operator()(std::uint64_t) const { return read_seed(place); }
    FieldValue operator()(double) const { return read_number(place); }
    FieldValue operator()(const std::optional<double>&) const {
        return std::optional(read_number(place));
    }
    FieldValue operator()(const Chosen&) const {
        std::string ids;
        for (std::size_t i = 0; i < field.words.choices.size(); ++i) {
            if (place.json == field.words.choices[i].id) return Chosen{i};
            ids += fmt::format("{}\"{}\"", i > 0 ? ", " : "", field.words.choices[i].id);
        }
        place.expected(worded("one of ") + ids);
    }
    FieldValue operator()(const std::vector<Index>& like) const {
        if (!place.json.is_array() || place.json.size() != like.size())
            place.expected(worded("a list of {} whole numbers", like.size()));
        return list_of(read_index)(place);
    }
    FieldValue operator()(const Shared<std::vector<double>>&) const {
        if (!place.json.is_array()) place.expected("a list of numbers");
        return Shared(list_of(read_number)(place));
    }
    FieldValue operator()(const std::optional<FaderRange>&) const {
        return std::optional(read_range(place));
    }
};

} // namespace

Json json_of(const FieldInfo& field, const FieldValue& value) {
    return std::visit(ToJson{field}, value);
}

FieldValue read_value(const JsonPlace& place, const FieldInfo& field, const FieldValue& like) {
    FieldValue value = std::visit(ReadValue{place, field}, like);
    place.check(check_value(field, value));
    return value;
}

} // namespace normscope
