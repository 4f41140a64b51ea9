#include "app/session/document_json.h"

#include "core/norm/affine.h"

#include <fmt/format.h>

namespace normscope {

namespace {

using Json = nlohmann::json;
using Values = std::vector<double>;

struct ToJson {
    const FieldInfo& field;

    template<class T>
    Json operator()(const T& value) const {
        return value;
    }
    Json operator()(const std::optional<double>& value) const {
        return value ? Json(*value) : Json();
    }
    Json operator()(const Chosen& value) const { return field.words.choices[value.at].id; }
    Json operator()(const Shared<std::vector<double>>& values) const { return *values; }
    Json operator()(const std::optional<FaderRange>& range) const {
        return range ? Json::array({range->lo, range->hi}) : Json();
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
        place.expected(worded("one of {}", ids));
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

Names read_names(const JsonPlace& place, Index count, const char* of) {
    if (!place.json.is_array() || place.json.size() != static_cast<std::size_t>(count))
        place.expected(worded("a list of {} {} names", count, of));
    return list_of(read_string)(place);
}

Values read_params(const JsonPlace& place, Index count) {
    const auto n = static_cast<std::size_t>(count);
    if (!place.json.is_array())
        if (const auto all = reading([&] { return read_number(place); })) return Values(n, *all);
    if (!place.json.is_array() || place.json.size() != n)
        place.expected(worded("one number or a list of {}", count));
    return list_of(read_number)(place);
}

// γ and β of other sharings than the document's.
void read_set_aside(const JsonPlace& place, Document& d) {
    check_keys(place, {"feature", "token", "scalar"});
    for (const auto& [per, id, label] : choices(AffinePer{})) {
        const auto at = place.find(std::string(id));
        if (!at) continue;
        if (per == d.affine_per) at->wrong("these are the document's own γ and β");
        const Index count = affine_size(per, d.token_count(), d.feature_count());
        AffineValues& kept = d.set_aside[static_cast<std::size_t>(per)];
        const auto n = static_cast<std::size_t>(count);
        kept = {Values(n, neutral(Param::gamma)), Values(n, neutral(Param::beta))};
        const auto params_of = [&](const JsonPlace& values) { return read_params(values, count); };
        read_members(*at, {{"gamma", kept.gamma, params_of}, {"beta", kept.beta, params_of}});
    }
}

// The choices that need no size.
void read_settings(const JsonPlace& place, Document& d) {
    read_optional(place, "title", d.title, read_string);
    read_fields(place, d);
    read_some(place, {{"gamma_range", d.gamma_range, read_range},
                      {"beta_range", d.beta_range, read_range}});
    d.gamma_set_range = d.gamma_range; // where nothing else is said
    d.beta_set_range = d.beta_range;
    read_some(place, {{"gamma_set_range", d.gamma_set_range, read_range},
                      {"beta_set_range", d.beta_set_range, read_range}});
}

// Besides the settings. "view" is how the document was looked at; "file", "stamp" and "saved" are a
// copy's of unsaved work: read by read_copy_settings().
std::vector<std::string_view> other_keys() {
    std::vector<std::string_view> keys = {
        "format",         "version",     "file",       "stamp",
        "saved",          "view",        "title",      "tokens",
        "features",       "x",           "f",          "gamma",
        "beta",           "gamma_range", "beta_range", "gamma_set_range",
        "beta_set_range", "dy",          "target",     "set_aside",
        "scenes"};
    for_each_part([&](const auto& part) { keys.push_back(part.key); });
    return keys;
}

} // namespace

Json json_of(const FieldInfo& field, const FieldValue& value) {
    return std::visit(ToJson{field}, value);
}

FieldValue read_value(const JsonPlace& place, const FieldInfo& field, const FieldValue& like) {
    FieldValue value = std::visit(ReadValue{place, field}, like);
    place.check(check_value(field, value));
    return value;
}

Matrix<double> read_matrix(const JsonPlace& place) {
    const auto& rows = place.json;
    if (!rows.is_array() || rows.empty()) place.expected("a list of rows, one a token");
    const std::size_t tokens = rows.size();
    if (tokens > static_cast<std::size_t>(k_max_tokens))
        place.wrong(worded("{} tokens; at most {} fit", tokens, k_max_tokens));
    for (std::size_t t = 0; t < tokens; ++t) {
        const JsonPlace row = place.at(t);
        if (!row.json.is_array() || row.json.empty()) row.expected("a list of numbers");
        if (row.json.size() > static_cast<std::size_t>(k_max_features))
            row.wrong(worded("{} features; at most {} fit", row.json.size(), k_max_features));
        if (row.json.size() != rows[0].size())
            row.wrong(worded("expected {} values as in the first row, found {}", rows[0].size(),
                             row.json.size()));
    }
    Matrix<double> out(static_cast<Index>(tokens), static_cast<Index>(rows[0].size()));
    for (Index t = 0; t < out.rows(); ++t) {
        const JsonPlace row = place.at(static_cast<std::size_t>(t));
        for (Index d = 0; d < out.cols(); ++d) {
            const auto& cell = row.json[static_cast<std::size_t>(d)];
            out(t, d) = cell.is_number() // the path of nearly all: without a pointer's text
                            ? cell.get<double>()
                            : read_number(row.at(static_cast<std::size_t>(d)));
        }
    }
    return out;
}

Document read_document(const JsonPlace& place, const InputMatrices* apart) {
    check_keys(place, keys_with<Document>(other_keys()));
    const auto read_input = [&](const char* key, Input which, Shared<Matrix<double>>& into) {
        if (apart)
            into = (*apart)[static_cast<std::size_t>(which)];
        else
            read_optional(place, key, into, read_matrix);
    };
    if (!apart && !place.find("x"))
        place.wrong("\"x\" is missing: the input, a list of rows of numbers");
    Shared<Matrix<double>> x;
    read_input("x", Input::x, x);

    Document d = blank_document(x->rows(), x->cols());
    read_settings(place, d);
    const Index params = affine_size(d.affine_per, x->rows(), x->cols());
    d.gamma = Values(static_cast<std::size_t>(params), neutral(Param::gamma));
    d.beta = Values(static_cast<std::size_t>(params), neutral(Param::beta));
    const auto params_of = [&](const JsonPlace& at) { return read_params(at, params); };
    const auto names_of = [](Index count, const char* of) {
        return [=](const JsonPlace& at) { return read_names(at, count, of); };
    };
    read_input("f", Input::f, d.f);
    read_some(place, {{"tokens", d.tokens, names_of(x->rows(), "token")},
                      {"features", d.features, names_of(x->cols(), "feature")},
                      {"gamma", d.gamma, params_of},
                      {"beta", d.beta, params_of}});
    // A file that was written by hand says nothing of ranges, and its faders reach its values.
    if (!place.find("gamma_range")) d.gamma_range.grow(*d.gamma);
    if (!place.find("beta_range")) d.beta_range.grow(*d.beta);
    if (const auto kept = place.find("set_aside")) read_set_aside(*kept, d);
    read_input("dy", Input::dy, d.backward.dy);
    read_input("target", Input::target, d.backward.target);
    for_each_part([&](const auto& part) {
        if (const auto settings = place.find(part.key)) read_part(*settings, d.*part.member);
    });
    d.x = std::move(x);
    place.check(check_settings(d));
    if (const auto kept = place.find("scenes")) d.scenes = read_scenes(*kept, d);
    return d;
}

} // namespace normscope
