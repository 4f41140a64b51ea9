#include "app/io/csv.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace normscope {
namespace {

using Names = std::vector<std::string>;

Table back_from(const Table& table, char delimiter = ',') {
    const std::string text = write_csv(table, delimiter);
    const Result<Table> back = read_csv(text, "t.csv");
    EXPECT_TRUE(back.has_value()) << back.error().message << "\n" << text;
    return back.value_or(Table{});
}

TEST(CsvRoundTrip, KeepsDelimitersInNames) {
    const Table read = read_csv("!*\t;\n;3X\t1", "t.csv").value();
    ASSERT_EQ(read.feature_names, (Names{";"}));
    ASSERT_EQ(read.token_names, (Names{";3X"}));
    const Table back = back_from(read);
    EXPECT_EQ(back.feature_names, read.feature_names);
    EXPECT_EQ(back.token_names, read.token_names);
    EXPECT_EQ(back.values, read.values);
}

// A spreadsheet runs what begins with one of these, in quotation marks or not.
TEST(CsvRoundTrip, WritesNoFormula) {
    const Names names{"=1+2", "+x", "-x", "@sum", "\t=1",  "'=x",
                      "''",   "'",  "=",  "-",    "1,000", "$1"};
    Table table{Matrix<double>::Ones(static_cast<Index>(names.size()), 1), names, {"=HYPERLINK()"}};
    const std::string text = write_csv(table);
    for (const char* formula :
         {"\n=", "\n+", "\n-", "\n@", "\"=", "\"+", "\"-", "\"@", ",=", "\"\t"})
        EXPECT_EQ(text.find(formula), std::string::npos) << text;
    EXPECT_NE(text.find("\"'=1+2\",1"), std::string::npos) << text;
    EXPECT_EQ(back_from(table).token_names, names);
    EXPECT_EQ(back_from(table).feature_names, table.feature_names);
}

// Names of the parts that the grammar knows, in any order.
TEST(CsvRoundTrip, KeepsRandomNames) {
    static constexpr std::string_view k_parts[] = {
        "\"",     ",",   ";",   "\t",  " ", "#",     "NA", "null", "1",     "23",    ".",
        "-",      "+",   "=",   "@",   "'", "\n",    "\r", "a",    "the",   "é",     "−",
        "1e5",    "nan", "inf", "$",   "%", "0x1F",  "?",  "#N/A", "token", "sep=;", "\xEF\xBB\xBF",
        "\u00A0", "# ",  "1,5", "1;5", "{", "x 1 2", ""};
    std::mt19937 random(20'260'711);
    const auto below = [&](std::size_t n) { return random() % n; };
    const auto name = [&] {
        std::string text;
        for (std::size_t i = below(4); i < 4; ++i) text += k_parts[below(std::size(k_parts))];
        return text;
    };
    for (int round = 0; round < 40'000; ++round) {
        const std::size_t rows = 1 + below(4), cols = 1 + below(4);
        Table table;
        table.values.resize(static_cast<Index>(rows), static_cast<Index>(cols));
        for (Index i = 0; i < table.values.size(); ++i)
            table.values.data()[i] = static_cast<double>(below(4));
        if (below(3) > 0)
            for (std::size_t i = 0; i < rows; ++i) table.token_names.push_back(name());
        if (below(3) > 0)
            for (std::size_t i = 0; i < cols; ++i) table.feature_names.push_back(name());
        const char delimiter = ",;"[below(2)];
        const std::string text = write_csv(table, delimiter);
        const Result<Table> back = read_csv(text, "t.csv");
        ASSERT_TRUE(back.has_value()) << back.error().message << "\n" << text;
        ASSERT_EQ(back->token_names, table.token_names) << text;
        ASSERT_EQ(back->feature_names, table.feature_names) << text;
        ASSERT_EQ(back->values, table.values) << text;
    }
}

} // namespace
} // namespace normscope
