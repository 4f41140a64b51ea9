#pragma once
#include "app/model/document.h"
#include "app/session/json_reader.h"
#include "app/session/session_file.h"

namespace normscope {

// The document that an object holds: a session file, or the "document" of an example (`place` says
// which). "format" and "version" are the caller's to check. Matrices that are kept `apart` are not
// looked for in it.
Result<Document> read_document(const JsonPlace& place, const InputMatrices* apart = nullptr);

// The rows must be lists of one length before anything is allocated.
Result<Matrix<double>> read_matrix(const JsonPlace& place);

} // namespace normscope
