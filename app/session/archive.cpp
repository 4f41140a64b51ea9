#include "app/session/archive.h"

#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <limits>

namespace normscope {

namespace {

using Ordered = nlohmann::ordered_json;

struct ToJson {
    const FieldInfo& field;

    template<class T>
    Ordered operator()(const T& value) const {
        return json_of(value);
    }
    Ordered operator()(const Chosen& value) const { return field.words.choices[value.at].id; }
};

struct ReadValue {
    const JsonPlace& place;
    const FieldInfo& field;

    template<class T>
    FieldValue operator()(T value) const {
        read_into(place, value);
        return value;
    }
    FieldValue operator()(std::int64_t) const {
        constexpr double k_most = std::numeric_limits<std::int32_t>::max();
        return read_integer(place, static_cast<std::int64_t>(std::max(field.bounds.least, 0.0)),
                            static_cast<std::int64_t>(std::min(field.bounds.most, k_most)));
    }
    FieldValue operator()(std::uint64_t) const { return read_seed(place); }
    FieldValue operator()(const Chosen&) const {
        const auto& choices = field.words.choices;
        for (const auto i : indices(choices))
            if (place.json == choices[i].id) return Chosen{i};
        const auto quoted = [](const ChoiceName& c) { return fmt::format("\"{}\"", c.id); };
        place.expected(worded("one of {}", joined(choices, quoted)));
    }
    FieldValue operator()(const std::vector<Index>& like) const {
        if (!place.json.is_array() || place.json.size() != like.size())
            place.expected(worded("a list of {} whole numbers", like.size()));
        return list_of(read_index)(place);
    }
};

} // namespace

Ordered json_of(const FieldInfo& field, const FieldValue& value) {
    return std::visit(ToJson{field}, value);
}

FieldValue read_value(const JsonPlace& place, const FieldInfo& field, const FieldValue& like) {
    FieldValue value = std::visit(ReadValue{place, field}, like);
    place.check(check_value(field, value));
    return value;
}

Ordered json_of(double value) {
    if (std::isfinite(value)) return value;
    if (std::isnan(value)) return std::signbit(value) ? "-NaN" : "NaN";
    return value > 0 ? "Infinity" : "-Infinity";
}
Ordered json_of(const std::filesystem::path& path) {
    return path.string();
}
Ordered json_of(const FaderRange& range) {
    return json_of(std::vector{range.lo, range.hi});
}
Ordered json_of(const Matrix<double>& rows) {
    Ordered out = Ordered::array();
    for (Index r = 0; r < rows.rows(); ++r)
        out.push_back(json_of(std::vector<double>(rows.row(r).begin(), rows.row(r).end())));
    return out;
}

void read_into(const JsonPlace& at, bool& into) {
    if (!at.json.is_boolean()) at.expected("true or false");
    into = at.json.get<bool>();
}
void read_into(const JsonPlace& at, double& into) {
    into = read_number(at);
}
void read_into(const JsonPlace& at, std::string& into) {
    into = read_string(at);
}
void read_into(const JsonPlace& at, std::filesystem::path& into) {
    into = read_string(at);
}
void read_into(const JsonPlace& at, FaderRange& into) {
    const auto& json = at.json;
    if (!json.is_array() || json.size() != 2 || !json[0].is_number() || !json[1].is_number())
        at.expected("two numbers, the lower first");
    into = {json[0].get<double>(), json[1].get<double>()};
    if (!(into.lo < into.hi))
        at.wrong(worded("expected two numbers, the lower first, found {} and {}", shown(json[0]),
                        shown(json[1])));
}

Reader::Reader(const JsonPlace& at) : place(at) {
    if (!at.json.is_object()) at.expected("an object in braces");
}

std::optional<JsonPlace> Reader::find(std::string_view key) {
    known_.push_back(key);
    return place.find(key);
}

void Reader::only() const {
    if (place.lenient) return;
    for (const auto& item : place.json.items())
        if (!find_in(known_, item.key()))
            place.wrong(worded("the key {} is not known; expected one of {}",
                               shown(nlohmann::json(item.key())), joined(known_)));
    if (!missing_.empty()) place.wrong(fmt::format("\"{}\" is missing", missing_.front()));
}

void Writer::put(std::string_view key, Ordered json) {
    const bool empty = json.empty() || json == "";
    if (!empty) out[std::string(key)] = std::move(json);
}

} // namespace normscope
