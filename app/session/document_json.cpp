#include "app/session/document_json.h"

#include "app/language/language.h"
#include "app/session/flow_json.h"
#include "app/session/race_json.h"
#include "app/session/scenes/scenes_json.h"
#include "app/session/settings_json.h"
#include "app/session/transformer_json.h"
#include "core/norm/affine.h"

namespace normscope {

namespace {

using Values = std::vector<double>;

Result<Names> read_names(const JsonPlace& place, Index count, const char* of) {
    if (!place.json.is_array() || place.json.size() != static_cast<std::size_t>(count))
        return place.expected(worded("a list of {} {} names", count, of));
    return list_of<std::string>(read_string)(place);
}

Result<Values> read_params(const JsonPlace& place, Index count) {
    if (!place.json.is_array())
        if (const auto all = read_number(place))
            return Values(static_cast<std::size_t>(count), *all);
    if (!place.json.is_array() || place.json.size() != static_cast<std::size_t>(count))
        return place.expected(worded("one number or a list of {}", count));
    return list_of<double>(read_number)(place);
}

// γ and β of other sharings than the document's.
Result<void> read_set_aside(const JsonPlace& place, Document& d) {
    if (auto ok = check_keys(place, {"feature", "token", "scalar"}); !ok) return ok;
    for (const auto& [per, id, label] : choices(AffinePer{})) {
        const auto at = place.find(std::string(id));
        if (!at) continue;
        if (per == d.affine_per) return at->wrong("these are the document's own γ and β");
        const Index count = affine_size(per, d.token_count(), d.feature_count());
        AffineValues& kept = d.set_aside[static_cast<std::size_t>(per)];
        const auto n = static_cast<std::size_t>(count);
        kept = {Values(n, neutral(Param::gamma)), Values(n, neutral(Param::beta))};
        const auto params_of = [&](const JsonPlace& values) { return read_params(values, count); };
        if (auto ok = read_members(
                *at, {{"gamma", kept.gamma, params_of}, {"beta", kept.beta, params_of}});
            !ok)
            return ok;
    }
    return {};
}

// The choices that need no size.
Result<void> read_settings(const JsonPlace& place, Document& d) {
    if (auto ok = read_optional(place, "title", d.title, read_string); !ok) return ok;
    if (auto ok = read_fields(place, d); !ok) return ok;
    if (auto ok = read_some(place, {{"gamma_range", d.gamma_range, read_range},
                                    {"beta_range", d.beta_range, read_range}});
        !ok)
        return ok;
    d.gamma_set_range = d.gamma_range; // where nothing else is said
    d.beta_set_range = d.beta_range;
    return read_some(place, {{"gamma_set_range", d.gamma_set_range, read_range},
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

Result<Matrix<double>> read_matrix(const JsonPlace& place) {
    const auto& rows = place.json;
    if (!rows.is_array() || rows.empty()) return place.expected("a list of rows, one a token");
    const std::size_t tokens = rows.size();
    if (tokens > static_cast<std::size_t>(k_max_tokens))
        return place.wrong(worded("{} tokens; at most {} fit", tokens, k_max_tokens));
    for (std::size_t t = 0; t < tokens; ++t) {
        const JsonPlace row = place.at(t);
        if (!row.json.is_array() || row.json.empty()) return row.expected("a list of numbers");
        if (row.json.size() > static_cast<std::size_t>(k_max_features))
            return row.wrong(
                worded("{} features; at most {} fit", row.json.size(), k_max_features));
        if (row.json.size() != rows[0].size())
            return row.wrong(worded("expected {} values as in the first row, found {}",
                                    rows[0].size(), row.json.size()));
    }
    Matrix<double> out(static_cast<Index>(tokens), static_cast<Index>(rows[0].size()));
    for (Index t = 0; t < out.rows(); ++t) {
        const JsonPlace row = place.at(static_cast<std::size_t>(t));
        for (Index d = 0; d < out.cols(); ++d) {
            const auto& cell = row.json[static_cast<std::size_t>(d)];
            if (cell.is_number()) { // the path of nearly all: without a pointer's text
                out(t, d) = cell.get<double>();
                continue;
            }
            const auto value = read_number(row.at(static_cast<std::size_t>(d)));
            if (!value) return tl::unexpected(value.error());
            out(t, d) = *value;
        }
    }
    return out;
}

Result<Document> read_document(const JsonPlace& place, const InputMatrices* apart) {
    if (auto ok = check_keys(place, keys_with<Document>(other_keys())); !ok)
        return tl::unexpected(ok.error());
    const auto read_input = [&](const char* key, Input which,
                                Shared<Matrix<double>>& into) -> Result<void> {
        if (!apart) return read_optional(place, key, into, read_matrix);
        into = (*apart)[static_cast<std::size_t>(which)];
        return {};
    };
    if (!apart && !place.find("x"))
        return place.wrong("\"x\" is missing: the input, a list of rows of numbers");
    Shared<Matrix<double>> x;
    if (auto ok = read_input("x", Input::x, x); !ok) return tl::unexpected(ok.error());

    Document d = blank_document(x->rows(), x->cols());
    if (auto ok = read_settings(place, d); !ok) return tl::unexpected(ok.error());
    const Index params = affine_size(d.affine_per, x->rows(), x->cols());
    d.gamma = Values(static_cast<std::size_t>(params), neutral(Param::gamma));
    d.beta = Values(static_cast<std::size_t>(params), neutral(Param::beta));
    const auto params_of = [&](const JsonPlace& at) { return read_params(at, params); };
    const auto names_of = [](Index count, const char* of) {
        return [=](const JsonPlace& at) { return read_names(at, count, of); };
    };
    for (const auto& ok :
         {read_input("f", Input::f, d.f),
          read_some(place, {{"tokens", d.tokens, names_of(x->rows(), "token")},
                            {"features", d.features, names_of(x->cols(), "feature")},
                            {"gamma", d.gamma, params_of},
                            {"beta", d.beta, params_of}})})
        if (!ok) return tl::unexpected(ok.error());
    // A file that was written by hand says nothing of ranges, and its faders reach its values.
    if (!place.find("gamma_range")) d.gamma_range.grow(*d.gamma);
    if (!place.find("beta_range")) d.beta_range.grow(*d.beta);
    if (const auto kept = place.find("set_aside"))
        if (auto ok = read_set_aside(*kept, d); !ok) return tl::unexpected(ok.error());
    for (const auto& ok : {read_input("dy", Input::dy, d.backward.dy),
                           read_input("target", Input::target, d.backward.target)})
        if (!ok) return tl::unexpected(ok.error());
    Result<void> parts;
    for_each_part([&](const auto& part) {
        if (const auto settings = place.find(part.key); settings && parts)
            parts = read_part(*settings, d.*part.member);
    });
    if (!parts) return tl::unexpected(parts.error());
    d.x = std::move(x);
    if (const auto ok = check(d); !ok) return place.wrong(error_text(ok.error()));
    if (const auto kept = place.find("scenes")) {
        auto scenes = read_scenes(*kept, d);
        if (!scenes) return tl::unexpected(scenes.error());
        d.scenes = std::move(*scenes);
    }
    return d;
}

} // namespace normscope
