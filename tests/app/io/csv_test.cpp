#include "tests/app/io/csv_testing.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <locale>
#include <string>

namespace normscope {
namespace {

using namespace testing;

bool same(const Matrix<double>& a, const Matrix<double>& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

TEST(Csv, ReadsPlainNumbersWithAnyDelimiterAndLineEnd) {
    const Matrix<double> expected = matrix({{1, -2.5, 3e2}, {4, 5, 6}});
    for (const std::string_view text :
         {"1,-2.5,3e2\n4,5,6\n", "1\t-2.5\t3e2\r\n4\t5\t6", "1;-2.5;3e2\r4;5;6\r",
          "1 -2.5  3e2\n 4 5 6 \n", "\xEF\xBB\xBF 1 , -2.5,+3E+2\n\n4,5,6\n\n",
          "1,\xE2\x88\x92"
          "2.5,300\n4,5,6"}) {
        const Table table = read(text);
        EXPECT_PRED2(same, table.values, expected) << text;
        EXPECT_TRUE(table.token_names.empty()) << text;
        EXPECT_TRUE(table.feature_names.empty()) << text;
    }
}

TEST(Csv, ReadsOneValueOneRowAndOneColumn) {
    EXPECT_PRED2(same, read("7").values, matrix({{7}}));
    EXPECT_PRED2(same, read("1,2,3").values, matrix({{1, 2, 3}}));
    EXPECT_PRED2(same, read("1\n2\n3\n").values, matrix({{1}, {2}, {3}}));
}

TEST(Csv, ReadsNanAndInfinityInAnyCase) {
    const Matrix<double> values = read("nan,NaN,inf,-INF,+Infinity\n").values;
    EXPECT_TRUE(std::isnan(values(0, 0)));
    EXPECT_TRUE(std::isnan(values(0, 1)));
    EXPECT_EQ(values(0, 2), std::numeric_limits<double>::infinity());
    EXPECT_EQ(values(0, 3), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(values(0, 4), std::numeric_limits<double>::infinity());
}

TEST(Csv, KeepsEveryBitOfADouble) {
    EXPECT_PRED2(same, read("0.1,4.9406564584124654e-324,1.7976931348623157e308").values,
                 matrix({{0.1, std::numeric_limits<double>::denorm_min(),
                          std::numeric_limits<double>::max()}}));
    EXPECT_PRED2(same, read("1e-400,2").values, matrix({{0, 2}}));
}

TEST(Csv, DetectsFeatureNames) {
    const Table table = read("alpha,\"be,ta\",gamma \"\"x\"\n1,2,3\n4,5,6\n");
    EXPECT_EQ(table.feature_names, (Names{"alpha", "be,ta", "gamma \"\"x\""}));
    EXPECT_TRUE(table.token_names.empty());
    EXPECT_PRED2(same, table.values, matrix({{1, 2, 3}, {4, 5, 6}}));
}

TEST(Csv, DetectsTokenNames) {
    const Table table = read("the\t1\t2\ncat\t3\t4\n2017\t5\t6\n");
    EXPECT_EQ(table.token_names, (Names{"the", "cat", "2017"}));
    EXPECT_TRUE(table.feature_names.empty());
    EXPECT_PRED2(same, table.values, matrix({{1, 2}, {3, 4}, {5, 6}}));
    EXPECT_EQ(read("the,1,2").token_names, (Names{"the"}));
}

TEST(Csv, DetectsBothKindsOfNames) {
    for (const std::string_view text :
         {"word,f0,f1\nthe,1,2\ncat,3,4\n", ",f0,f1\nthe,1,2\ncat,3,4"}) {
        const Table table = read(text);
        EXPECT_EQ(table.feature_names, (Names{"f0", "f1"})) << text;
        EXPECT_EQ(table.token_names, (Names{"the", "cat"})) << text;
        EXPECT_PRED2(same, table.values, matrix({{1, 2}, {3, 4}})) << text;
    }
}

TEST(Csv, DetectsNamesThatAreNumbers) {
    const Table pandas = read(",0,1\n0,1.5,2.5\n1,3.5,4.5\n");
    EXPECT_EQ(pandas.feature_names, (Names{"0", "1"}));
    EXPECT_EQ(pandas.token_names, (Names{"0", "1"}));
    const Table quoted = read("\"2016\",\"2017\"\n1,2\n3,4\n");
    EXPECT_EQ(quoted.feature_names, (Names{"2016", "2017"}));
    const Table token = read("token,\"0.5\",\"1.5\"\n1,2,3\n4,5,6\n");
    EXPECT_EQ(token.feature_names, (Names{"0.5", "1.5"}));
    EXPECT_EQ(token.token_names, (Names{"1", "4"}));
}

TEST(Csv, TakesHalfANumberAmongNumbersForAMistypedOne) {
    const std::string tokens = ": correct it, or give every token a name in quotes.";
    const std::string feature = ": correct it, or put it in quotes if it is the feature's name.";
    for (const std::string bad : {"1O", "0x10", "-.5x"}) {
        const std::string found = ": expected a number, found \"" + bad + "\"";
        EXPECT_EQ(error_of("1,2\n" + bad + ",3\n4,5\n"),
                  "t.csv: line 2, column 1" + found + tokens);
        EXPECT_EQ(error_of("a,b\n1,2\n" + bad + ",4"), "t.csv: line 3, column 1" + found + tokens);
        EXPECT_EQ(error_of(bad + ",2,3\n"), "t.csv: line 1, column 1" + found + tokens);
        EXPECT_EQ(error_of("a,b\n" + bad + ",2\n"), "t.csv: line 2, column 1" + found + tokens);
        EXPECT_EQ(error_of(bad + "\n2\n3\n"), "t.csv: line 1, column 1" + found + feature);
        EXPECT_EQ(error_of("the," + bad + "\ncat,2\n"),
                  "t.csv: line 1, column 2" + found + feature);
    }
    EXPECT_NE(error_of("1.2.3,2\n").find("line 1, column 1"), std::string::npos);
}

// If such numbers were names, a column of values would be lost without a word.
TEST(Csv, TakesNumbersInTheDressOfATableForMistypedOnes) {
    for (const std::string bad : {"$1", "10 %", "0x10", "1_000", "€ 2.5", "1\u202f000", "-£3"})
        EXPECT_NE(error_of(bad + ",2,3\n" + bad + ",5,6\n").find("line 1, column 1: expected"),
                  std::string::npos)
            << bad;
    EXPECT_NE(error_of("\"1,000\",2,3\n\"4,000\",5,6\n").find("line 1, column 1"),
              std::string::npos);
    EXPECT_EQ(read("100%,10%\n1,2\n").feature_names, (Names{"100%", "10%"})) << "are headings";
    EXPECT_EQ(read("US$,2\n%,5\n").token_names, (Names{"US$", "%"}));
    EXPECT_EQ(read("\"1;2\",2\n\"3\",5\n").token_names, (Names{"1;2", "3"}));
}

TEST(Csv, TakesHalfANumberForANameBesideNames) {
    EXPECT_EQ(read("1st,1\n2nd,2\n").token_names, (Names{"1st", "2nd"}));
    EXPECT_EQ(read("7,1\nt1,2\n1st,3\n").token_names, (Names{"7", "t1", "1st"}));
    EXPECT_EQ(read("0h,6h\n1,2\n").feature_names, (Names{"0h", "6h"}));
    EXPECT_EQ(read("token,0h\nthe,2\n").feature_names, (Names{"0h"}));
    EXPECT_EQ(read("token,a\n1st,2\n").token_names, (Names{"1st"}));
    EXPECT_EQ(read("\"1st\",2\n").token_names, (Names{"1st"}));
    EXPECT_EQ(read("\"0h\"\n1\n2\n").feature_names, (Names{"0h"}));
}

TEST(Csv, ReadsQuotedNumbersAndQuotedLineEnds) {
    const Table table = read("\"a\nb\",\"c\"\"d\"\n\"1\",\"2\"\n\"3\",\"4\"\n");
    EXPECT_EQ(table.feature_names, (Names{"a\nb", "c\"d"}));
    EXPECT_PRED2(same, table.values, matrix({{1, 2}, {3, 4}}));
}

TEST(Csv, LeavesOutWhatASpreadsheetAddsAtTheEdges) {
    EXPECT_PRED2(same, read("1,2,\n3,4,\n").values, matrix({{1, 2}, {3, 4}}));
    EXPECT_PRED2(same, read("1,2\n3,4\n,\n,\n").values, matrix({{1, 2}, {3, 4}}));
}

TEST(Csv, LeavesOutComments) {
    const Matrix<double> expected = matrix({{1, 2}, {3, 4}});
    for (const std::string_view text :
         {"# made by a program, in 2 runs\n# a,b,c\n1,2\n3,4\n",
          "\xEF\xBB\xBF#made by \"a program\"\r\n#\r\n1,2\r\n3,4\r\n#",
          "1,2\n  # 7,8\n#\n3,4\n# the end", "% made by hand\n1 2\n%\n% 7 8\n3 4\n",
          "// made by hand\n//\n1,2\n3,4\n", "; made by hand\n;\n1,2\n; 7,8\n3,4\n",
          "%made by hand\n1,2\n3,4\n"}) {
        const Table table = read(text);
        EXPECT_PRED2(same, table.values, expected) << text;
        EXPECT_TRUE(table.token_names.empty()) << text;
        EXPECT_TRUE(table.feature_names.empty()) << text;
    }
    EXPECT_PRED2(same, read("# x\n1\n2\n").values, matrix({{1}, {2}}));
    EXPECT_EQ(read("# seen\nword,a\nthe,1\n").feature_names, (Names{"a"}));
    EXPECT_EQ(read("# by hand, twice\na,b\n1,2\n").feature_names, (Names{"a", "b"}));
    EXPECT_EQ(error_of("# a,b\n\n1,2\n# c\n3,x\n"),
              "t.csv: line 5, column 2: expected a number, found \"x\".");
    EXPECT_EQ(error_of("# a\n"), "t.csv: the file is empty: expected rows of numbers.");
}

TEST(Csv, TakesNamesFromTheCommentAboveTheNumbers) {
    for (const std::string_view text :
         {"# a,b\n1,2\n3,4\n", "#a,b\n1,2\n3,4", "# by hand\n# a b\n1 2\n3 4\n",
          "#a\tb\n1\t2\n3\t4\n", "% a;b\n1;2\n3;4\n", "// a, b\n\n1, 2\n3, 4\n"}) {
        const Table table = read(text);
        EXPECT_PRED2(same, table.values, matrix({{1, 2}, {3, 4}})) << text;
        EXPECT_EQ(table.feature_names, (Names{"a", "b"})) << text;
    }
}

TEST(Csv, KeepsTokensThatAreMarksOfComments) {
    for (const std::string delimiter : {",", "\t", " ", " , "})
        for (const std::string mark : {"#", "%", "//"}) {
            std::string text;
            for (const std::string& token : {std::string("the"), mark, std::string("of")})
                text += token + delimiter + "1.5" + delimiter + "2.5" + delimiter + "3\n";
            EXPECT_EQ(read(text).token_names, (Names{"the", mark, "of"})) << text;
        }
    EXPECT_EQ(read(";a;b\nthe;1;2\n").feature_names, (Names{"a", "b"})) << "an empty corner";
    const Table shares = read("share,a,b\nall,1,2\n% of GDP,3.1,2.2\n# 7,8,9\n# an end\n");
    EXPECT_EQ(shares.token_names, (Names{"all", "% of GDP"})) << "a row that is commented out";
}

TEST(Csv, TakesALineThatCountsForHeadingsOrAsks) {
    const Table counted = read("0,1,2\n1.5,-2.0,3.25\n4.0,5.5,-6.0\n1.0,2.0,3.0\n");
    EXPECT_EQ(counted.feature_names, (Names{"0", "1", "2"}));
    EXPECT_EQ(counted.values.rows(), 3);
    for (const std::string_view doubtful :
         {"0,1,2\n1.5,-2,3.25\n4,5.5,-6\n", "0,1,2\n5,3,9\n7,2,4\n",
          "0,1\n0.1,0.9\n0.2,0.7\n0.3,0.5\n"})
        EXPECT_EQ(error_of(doubtful),
                  "t.csv: line 1 counts 0, 1, … and may be headings or values: write names into "
                  "it, or 0.0 for its 0 if it has values");
    EXPECT_PRED2(same, read("0,1,2\n3,4,5\n").values, matrix({{0, 1, 2}, {3, 4, 5}}));
    EXPECT_PRED2(same, read("0,1\n1,0\n").values, matrix({{0, 1}, {1, 0}}));
    EXPECT_PRED2(same, read("0.0,1,2\n0.5,1,2\n").values, matrix({{0, 1, 2}, {0.5, 1, 2}}));
    EXPECT_PRED2(same, read("0,1,2\n").values, matrix({{0, 1, 2}}));
    for (const auto& values : {matrix({{0, 1}, {0.5, 2}}), matrix({{0, 1, 2}, {2, 0, 1}})})
        EXPECT_PRED2(same, read(write_csv({values, {}, {}})).values, values)
            << "written to be read";
}

TEST(Csv, NamesAPrintedMatrixThatIsPasted) {
    const auto pasted = parse_block("[[ 1.5  -2.    3.25]\n [ 4.    5.5  -6.  ]]\n");
    ASSERT_FALSE(pasted);
    EXPECT_NE(pasted.error().message.find("as NumPy prints it"), std::string::npos);
}

TEST(Csv, KeepsNamesAndValuesThatBeginWithAHash) {
    EXPECT_EQ(read("##ing,1,2\n#,3,4\n##s,5,6\n").token_names, (Names{"##ing", "#", "##s"}));
    EXPECT_EQ(read("\"# a\",\"b\"\n1,2\n").feature_names, (Names{"# a", "b"}));
    EXPECT_EQ(read("\t#a\t#b\nthe\t1\t2\n").feature_names, (Names{"#a", "#b"}));
    EXPECT_NE(error_of("1\n#N/A\n2\n").find("line 2"), std::string::npos);
    EXPECT_NE(error_of("1,2\n#DIV/0!,#DIV/0!\n").find("line 2, column 1"), std::string::npos);
    EXPECT_NE(error_of("#DIV/0!,2\n3,4\n").find("line 1, column 1"), std::string::npos);
}

TEST(Csv, SaysWhichLineIsRagged) {
    EXPECT_EQ(error_of("1,2\n3\n"), "t.csv: line 2 has 1 value: expected 2, as in line 1.");
    EXPECT_EQ(error_of("1,2,3\n\n4,5\n"), "t.csv: line 3 has 2 values: expected 3, as in line 1.");
    EXPECT_EQ(error_of("a,b\n1,2\n1,2,3\n"),
              "t.csv: line 3 has 3 values: expected 2, as in line 1.");
}

TEST(Csv, SaysWhichCellIsNotANumber) {
    EXPECT_EQ(error_of("a,b\n1,2\n3,x\n"),
              "t.csv: line 3, column 2: expected a number, found \"x\".");
    EXPECT_EQ(error_of("1,2\n3,\n"), "t.csv: line 2, column 2: expected a number, found nothing.");
    EXPECT_EQ(error_of(",2,3\n4,5,6\n"),
              "t.csv: line 1, column 1: expected a number, found nothing.");
    EXPECT_EQ(error_of("\"a\nb\",c\n1,2\n3,x"),
              "t.csv: line 4, column 2: expected a number, found \"x\".");
    EXPECT_EQ(error_of("1,2,oops\n4,5,6\n"),
              "t.csv: line 1, column 3: expected a number, found \"oops\".");
    for (const std::string_view bad : {"0x1p3", "1e", "--1", "nan(3)", "1_000", "#DIV/0!", "+-1"}) {
        EXPECT_NE(error_of("1,2,3\n4,5," + std::string(bad)).find("line 2, column 3"),
                  std::string::npos)
            << bad;
    }
    EXPECT_NE(error_of("1,1e999").find("below 1.8e308"), std::string::npos);
}

TEST(Csv, NamesADecimalComma) {
    EXPECT_EQ(error_of("1,5;2,5\n3,5;4,5\n"),
              "t.csv: line 1, column 1: expected a number with a decimal point, not a comma, "
              "found \"1,5\".");
    EXPECT_NE(error_of("1.5\t\"2,5\"\n3\t4").find("decimal point"), std::string::npos);
}

TEST(Csv, RefusesWhatIsNoTextOfNumbers) {
    EXPECT_EQ(error_of(""), "t.csv: the file is empty: expected rows of numbers.");
    EXPECT_EQ(error_of(" \r\n\n"), "t.csv: the file is empty: expected rows of numbers.");
    EXPECT_EQ(error_of(",,\n,,"), "t.csv: the file is empty: expected rows of numbers.");
    EXPECT_EQ(error_of("1,2\n3,\xFF\n"),
              "t.csv: line 2: byte 7 of the file is not text: expected UTF-8.");
    EXPECT_NE(error_of("1,\xC0\x80").find("UTF-8"), std::string::npos);
    EXPECT_NE(error_of(std::string_view("1,\0", 3)).find("not text"), std::string::npos);
    EXPECT_NE(error_of("\xFF\xFE"
                       "1\0")
                  .find("UTF-16"),
              std::string::npos);
    EXPECT_NE(error_of("a,b,c\n").find("no numbers"), std::string::npos);
    EXPECT_NE(error_of("a\nb\n").find("expected"), std::string::npos);
}

TEST(Csv, RefusesMisplacedQuotes) {
    EXPECT_EQ(
        error_of("1,2\n3,\"4\n5,6"),
        "t.csv: line 2, column 2: expected a closing quotation mark, found the end of the text");
    EXPECT_EQ(error_of("1,2\n3,\"4\"5\n"),
              "t.csv: line 2, column 2: expected a delimiter or the end of the "
              "line after a closing quotation mark");
    EXPECT_EQ(error_of("1,2\n3,\"4\n5,6\n7,\"8\"\n"),
              "t.csv: line 2, column 2: expected a closing quotation mark in this line, found the "
              "next one in "
              "line 4");
}

TEST(Csv, RefusesMatricesBeyondTheLimit) {
    std::string wide = "1";
    for (int i = 0; i < 16384; ++i) wide += ",1";
    EXPECT_NE(error_of(wide).find("at most 16384"), std::string::npos);
    std::string tall;
    for (int i = 0; i < 16390; ++i) tall += "1\n";
    EXPECT_NE(error_of(tall).find("at most 16384"), std::string::npos);
}

TEST(Csv, WritesWhatItReads) {
    const Table table{matrix({{0.1, -0.0, 1e300}, {1.0 / 3, 5e-324, -2}}),
                      {"the \"cat\"", "2017"},
                      {"a,b", "", "12"}};
    for (const char delimiter : {',', '\t', ';'}) {
        const Table back = read(write_csv(table, delimiter));
        EXPECT_PRED2(same, back.values, table.values);
        EXPECT_TRUE(std::signbit(back.values(0, 1)));
        EXPECT_EQ(back.token_names, table.token_names);
        EXPECT_EQ(back.feature_names, table.feature_names);
    }
    const Table numbered{matrix({{1, 2}, {3, 4}}), {}, {"1", "2"}};
    EXPECT_EQ(read(write_csv(numbered)).feature_names, numbered.feature_names);
    const Table called{matrix({{0, 1}, {3, 4}}), {"token", "\xEF\xBB\xBF"}, {}};
    EXPECT_EQ(read(write_csv(called)).token_names, called.token_names);
    const Table hashes{matrix({{1, 2}, {3, 4}}), {"# x", "#"}, {"#a", "# b"}};
    EXPECT_EQ(read(write_csv(hashes)).token_names, hashes.token_names);
    EXPECT_EQ(read(write_csv(hashes)).feature_names, hashes.feature_names);
    const Table heading{matrix({{1, 2}}), {}, {"#a", "b"}};
    EXPECT_EQ(read(write_csv(heading)).feature_names, heading.feature_names);
    const Table half{matrix({{1}}), {"1st"}, {"0h"}};
    EXPECT_EQ(read(write_csv(half)).token_names, half.token_names);
    EXPECT_EQ(read(write_csv(half)).feature_names, half.feature_names);
    const Table one{matrix({{1, 2}}), {"1st"}, {}};
    EXPECT_EQ(read(write_csv(one)).token_names, one.token_names);
    const Table tokens{matrix({{1, 2}, {3, 4}}), {"1", "2"}, {}};
    EXPECT_EQ(read(write_csv(tokens)).token_names, tokens.token_names);
}

TEST(Csv, WritesTheShortestDigits) {
    const double tenth = 0.1F;
    EXPECT_EQ(write_csv({matrix({{tenth, 2}}), {}, {}}, ',', Digits::float32), "0.1,2\n");
    EXPECT_EQ(write_csv({matrix({{tenth}}), {}, {}}), "0.10000000149011612\n");
    EXPECT_EQ(
        write_csv({matrix({{-std::nan(""), -std::numeric_limits<double>::infinity()}}), {}, {}}),
        "nan,-inf\n");
}

TEST(Csv, IgnoresTheLocale) {
    struct CommaPoint : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPoint));
    EXPECT_PRED2(same, read("1.5,2").values, matrix({{1.5, 2}}));
    EXPECT_EQ(write_csv({matrix({{1.5}}), {}, {}}), "1.5\n");
    std::locale::global(before);
}

TEST(Csv, ExchangesBlocksWithASpreadsheet) {
    const Matrix<double> block = matrix({{1.5, -2}, {3, 4e-9}});
    EXPECT_EQ(write_csv({block, {}, {}}, '\t'), "1.5\t-2\n3\t4e-09\n");
    const Result<Table> back = parse_block(write_csv({block, {}, {}}, '\t'));
    ASSERT_TRUE(back.has_value());
    EXPECT_PRED2(same, back->values, block);
    const Result<Table> wrong = parse_block("1\t2\n3\tx\n");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().message,
              "The pasted text: line 2, column 2: expected a number, found \"x\".");
}

} // namespace
} // namespace normscope
