#pragma once
#include "app/document/document.h"
#include "core/flow/progress.h"

#include <string>
#include <string_view>

// A document as a `*.normscope.json` file: readable, versioned, with exact numbers.
namespace normscope {

inline constexpr int k_session_version = 1;
inline constexpr std::string_view k_session_suffix = ".normscope.json";

// One row of a matrix a line. Doubles are written in the shortest form that reads back as the same
// value; NaN and ±∞, which JSON has no numbers for, as "NaN", "Infinity" and "-Infinity".
// `file` is said of a copy of unsaved work: where the work itself is saved, if anywhere.
std::string write_session(const Document& document, const std::string& file = {});

// `name` is what messages call the bytes (a path). Only "x" must be there beside "format" and
// "version"; what else is missing takes the value it has in a new document. γ and β may be one
// number that stands for all.
// Errors name the file, the place (a line, or a JSON pointer such as /x/3/2) and what was expected.
// Refused: a newer version, unknown keys, sizes that do not agree or exceed
// k_max_tokens×k_max_features.
Result<Document> read_session(std::string_view bytes, const std::string& name,
                              const Progress& progress = {});

// The same of a copy of unsaved work.
struct SessionCopy {
    Document document;
    std::string file; // where the work is saved; empty: nowhere yet
};
Result<SessionCopy> read_session_copy(std::string_view bytes, const std::string& name,
                                      const Progress& progress = {});

} // namespace normscope
