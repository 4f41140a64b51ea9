#pragma once
#include "app/io/csv_records.h"

#include <string_view>

namespace normscope {

// How `bytes` are cut into records. A first line "sep=;", as Excel writes it, says the delimiter.
// Otherwise it is, by the first lines,
//   1. semicolon or comma that cuts them evenly with numbers behind it,
//   2. tabs or spaces that cut each into a word and numbers: a line "rows columns" above them, as
//      word2vec writes it, is passed over,
//   3. tab, semicolon or comma that cuts them evenly,
//   4. spaces that cut them evenly with a number at the end,
//   5. whichever of tab, semicolon and comma cuts most.
// The first line may have a field less than the others: a heading without a corner.
Dialect detect_dialect(std::string_view bytes);

} // namespace normscope
