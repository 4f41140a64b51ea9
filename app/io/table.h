#pragma once
#include "core/base/matrix.h"

#include <string>
#include <vector>

namespace normscope {

// A T×D matrix with the names a file gave to its rows and columns. Either list is empty (no names
// were given) or as long as that side.
struct Table {
    Matrix<double> values;
    std::vector<std::string> token_names;   // T
    std::vector<std::string> feature_names; // D
};

} // namespace normscope
