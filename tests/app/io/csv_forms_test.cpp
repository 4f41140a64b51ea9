#include "tests/app/io/csv_testing.h"

#include <gtest/gtest.h>
#include <string>

// Delimited text in the forms that other programs write.
namespace normscope {
namespace {

using namespace testing;

std::string paste_error(std::string_view text) {
    const Result<Table> table = parse_block(text);
    return table ? "no error" : table.error().message;
}

TEST(CsvMissingValues, InTheFirstColumnOrRowAreNotNames) {
    EXPECT_EQ(
        error_of("NA,7,8\nNA,1,3\n2,3,5\n"),
        "t.csv: line 1, column 1 has no value (\"NA\"): expected a number: correct it, or give "
        "every token a name in quotes.");
    for (const std::string mark :
         {"NA",      "na",     "N/A",     "n/a",      "null",  "NULL",   "None",     "nil",
          "missing", "NaT",    "<NA>",    "?",        ".",     "-",      "--",       "—",
          "#N/A",    "#NV",    "#DIV/0!", "#VALUE!",  "#REF!", "#NAME?", "#NUM!",    "#NULL!",
          "#SPILL!", "#WERT!", "#CALC!",  "nan(ind)", "…",     "(null)", "-nan(ind)"}) {
        for (const std::string delimiter : {",", ";", "\t", " "}) {
            const std::string row = mark + delimiter + "7" + delimiter + "8\n";
            const std::string numbers = "2" + delimiter + "3" + delimiter + "5\n";
            const std::string all = mark + delimiter + mark + delimiter + mark + "\n";
            const std::string headings = "a" + delimiter + "b" + delimiter + "c\n";
            const std::string found = "line 1, column 1 has no value (\"" + mark + "\")";
            EXPECT_NE(error_of(row).find(found), std::string::npos) << row << error_of(row);
            EXPECT_NE(error_of(row + numbers).find(found), std::string::npos) << row;
            EXPECT_NE(error_of(row + row + numbers).find(found), std::string::npos) << row;
            EXPECT_NE(error_of(all + numbers).find(found), std::string::npos) << all;
            EXPECT_NE(error_of(headings + row + row).find("line 2, column 1 has no value"),
                      std::string::npos)
                << row << error_of(headings + row + row);
        }
        EXPECT_NE(error_of(mark + "\n1\n2\n").find("line 1, column 1 has no value"),
                  std::string::npos)
            << mark;
        EXPECT_NE(error_of("1,2\n3," + mark).find("line 2, column 2 has no value"),
                  std::string::npos)
            << mark;
    }
    EXPECT_NE(error_of("#N/A,#N/A\n1,2\n").find("line 1, column 1 has no value"),
              std::string::npos);
}

TEST(CsvMissingValues, BesideNamesAreNames) {
    EXPECT_EQ(read("the,1\nNA,2\ncat,3\n").token_names, (Names{"the", "NA", "cat"}));
    EXPECT_EQ(read("the,1\n.,2\n-,3\n?,4\n").token_names, (Names{"the", ".", "-", "?"}));
    EXPECT_EQ(read("\"NA\",1\n\"null\",2\n").token_names, (Names{"NA", "null"}));
    EXPECT_EQ(read("a,NA,c\n1,2,3\n").feature_names, (Names{"a", "NA", "c"}));
    EXPECT_EQ(read(",a,b\nthe,1,2\n").feature_names, (Names{"a", "b"})) << "an empty corner";
}

TEST(CsvMissingValues, AreRefusedInPastedText) {
    EXPECT_EQ(
        paste_error("#N/A\t7\t8\n"),
        "The pasted text: line 1, column 1 has no value (\"#N/A\"): expected a number: correct "
        "it, or give every token a name in quotes.");
    for (const std::string text : {"#N/A\t#N/A\n1\t2\n", "#DIV/0!\n1\n", "NA\tNA\n", "?", "1\n-\n"})
        EXPECT_NE(paste_error(text).find("has no value"), std::string::npos) << text;
    EXPECT_NE(paste_error("\t7\t8\n").find("line 1, column 1"), std::string::npos);
}

TEST(CsvCommas, ThatMayBeDecimalAreRefusedInPastedText) {
    EXPECT_EQ(paste_error("1,5\n2,5\n"),
              "The pasted text: line 1: \"1,5\" may be one number with a decimal comma or two "
              "numbers: write a decimal point, or put a tab between two numbers.");
    for (const std::string text : {"1,5", ",5", "-1,5\r\n", "1,5 2,5", "1,234.5", "1,234,567",
                                   "7\n1,5\n", "Wert\n1,5\n2,5\n", "−1,5e3"})
        EXPECT_NE(paste_error(text).find("decimal comma"), std::string::npos) << text;
    EXPECT_NE(paste_error("1,5\t2\n").find("decimal point"), std::string::npos);
    EXPECT_NE(paste_error("1,5;2,5\n").find("decimal point"), std::string::npos);
    EXPECT_EQ(parse_block("1,2,3\n4,5,6\n").value().values, matrix({{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(parse_block("1, 2\n4, 5\n").value().values, matrix({{1, 2}, {4, 5}}));
    EXPECT_EQ(parse_block("1.5,2\n").value().values, matrix({{1.5, 2}}));
}

TEST(CsvCommas, DoNotCutAColumnWithAHeadingInTwo) {
    EXPECT_NE(error_of("x\n1,5\n2,5\n"), "no error");
    EXPECT_NE(error_of("Embeddings\n1,2\n2,4\n"), "no error");
}

constexpr std::string_view k_numbers = " -0.25 0.5 1e-3 -4\n";

std::string embeddings(const Names& words, std::string separator = " ") {
    std::string text;
    for (const std::string& word : words) {
        text += word;
        for (const char c : k_numbers) text += c == ' ' ? separator : std::string(1, c);
    }
    return text;
}

TEST(CsvEmbeddings, KeepEveryWordWhateverItIs) {
    for (const std::string separator : {" ", "\t"}) {
        for (const Names& words :
             {Names{"the", ",", ".", "of", "to", "and"}, Names{"the", "#", "##", "of", "to", "and"},
              Names{"the", ";", "\"", "of", "\"", "and"}, Names{"#", "the", "of", "#tag", "and"},
              Names{"the", "\"a", "b\"", "c\"d", "2017", "NA", "-"},
              Names{"{", "the", "'", "''", "``", "1,000", "$", "="}}) {
            const Table table = read(embeddings(words, separator));
            EXPECT_EQ(table.token_names, words);
            EXPECT_TRUE(table.feature_names.empty());
            EXPECT_EQ(
                table.values,
                matrix({{-0.25, 0.5, 1e-3, -4}}).replicate(static_cast<Index>(words.size()), 1));
        }
    }
    for (const std::string_view word : {",", "#", ";", "\"", "the", "=", "'"})
        EXPECT_EQ(read(embeddings({std::string(word)})).token_names, (Names{std::string(word)}));
}

TEST(CsvEmbeddings, KeepWordsBeyondTheFirstLines) {
    Names words(30, "the");
    for (const char* word : {"#", ",", "\"", ".", "\"", "NA", "2017", "# "}) words.push_back(word);
    words.back() = "last";
    EXPECT_EQ(read(embeddings(words)).token_names, words);
}

TEST(CsvEmbeddings, HaveTrailingSpacesHeadingsAndComments) {
    EXPECT_EQ(read("the 1 2 \n, 3 4 \nof 5 6 \n").values, matrix({{1, 2}, {3, 4}, {5, 6}}));
    const Table named = read("word a b\nthe 1 2\n, 3 4\nof 5 6\n");
    EXPECT_EQ(named.feature_names, (Names{"a", "b"}));
    EXPECT_EQ(named.token_names, (Names{"the", ",", "of"}));
    EXPECT_EQ(read("# made by hand\nthe 1 2\nof 5 6\n").token_names, (Names{"the", "of"}));
    EXPECT_EQ(read("the 1\n, 2\nof 3\n").token_names, (Names{"the", ",", "of"}));
}

TEST(CsvEmbeddings, PassOverTheFirstLineOfWord2vec) {
    const Table table = read("3 4\n" + embeddings({"the", ",", "#"}));
    EXPECT_EQ(table.token_names, (Names{"the", ",", "#"}));
    EXPECT_EQ(table.values.cols(), 4);
    const Table digits = read("2 3\n1 0.5 1 2\n2 0.25 3 4\n");
    EXPECT_EQ(digits.token_names, (Names{"1", "2"}));
    EXPECT_EQ(digits.values, matrix({{0.5, 1, 2}, {0.25, 3, 4}}));
    EXPECT_EQ(read("2 2\n3 4\n").values, matrix({{2, 2}, {3, 4}})) << "two rows of two numbers";
    EXPECT_EQ(error_of("2 3\n1 0.5 1 2\n2 0.25 3\n"),
              "t.csv: line 2 has 4 values: expected 2, as in line 1.");
}

TEST(CsvEmbeddings, AreNotNamesWhereTheFirstWordsAreNumbers) {
    EXPECT_EQ(read("1 2 3\n4 5 6\n").values, matrix({{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(read("# 1 2 3\n4 5 6\n7 8 9\n").values, matrix({{4, 5, 6}, {7, 8, 9}}));
    EXPECT_EQ(read("a, 1\nb, 2\n").token_names, (Names{"a", "b"}));
}

TEST(CsvFromR, HasAHeadingThatIsOneShorterThanTheRows) {
    for (const std::string separator : {"\t", ",", " ", ";"}) {
        for (const std::string quote : {"\"", ""}) {
            std::string text = "'x'_'y'_'v'\n'r1'_1.5_1_2\n'r2'_2_3_-1\n'r3'_0.5_6_3\n";
            std::string written;
            for (const char c : text)
                written += c == '_' ? separator : c == '\'' ? quote : std::string(1, c);
            const Table table = read(written);
            EXPECT_EQ(table.feature_names, (Names{"x", "y", "v"})) << written;
            EXPECT_EQ(table.token_names, (Names{"r1", "r2", "r3"})) << written;
            EXPECT_EQ(table.values, matrix({{1.5, 1, 2}, {2, 3, -1}, {0.5, 6, 3}})) << written;
        }
    }
    EXPECT_EQ(read("\"x\"\n\"1\",5\n\"2\",6\n").token_names, (Names{"1", "2"}));
    EXPECT_EQ(read("x y\n1 1.5 1\n2 2 3\n").values, matrix({{1.5, 1}, {2, 3}}));
    EXPECT_EQ(read("\"x\" \"y\"\n\"Smith, J\" 1 2\n\"Doe # A\" 3 4\n").token_names,
              (Names{"Smith, J", "Doe # A"}));
}

TEST(CsvFromR, IsNotSeenInARaggedTable) {
    EXPECT_EQ(error_of("1,2\n3,4,5\n"), "t.csv: line 2 has 3 values: expected 2, as in line 1.");
    EXPECT_EQ(error_of("a,b\n1,2,\n3,4,\n"),
              "t.csv: line 2 has 3 values: expected 2, as in line 1.");
    EXPECT_EQ(error_of("a,b\nr1,1,2\nr2,3\n"),
              "t.csv: line 3 has 2 values: expected 3, as in line 2.");
    EXPECT_EQ(error_of("a,b\nr1,1,NA\n"),
              "t.csv: line 2, column 3 has no value (\"NA\"): expected a number.");
}

TEST(CsvFromExcel, MayBeginWithItsSeparator) {
    const Table table = read("sep=;\r\nOne;Two;Three;Four\r\n1;2;3;4\r\n5;6;7;9\r\n");
    EXPECT_EQ(table.feature_names, (Names{"One", "Two", "Three", "Four"}));
    EXPECT_EQ(table.values, matrix({{1, 2, 3, 4}, {5, 6, 7, 9}}));
    EXPECT_EQ(read("\xEF\xBB\xBFsep=|\n1|2\n3|4").values, matrix({{1, 2}, {3, 4}}));
    EXPECT_EQ(read("sep=\t\n1\t2\n").values, matrix({{1, 2}}));
    EXPECT_EQ(error_of("sep=;\n1;2\n3;x\n"),
              "t.csv: line 3, column 2: expected a number, found \"x\".");
    EXPECT_EQ(error_of("sep=;"), "t.csv: the file is empty: expected rows of numbers.");
}

} // namespace
} // namespace normscope
