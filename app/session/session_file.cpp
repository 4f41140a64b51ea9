#include "app/session/session_file.h"

#include "app/io/text.h"
#include "app/session/document_json.h"
#include "core/base/caught.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace normscope {

template<class A>
void archive(A& a, SessionView& view) {
    a("workspace", view.workspace);
    a("token", view.token);
    a("feature", view.feature);
    a("lesson", view.lesson);
    a("lesson_step", view.lesson_step);
}

namespace {

using Ordered = nlohmann::ordered_json;

void append(std::string& out, const Ordered& json);

// `first` stands before the first value, `between` before the others.
void append_values(std::string& out, const Ordered& json, const char* first, const char* between) {
    for (auto item = json.begin(); item != json.end(); ++item) {
        out += std::exchange(first, between);
        if (json.is_object()) {
            append(out, item.key());
            out += ": ";
        }
        append(out, *item);
    }
}

// Doubles in the shortest form that reads back as the same value.
void append(std::string& out, const Ordered& json) {
    if (json.is_structured()) {
        out += json.is_array() ? '[' : '{';
        append_values(out, json, "", ", ");
        out += json.is_array() ? ']' : '}';
    } else if (json.is_number_float() && (json != 0 || !std::signbit(json.get<double>()))) {
        append_number(out, json.get<double>()); // "-0" would be read as an integer, without sign
    } else {
        // Names come from files and the keyboard: what is not UTF-8 is replaced, not thrown over.
        out += json.dump(-1, ' ', false, Ordered::error_handler_t::replace);
    }
}

// A key a line; of a matrix a row a line, and a scene a line.
std::string text_of(const Ordered& session) {
    std::string out = "{";
    const char* before = "\n  ";
    for (const auto& [key, value] : session.items()) {
        out += fmt::format("{}\"{}\": ", std::exchange(before, ",\n  "), key);
        if (value.is_array() && value.front().is_structured()) {
            append_values(out += '[', value, "\n    ", ",\n    ");
            out += "\n  ]";
        } else {
            append(out, value);
        }
    }
    return out + "\n}\n";
}

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

// All but the document.
template<class A>
void archive(A& a, SessionCopy& copy) {
    a("file", copy.file);
    a("stamp", copy.stamp);
    a("view", copy.view);
}

} // namespace

std::string write_session(const Document& document, const SessionView& view) {
    return write_copy({document, {}, {}, view});
}

Ordered session_json(const SessionCopy& copy) {
    Writer session;
    session("format", std::string("normscope"));
    session("version", k_session_version);
    SessionCopy said = copy;
    archive(session, said);
    write_document(session, copy.document, Matrices::written);
    return std::move(session.out);
}

std::string write_copy(const SessionCopy& copy) {
    return text_of(session_json(copy));
}

Result<Document> read_session(std::string_view bytes, const std::string& name) {
    return read_copy_settings(bytes, name).map([](SessionCopy copy) {
        return std::move(copy.document);
    });
}

SessionCopy read_session_json(const JsonPlace& place, const InputMatrices* matrices) {
    check_version(place);
    SessionCopy copy;
    Reader reader(place);
    archive(reader, copy);
    copy.document = read_document(place, matrices);
    return copy;
}

Result<SessionCopy> read_copy_settings(std::string_view bytes, const std::string& name,
                                       const InputMatrices* matrices) {
    return caught(name, [&] {
        return read_json(bytes, name, [&](const JsonPlace& place) {
            return read_session_json(place, matrices);
        });
    });
}

} // namespace normscope
