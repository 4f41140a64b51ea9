#pragma once
#include "app/io/csv.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace normscope::testing {

using Names = std::vector<std::string>;

inline Matrix<double> matrix(std::initializer_list<std::initializer_list<double>> rows) {
    return Matrix<double>(rows);
}

inline Table read(std::string_view text) {
    const Result<Table> table = read_csv(text, "t.csv");
    EXPECT_TRUE(table.has_value()) << table.error().message;
    return table.value_or(Table{});
}

inline std::string error_of(std::string_view text) {
    const Result<Table> table = read_csv(text, "t.csv");
    return table ? "no error" : table.error().message;
}

} // namespace normscope::testing
