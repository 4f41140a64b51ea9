#pragma once
#include "app/model/document.h"
#include "app/session/archive.h"
#include "app/session/session_file.h"

// A document to and from JSON. What is read is in range when check() says so.
namespace normscope {

// The members of a document, for an object that may have others: the matrices too, unless they are
// kept apart.
enum class Matrices : std::uint8_t { written, apart };
void write_document(Writer& out, const Document& document, Matrices matrices);

// The document as a session without scenes and matrices.
nlohmann::json settings_json(Document document);

// The document that an object holds: a session file, or the "document" of an example (`place` says
// which). "format" and "version" are the caller's to check. Matrices that are kept `apart` are not
// looked for in it.
Document read_document(const JsonPlace& place, const InputMatrices* apart = nullptr);

// A session or a copy, with its version.
nlohmann::ordered_json session_json(const SessionCopy& copy);
SessionCopy read_session_json(const JsonPlace& place, const InputMatrices* matrices = nullptr);

// Rows that are lists of one length.
Matrix<double> read_rows(const JsonPlace& place);
// read_rows() for a document's matrix: its limits are checked before anything is allocated.
Matrix<double> read_matrix(const JsonPlace& place);

// The patch with which merge_patch() turns `from` into `to` (RFC 7396). Neither has a null in it.
nlohmann::json patch_of(const nlohmann::json& from, const nlohmann::json& to);

// A list of
//   {"name": …, "question": …, "notes": …, "workspace": …, "panel": …, "token": 0, "feature": 1,
//    "options": ["μ", "σ"], "right": 1, "look": {"curves": 2}, "document": {…}}
// where "document" is the patch of the document of the scene before, and in the first scene of
// `document`, the session's own: a matrix that scenes share stands there once.
nlohmann::ordered_json scenes_json(const Document& document);
Scenes read_scenes(const JsonPlace& place, const Document& document);

} // namespace normscope
