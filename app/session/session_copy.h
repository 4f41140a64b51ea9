#pragma once
#include "app/session/session_file.h"

#include <functional>
#include <string>
#include <string_view>

// Copies of unsaved work as the bytes of a file that grows with every change.
//
// A file is records, one after another; the last whole one counts. A record is
//   8 bytes  "NScopy1\n"
//   u64      bytes of the payload, a multiple of 8
//   payload
//   u64      checksum of the payload
// and its payload
//   u64      bytes of a JSON text, which blanks fill up to a multiple of 8: write_copy_settings()
//   4 times, for X, F(X), dY and the target: what changed in the matrix since the record before
//     u64 rows, u64 columns, u64 runs
//     runs × (u32 first value, u32 values), counted along the rows
//     the values of all runs, float64
// Values in no run are those of the record before, or 0 where the matrix had another size. Numbers
// are in the order of this machine. A record that a kill or a power cut has torn is left out.
namespace normscope {

// Appends a record: what `now` has become since `before`, the document of the record before. Null:
// there is none.
void append_record(const SessionCopy& now, const Document* before,
                   const std::function<void(std::string_view)>& append);

// What the last whole record says, or the session that a copy of an earlier version is.
Result<SessionCopy> read_session_copy(std::string_view bytes, const std::string& name,
                                      const Progress& progress = {});

// The same without a document, and without looking at what comes before the last record.
struct CopyHead {
    std::string title, file;
    bool saved = false;
};
std::optional<CopyHead> read_copy_head(std::string_view bytes); // none: there is no whole record

} // namespace normscope
