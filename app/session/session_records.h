#pragma once
#include "app/session/session_file.h"

#include <optional>
#include <string_view>

// Copies of unsaved work as earlier versions wrote them. They are only read.
//
// A file is records, one after another; the last whole one counts. A record is
//   8 bytes  "NScopy1\n"
//   u64      bytes of the payload, a multiple of 8
//   payload
//   u64      checksum of the payload
// and its payload
//   u64      bytes of a session without matrices, which blanks fill up to a multiple of 8
//   4 times, for X, F(X), dY and the target: what changed in the matrix since the record before
//     u64 rows, u64 columns, u64 runs
//     runs × (u32 first value, u32 values), counted along the rows
//     the values of all runs, float64
// Values in no run are those of the record before, or 0 where the matrix had another size. Numbers
// are in the order of this machine. A record that a kill or a power cut has torn is left out.
namespace normscope {

bool has_records(std::string_view bytes);

struct RecordedSession {
    std::string_view settings; // a session without its matrices
    InputMatrices matrices;
};
// None: there is no whole record.
std::optional<RecordedSession> read_records(std::string_view bytes);

} // namespace normscope
