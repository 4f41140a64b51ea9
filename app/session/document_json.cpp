#include "app/session/document_json.h"

#include "app/session/parts_archive.h"
#include "core/base/lists.h"
#include "core/norm/affine.h"

namespace normscope {

using SetAside = decltype(Document::set_aside);

nlohmann::ordered_json json_of(const SetAside& set_aside) {
    Writer out;
    for (const auto& [per, id, label] : choices(AffinePer{})) {
        const AffineValues& kept = entry_at(set_aside, per);
        Writer values;
        values("gamma", kept.gamma);
        values("beta", kept.beta);
        out.put(id, std::move(values.out));
    }
    return std::move(out.out);
}

namespace {

using Values = std::vector<double>;

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
SetAside read_set_aside(const JsonPlace& place, const Document& d) {
    SetAside out;
    Reader reader(place);
    for (const auto& [per, id, label] : choices(AffinePer{})) {
        const auto at = reader.find(id);
        if (!at) continue;
        if (per == d.affine_per) at->wrong("these are the document's own γ and β");
        const Index count = affine_size(per, d.token_count(), d.feature_count());
        const auto params_of = [&](const JsonPlace& values) { return read_params(values, count); };
        const auto n = static_cast<std::size_t>(count);
        AffineValues& kept = entry_at(out, per);
        kept = {Values(n, neutral(Param::gamma)), Values(n, neutral(Param::beta))};
        Reader values(*at);
        values("gamma", kept.gamma, params_of);
        values("beta", kept.beta, params_of);
        values.only();
    }
    reader.only();
    return out;
}

// All but X, which says how large the others are, and the scenes. `matrix` reads or writes one.
template<class A, class M>
void archive(A& a, Document& d, const M& matrix) {
    const Index tokens = d.token_count(), features = d.feature_count();
    if constexpr (A::reads)
        a("title", d.title);
    else
        a.out["title"] = d.title; // an empty one too
    a.fields(d);
    a("tokens", d.tokens, [&](const JsonPlace& at) { return read_names(at, tokens, "token"); });
    a("features", d.features,
      [&](const JsonPlace& at) { return read_names(at, features, "feature"); });
    if (!A::reads) matrix("x", Input::x);
    matrix("f", Input::f);
    const Index params = affine_size(d.affine_per, tokens, features);
    const auto params_of = [&](const JsonPlace& at) { return read_params(at, params); };
    if (A::reads) reset_params(d);
    a("gamma", d.gamma, params_of);
    a("beta", d.beta, params_of);
    a("set_aside", d.set_aside, [&](const JsonPlace& at) { return read_set_aside(at, d); });
    const auto range = [&](const char* key, const char* set_key, Param param) {
        FaderRange &now = range_of(d, param), &as_set = set_range_of(d, param);
        const bool said = a(key, now);
        if (A::reads) as_set = now; // where nothing else is said
        if (A::reads || !(as_set == now)) a(set_key, as_set);
        // A file that was written by hand says nothing of ranges: its faders reach its values.
        if (!said) now.grow(*d.param(param));
    };
    range("gamma_range", "gamma_set_range", Param::gamma);
    range("beta_range", "beta_set_range", Param::beta);
    matrix("dy", Input::dy);
    matrix("target", Input::target);
    const Document usual;
    for_each_part([&](const auto& part) {
        auto& setup = d.*part.member;
        if constexpr (A::reads)
            a(part.key, setup);
        else if (auto json = json_of(setup); json != json_of(usual.*part.member))
            a.put(part.key, std::move(json));
    });
}

} // namespace

void write_document(Writer& out, const Document& document, Matrices matrices) {
    Document d = document;
    archive(out, d, [&](const char* key, Input which) {
        if (matrices == Matrices::written) out(key, d.input(which));
    });
    out.put("scenes", scenes_json(d));
}

nlohmann::json settings_json(Document document) {
    document.scenes = {};
    Writer out;
    write_document(out, document, Matrices::apart);
    return out.out;
}

Matrix<double> read_rows(const JsonPlace& place) {
    const std::size_t rows = place.json.is_array() ? place.json.size() : 0;
    Matrix<double> out;
    for (std::size_t t = 0; t < rows; ++t) {
        const JsonPlace row = place.at(t);
        if (!row.json.is_array() || row.json.empty()) row.expected("a list of numbers");
        if (row.json.size() != place.json[0].size())
            row.wrong(worded("expected {} values as in the first row, found {}",
                             place.json[0].size(), row.json.size()));
        if (t == 0) out.resize(static_cast<Index>(rows), std::ssize(row.json));
        for (const auto d : indices(row.json)) {
            const auto& cell = row.json[d];
            out(static_cast<Index>(t), static_cast<Index>(d)) =
                cell.is_number() // the path of nearly all: without a pointer's text
                    ? cell.get<double>()
                    : read_number(row.at(d));
        }
    }
    return out;
}

Matrix<double> read_matrix(const JsonPlace& place) {
    const auto& rows = place.json;
    if (!rows.is_array() || rows.empty()) place.expected("a list of rows, one a token");
    if (rows.size() > static_cast<std::size_t>(k_max_tokens))
        place.wrong(worded("{} tokens; at most {} fit", rows.size(), k_max_tokens));
    if (rows[0].size() > static_cast<std::size_t>(k_max_features))
        place.at(0).wrong(worded("{} features; at most {} fit", rows[0].size(), k_max_features));
    return read_rows(place);
}

Document read_document(const JsonPlace& place, const InputMatrices* apart) {
    Reader reader(place);
    // How the document was looked at, and a copy's of unsaved work: read_copy_settings() reads
    // them.
    for (const char* key : {"format", "version", "file", "stamp", "saved", "view"})
        (void)reader.find(key);
    Shared<Matrix<double>> x = apart ? (*apart)[0] : Shared<Matrix<double>>();
    if (!apart && !reader("x", x, read_matrix))
        place.wrong("\"x\" is missing: the input, a list of rows of numbers");
    Document d = blank_document(x->rows(), x->cols());
    d.x = std::move(x);
    archive(reader, d, [&](const char* key, Input which) {
        if (apart)
            d.input(which) = entry_at(*apart, which);
        else
            reader(key, d.input(which), read_matrix);
    });
    place.check(check_settings(d));
    reader("scenes", d.scenes, [&](const JsonPlace& at) { return read_scenes(at, d); });
    reader.only();
    return d;
}

} // namespace normscope
