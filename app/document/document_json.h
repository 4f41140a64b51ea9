#pragma once
#include "app/document/document.h"
#include "app/document/json_reader.h"

namespace normscope {

// The document that an object holds: a session file, or the "document" of an example (`place` says
// which). "format" and "version" are the caller's to check.
Result<Document> read_document(const JsonPlace& place);

} // namespace normscope
