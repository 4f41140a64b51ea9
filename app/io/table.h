#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/norm/sets.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// A T×D matrix with the names a file gave to its rows and columns. Either list is empty (no names
// were given) or as long as that side.
struct Table {
    Matrix<double> values;
    std::vector<std::string> token_names;   // T
    std::vector<std::string> feature_names; // D
    // The words that a column's values stand for, by that column; most tables have none.
    std::map<Index, std::vector<std::string>> words = {};
};

// The values and names of a part of the table.
Table cut_out(const Table& table, const CellBlock& part);

// How large a matrix a file may hold. Checked against what the file says before memory is taken.
inline constexpr Index k_max_side = 16384;            // tokens, and features
inline constexpr Index k_max_values = Index{1} << 26; // 512 MiB of float64
inline constexpr std::uint64_t k_max_file_bytes = std::uint64_t{1} << 31;
// The most bytes that a packed file may hold: twice those of the largest matrix of float64, for its
// text.
inline constexpr std::uint64_t k_max_unpacked_bytes = std::uint64_t{1} << 30;

// An error that begins with `file_name` when rows × cols is more than NormScope opens.
Result<void> check_size(std::string_view file_name, std::uint64_t rows, std::uint64_t cols);

} // namespace normscope
