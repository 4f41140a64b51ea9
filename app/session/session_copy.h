#pragma once
#include "app/session/session_file.h"

#include <optional>
#include <string>
#include <string_view>

// Copies of unsaved work as the bytes of a file: sessions that say where the work is kept. Earlier
// versions wrote records: they are read still (session_records.h).
namespace normscope {

// Errors name the file and say why the copy cannot be read.
Result<SessionCopy> read_session_copy(std::string_view bytes, const std::string& name);

// The beginning of a copy. Where this version does not know the format, nothing else is known.
struct CopyHead {
    std::string title, file;
    bool is_known = true;
};
// None: nothing in the copy would be lost without it.
std::optional<CopyHead> read_copy_head(std::string_view bytes);

} // namespace normscope
