#include "app/session/session_file.h"

#include "app/session/document_json.h"
#include "core/base/caught.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace normscope {

namespace {

using Json = nlohmann::json;

// What read_number() takes for a number that JSON does not have.
const char* spelled(double not_finite) {
    if (std::isnan(not_finite)) return std::signbit(not_finite) ? "-NaN" : "NaN";
    return not_finite > 0 ? "Infinity" : "-Infinity";
}

void append(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += fmt::format("\"{}\"", spelled(value));
    } else if (value == 0) {
        out += std::signbit(value) ? "-0.0" : "0"; // "-0" would be read as an integer, without sign
    } else {
        std::array<char, 32> buffer{};
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
        out.append(buffer.data(), end);
    }
}

void append(std::string& out, const std::string& text) {
    // Names come from files and the keyboard: what is not UTF-8 is replaced, not thrown over.
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

template<class Values>
void append_list(std::string& out, const Values& values) {
    const char* before = "[";
    for (const auto& value : values) {
        out += std::exchange(before, ", ");
        append(out, value);
    }
    out += values.size() == 0 ? "[]" : "]";
}

template<class Tree>
void spell_numbers(Tree& json) {
    if (json.is_structured())
        for (auto& part : json) spell_numbers(part);
    else if (json.is_number_float() && !std::isfinite(json.template get<double>()))
        json = spelled(json.template get<double>());
}

// The lines of a session, a key each.
struct Writer {
    std::string out = "{\n";

    void key(std::string_view name) {
        if (out.size() > 2) out += ",\n";
        out += fmt::format("  \"{}\": ", name);
    }
    template<class Values>
    void list(std::string_view name, const Values& values) {
        key(name);
        append_list(out, values);
    }
    void matrix(const char* name, const Matrix<double>& m) {
        key(name);
        out += "[\n";
        for (Index row = 0; row < m.rows(); ++row) {
            out += "    ";
            append_list(out, m.row(row));
            out += row + 1 < m.rows() ? ",\n" : "\n";
        }
        out += "  ]";
    }
    void set_aside(const Document& d) {
        const char* before = "{";
        for (const auto& [per, id, label] : choices(AffinePer{})) {
            const AffineValues& kept = d.set_aside[static_cast<std::size_t>(per)];
            if (kept.gamma->empty()) continue;
            if (*before == '{') key("set_aside");
            out += fmt::format("{}\"{}\": {{\"gamma\": ", std::exchange(before, ", "), id);
            append_list(out, *kept.gamma);
            out += ", \"beta\": ";
            append_list(out, *kept.beta);
            out += '}';
        }
        if (*before == ',') out += '}';
    }
    void view(const SessionView& v) {
        Json json = Json::object();
        if (!v.workspace.empty()) json["workspace"] = v.workspace;
        if (v.token) json["token"] = *v.token;
        if (v.feature) json["feature"] = *v.feature;
        if (!v.lesson.empty()) json["lesson"] = v.lesson;
        if (v.lesson_step) json["lesson_step"] = *v.lesson_step;
        value("view", json);
    }
    void value(std::string_view name, nlohmann::ordered_json json) {
        if (json.empty()) return;
        key(name);
        spell_numbers(json);
        out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    // One a line.
    void scenes(const Document& d) {
        if (d.scenes.empty()) return;
        key("scenes");
        const char* before = "[\n    ";
        Json list = scenes_json(d);
        spell_numbers(list);
        for (const Json& scene : list) {
            out += std::exchange(before, ",\n    ");
            out += scene.dump(-1, ' ', false, Json::error_handler_t::replace);
        }
        out += "\n  ]";
    }
    void range(const char* name, const FaderRange& range) {
        list(name, std::array{range.lo, range.hi});
    }
};

void check_version(const JsonPlace& place) {
    const auto format = place.json.is_object() ? place.find("format") : std::nullopt;
    if (!format || format->json != "normscope")
        place.wrong("not a NormScope session: expected \"format\": \"normscope\"");
    const auto version = place.find("version");
    if (!version || !version->json.is_number_integer() || version->json < 1)
        place.wrong("expected \"version\", a whole number from 1 up");
    if (version->json > k_session_version)
        place.wrong(worded(
            "the session was saved by a newer NormScope (version {} of the format; this program "
            "reads up to {}): open it with that one",
            version->json.dump(), k_session_version));
}

SessionView read_view(const JsonPlace& place) {
    SessionView view;
    read_members(place, {{"workspace", view.workspace, read_string},
                         {"token", view.token, read_index},
                         {"feature", view.feature, read_index},
                         {"lesson", view.lesson, read_string},
                         {"lesson_step", view.lesson_step, read_index}});
    return view;
}

enum class Matrices : std::uint8_t { written, apart };

std::string write(const SessionCopy& copy, Matrices matrices = Matrices::written) {
    const Document& d = copy.document;
    const bool with_matrices = matrices == Matrices::written;
    Writer w;
    w.value("format", "normscope");
    w.value("version", k_session_version);
    if (!copy.file.empty()) w.value("file", copy.file);
    if (!copy.stamp.empty()) w.value("stamp", copy.stamp);
    w.view(copy.view);
    w.value("title", d.title);
    for (const Field<Document>& field : fields<Document>())
        if (!field.unsaid || !field.unsaid(d)) w.value(field.key, json_of(field, field.get(d)));
    w.list("tokens", *d.tokens);
    w.list("features", *d.features);
    if (with_matrices) {
        w.matrix("x", *d.x);
        w.matrix("f", *d.f);
    }
    w.list("gamma", *d.gamma);
    w.list("beta", *d.beta);
    w.set_aside(d);
    w.range("gamma_range", d.gamma_range);
    w.range("beta_range", d.beta_range);
    if (!(d.gamma_set_range == d.gamma_range)) w.range("gamma_set_range", d.gamma_set_range);
    if (!(d.beta_set_range == d.beta_range)) w.range("beta_set_range", d.beta_set_range);
    if (with_matrices && d.backward.dy->size() > 0) w.matrix("dy", *d.backward.dy);
    if (with_matrices && d.backward.target->size() > 0) w.matrix("target", *d.backward.target);
    for_each_part([&, usual = Document{}](const auto& part) {
        const auto& setup = d.*part.member;
        if (!(setup == usual.*part.member)) w.value(part.key, part_json(setup));
    });
    w.scenes(d);
    w.out += "\n}\n";
    return std::move(w.out);
}

} // namespace

std::string write_session(const Document& document, const SessionView& view) {
    return write({document, {}, {}, view});
}

std::string write_copy(const SessionCopy& copy) {
    return write(copy);
}

std::string write_settings(const Document& document) {
    return write({document, {}, {}}, Matrices::apart);
}

Result<Document> read_session(std::string_view bytes, const std::string& name) {
    return read_copy_settings(bytes, name).map([](SessionCopy copy) {
        return std::move(copy.document);
    });
}

Result<SessionCopy> read_copy_settings(std::string_view bytes, const std::string& name,
                                       const InputMatrices* matrices) {
    const auto read_copy = [&](const JsonPlace& place) {
        check_version(place);
        SessionCopy copy;
        read_some(place, {{"file", copy.file, read_string},
                          {"stamp", copy.stamp, read_string},
                          {"view", copy.view, read_view}});
        copy.document = read_document(place, matrices);
        return copy;
    };
    return caught(name, [&] { return read_json(bytes, name, read_copy); });
}

} // namespace normscope
