#pragma once
#include "app/document/document.h"
#include "app/document/json_reader.h"
#include "app/document/session_file.h"

namespace normscope {

// The document that an object holds: a session file, or the "document" of an example (`place` says
// which). "format" and "version" are the caller's to check. Matrices that are kept `apart` are not
// looked for in it.
Result<Document> read_document(const JsonPlace& place, const InputMatrices* apart = nullptr);

} // namespace normscope
