#pragma once
#include "app/model/document.h"
#include "core/base/result.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

// A document as a `*.normscope.json` file: readable, versioned, with exact numbers.
namespace normscope {

inline constexpr int k_session_version = 1;
inline constexpr std::string_view k_session_suffix = ".normscope.json";

// How a session was looked at: no part of the document, and undone by nothing.
struct SessionView {
    std::string workspace;               // its id; empty: not said
    std::optional<Index> token, feature; // pinned
    std::string lesson;                  // that was on: its id; empty: none
    std::optional<Index> lesson_step;    // of it, from 0
    bool operator==(const SessionView&) const = default;
};

// One row of a matrix a line. Doubles are written in the shortest form that reads back as the same
// value; NaN and ±∞, which JSON has no numbers for, as "NaN", "Infinity" and "-Infinity" ("-NaN"
// with the sign that 0/0 has).
std::string write_session(const Document& document, const SessionView& view = {});

// `name` is what messages call the bytes (a path). Only "x" must be there beside "format" and
// "version"; what else is missing takes the value it has in a new document. γ and β may be one
// number that stands for all.
// Errors name the file, the place (a line, or a JSON pointer such as /x/3/2) and what was expected.
// Refused: a newer version, unknown keys, sizes that do not agree or exceed
// k_max_tokens×k_max_features.
Result<Document> read_session(std::string_view bytes, const std::string& name);

// The matrices of a document, by Input.
using InputMatrices = std::array<Shared<Matrix<double>>, 4>;

// A session with what is not of the document, or a copy of unsaved work.
struct SessionCopy {
    Document document;
    std::string file;  // where the work is saved; empty: nowhere yet
    std::string stamp; // file_stamp() of that when it was read or written; empty: not known
    SessionView view = {};
};

std::string write_copy(const SessionCopy& copy);

// A session or a copy; without its matrices where they are given.
Result<SessionCopy> read_copy_settings(std::string_view bytes, const std::string& name,
                                       const InputMatrices* matrices = nullptr);

} // namespace normscope
