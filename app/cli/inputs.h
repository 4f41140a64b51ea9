#pragma once
#include "app/cli/command.h"
#include "app/io/table.h"
#include "core/norm/norm.h"

#include <string>

// Matrices and parameters that the command line names.
namespace normscope {

// The files that hold a matrix, for the help text.
inline constexpr const char* k_matrix_files = ".csv, .tsv, .npy or .npz, also packed as .gz";

// The matrix in a file.
Checked<Table> load_input(const std::string& path);

// A file of `count` values in one row or one column; `meaning` says what they are, for the error.
Checked<Vector<double>> load_vector(const std::string& path, Index count,
                                    const std::string& meaning);

// γ or β of a tokens × features matrix: `text` is a number for all, or the path of a file with as
// many values as `per` asks for.
Checked<Vector<double>> load_parameter(const std::string& text, AffinePer per, Index tokens,
                                       Index features);

} // namespace normscope
