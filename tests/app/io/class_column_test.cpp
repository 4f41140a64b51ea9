#include "app/io/class_column.h"

#include "app/io/csv.h"

#include <gtest/gtest.h>
#include <string>

namespace normscope {
namespace {

Result<Points> classes_of(std::string_view text, const std::string& wanted = {}) {
    const auto table = read_csv(text, "p.csv", wanted);
    if (!table) return tl::unexpected(table.error());
    return points_of(*table, wanted, "p.csv");
}

std::string class_error(std::string_view text, const std::string& wanted = {}) {
    const auto points = classes_of(text, wanted);
    return points ? "none, class " + points->names.class_column : points.error().message;
}

// The lines twelve times, below the heading, so that classes come again.
std::string often(std::string_view lines, const std::string& heading = {}) {
    std::string out = heading;
    for (int i = 0; i < 12; ++i) out += lines;
    return out;
}

std::string class_of(const std::string& text) {
    const auto points = classes_of(text);
    return points ? points->names.class_column : points.error().message;
}

TEST(ClassColumn, IsTheLastOneOfFewWholeNumbersElseTheFirst) {
    const Points points = classes_of(often("1,2.5,1\n3,4,0\n5,6,10\n7,8,1\n")).value();
    Matrix<double> x(4, 2);
    x << 1, 2.5, 3, 4, 5, 6, 7, 8;
    EXPECT_EQ(points.x.topRows(4), x);
    EXPECT_EQ(std::vector<Index>(points.classes.begin(), points.classes.begin() + 4),
              (std::vector<Index>{1, 0, 2, 1}));
    EXPECT_EQ(points.names.classes, (std::vector<std::string>{"0", "1", "10"}));
    EXPECT_EQ(points.names.features, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(points.names.class_column, "3");
    std::string measured;
    for (int i = 0; i < 60; ++i)
        measured += std::to_string(1 + i % 3) + ",0.5," + std::to_string(500 + 10 * i) + "\n";
    EXPECT_EQ(class_of(measured), "1") << "the last holds 60 different numbers";
}

TEST(ClassColumn, IsFoundByItsNameInAnyCase) {
    for (const std::string name : {"class", "Class", "LABEL", "labels", "Target", "species", "y"})
        EXPECT_EQ(class_of(often("1.5,0,2.5\n2,1,0.5\n", "a," + name + ",b\n")), name);
    EXPECT_EQ(class_of(often("1.5,0,1\n2,1,0\n", "x,y,kind\n")), "kind") << "y is a coordinate";
    EXPECT_EQ(class_of(often("0.25,0,1.5\n0.5,1,2\n", "a,class,target\n")), "class")
        << "the target is measured";
    EXPECT_NE(class_of(often("1,0.5,2.5\n2,1,0.25\n", "rooms,area,y\n")).find("a regression"),
              std::string::npos);
    EXPECT_EQ(class_of(often("red,1.5,0,2\n", "colour,a,class,b\n") + "blue,1,1,1\n"),
              "p.csv: the column “colour” holds words, and a feature is a number: leave the column "
              "out, or make it the class (--class)");
    EXPECT_EQ(class_of(often("red,1.5,0.5\nblue,1,2\n", "colour,a,b\n")), "colour");
    EXPECT_EQ(class_of(often("1.5,red,0.5\n2,blue,1\n")), "2") << "text before numbers";
}

TEST(ClassColumn, IsChosenByItsHeadingOrNumber) {
    const std::string text = often("1,0.5,a\n0,2.5,b\n", "sick,b,class\n");
    EXPECT_EQ(class_error(text, "CLASS"), "none, class class");
    EXPECT_EQ(class_error(text, "3"), "none, class class");
    EXPECT_TRUE(class_error(text, "sick").starts_with("p.csv: the column “class” holds words,"));
    EXPECT_EQ(class_error(text, "sik"), "p.csv: has no column \"sik\": expected \"sick\", \"b\", "
                                        "\"class\"");
    const std::string numbers = often("1,0.5,2\n0,2.5,3\n");
    EXPECT_EQ(class_error(numbers), "none, class 3");
    EXPECT_EQ(class_error(numbers, "1"), "none, class 1");
}

TEST(ClassColumn, OfManyNumbersIsARegressionAndRefused) {
    std::string text = "rooms,area,target\n";
    for (int i = 0; i < 120; ++i)
        text += "2,0.5," + std::to_string(i % 40) + (i % 40 == 39 ? "0\n" : "\n");
    EXPECT_EQ(class_error(text),
              "p.csv: the column “target” holds 40 different numbers: it "
              "measures something (a regression), and here classes are learned; "
              "choose another column (--class), call another one “class”, or put "
              "these numbers into a few classes");
    EXPECT_NE(class_error(often("1.5,1,0.25\n2,2,0.75\n", "a,b,c\n"), "c").find("a regression"),
              std::string::npos);
    std::string letters;
    for (int i = 0; i < 120; ++i) letters += "0.5,1.5," + std::to_string(i % 40) + "\n";
    EXPECT_EQ(class_error(letters), "none, class 3") << "numbers that count from 0 are classes";
}

TEST(ClassColumn, HasOneClassForEachNumberHoweverItIsWritten) {
    const Points points = classes_of(often("1.5,2,0\n2,3,0.0\n3,4,1\n4,5,1.0\n")).value();
    EXPECT_EQ(points.names.classes, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(points.class_count, 2);
}

TEST(ClassColumn, WithoutAClassInALineIsRefusedByThatLine) {
    for (const std::string mark : {"", "NA", "nan", "NaN", "-"})
        EXPECT_EQ(class_error(often("1,2,x\n3,4,y\n", "a,b,class\n") + "5,6," + mark + "\n"),
                  "p.csv: line 26, column 3 has no class (\"" + mark +
                      "\"): write one, or put it in quotes if it is one");
    const std::string quoted = often("1,2,\"x\"\n3,4,\"NA\"\n", "a,b,class\n");
    EXPECT_EQ(classes_of(quoted).value().names.classes, (std::vector<std::string>{"NA", "x"}));
    EXPECT_NE(class_error(often("\"1\",\"2\",\"x\"\n\"3\",\"4\",\"y\"\n") + "\"3\",\"4\",\"NA\"\n")
                  .find("line 25, column 3 has no class"),
              std::string::npos)
        << "quotes say nothing where everything is quoted";
    EXPECT_NE(class_error(often("1.5,2,0\n2,3,1\n") + "4,5,nan\n", "3").find("row 25"),
              std::string::npos);
    EXPECT_NE(class_error(often("1,2,x\n3,4,y\n") + "5,,x\n").find("line 25, column 2"),
              std::string::npos);
}

TEST(ClassColumn, IsReadFromEveryFormOfText) {
    const std::vector<std::string> names{"elm", "oak; old"};
    for (const std::string& text :
         {often("1;2.5;\"oak; old\"\r\n3;-4e-1;elm\r\n", "\xef\xbb\xbf"
                                                         "a;b;class\r\n"),
          often("1;2.5;\"oak; old\"\n3;-0.4;elm\n", "sep=;\na;b;class\n"),
          often("1\t2.5\toak; old\n3\t-0.4\telm\n", "a\tb\tclass\n"),
          often("\"1\",\"2.5\",\"oak; old\"\n\"3\",\"-0.4\",\"elm\"\n", "\"a\",\"b\",\"class\"\n"),
          often("\"1\" 1 2.5 \"oak; old\"\n\"2\" 3 -0.4 \"elm\"\n", "\"a\" \"b\" \"class\"\n"),
          often("\"1\",1,2.5,\"oak; old\"\n\"2\",3,-0.4,\"elm\"\n", "\"\",\"a\",\"b\",\"class\"\n"),
          often("1,2.5,\"oak; old\"\n3,-0.4,elm\n", "# made by hand\n# a,b,class\n")}) {
        const auto points = classes_of(text);
        ASSERT_TRUE(points) << text << points.error().message;
        EXPECT_EQ(points->x.row(0), Matrix<double>({{1, 2.5}})) << text;
        EXPECT_EQ(points->x.row(1), Matrix<double>({{3, -0.4}})) << text;
        EXPECT_EQ(points->x.rows(), 24) << text;
        EXPECT_EQ(points->names.classes, names) << text;
        EXPECT_EQ(points->names.features, (std::vector<std::string>{"a", "b"})) << text;
        EXPECT_EQ(points->names.class_column, "class") << text;
    }
    const auto broken = classes_of(often("1,2,\"oak\nold\"\n3,4,elm\n"));
    ASSERT_TRUE(broken) << broken.error().message;
    EXPECT_EQ(broken->names.classes, (std::vector<std::string>{"elm", "oak\nold"}));
}

TEST(ClassColumn, IsFoundBelowHeadingsThatAreDigits) {
    for (const std::string heading : {"0,1,class\n", "0,1,kind\n"})
        EXPECT_EQ(classes_of(often("0.5,1,b\n2,3.5,a\n", heading)).value().x.rows(), 24);
    const Points points = classes_of(often("0.5,1.5,1\n2.0,3.5,0\n", "0,1,2\n")).value();
    EXPECT_EQ(points.x.rows(), 24);
    EXPECT_EQ(points.names.features, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(classes_of(often("0,1,a\n1,1,b\n")).value().x.rows(), 24) << "no heading: a again";
}

TEST(ClassColumn, LeavesOutNamesOfPointsButNoClasses) {
    std::string named = "plant,a,b,class\n";
    for (int i = 0; i < 20; ++i)
        named += "p" + std::to_string(i) + ",1.5," + std::to_string(i) + (i % 2 ? ",x\n" : ",y\n");
    EXPECT_EQ(classes_of(named).value().names.features, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(class_of(often("oak 1.5 2\nelm 3 4\n")), "1") << "no word embeddings";
}

TEST(ClassColumn, IsChosenAgainAndTheOneBeforeIsAFeature) {
    const Points last = classes_of(often("1,0.5,7\n2,2.5,9\n1,3.5,7\n", "kind,a,class\n")).value();
    EXPECT_EQ(class_columns(last), (std::vector<Index>{0, 2}));
    const Points first = with_class(last, 0, "p.csv").value();
    EXPECT_EQ(first.names.class_column, "kind");
    EXPECT_EQ(first.names.features, (std::vector<std::string>{"a", "class"}));
    EXPECT_EQ(first.x.row(1), Matrix<double>({{2.5, 9}}));
    EXPECT_EQ(first.names.classes, (std::vector<std::string>{"1", "2"}));
    const Points back = with_class(first, 2, "p.csv").value();
    EXPECT_EQ(back.x, last.x);
    EXPECT_EQ(back.classes, last.classes);
    EXPECT_EQ(back.names, last.names);
    EXPECT_NE(with_class(last, 1, "p.csv").error().message.find("a regression"), std::string::npos);
    const Points words = classes_of(often("1,0.5,x\n0,2.5,y\n")).value();
    EXPECT_EQ(class_columns(words), (std::vector<Index>{2}));
    EXPECT_EQ(with_class(words, 2, "p.csv").value().names, words.names);
}

TEST(ClassColumn, FaultsAreNamedByTheirPlace) {
    EXPECT_EQ(class_error(""), "p.csv: the file is empty: expected rows of numbers.");
    EXPECT_EQ(class_error("1,2\n3,4\n"),
              "p.csv: has 2 columns: expected two or more columns of numbers and one of classes");
    EXPECT_EQ(class_error("a,b,class\n1,2,x\n3,4,x\n"),
              "p.csv: the column “class” has 1 different class: expected 2 to 100");
    const std::string cell = class_error("a,b,class\n1,2,x\n3,q,y\n5,6,x\n");
    EXPECT_NE(cell.find("p.csv: line 3, column 2"), std::string::npos) << cell;
    EXPECT_NE(class_error("1,2,x\n3,4\n5,6,x\n").find("line 2 has 2 values"), std::string::npos);
}

} // namespace
} // namespace normscope
