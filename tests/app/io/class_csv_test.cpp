#include "app/io/csv.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

std::string class_error(std::string_view bytes) {
    const auto table = read_class_csv(bytes, "p.csv");
    return table ? "none" : table.error().message;
}

TEST(ClassCsv, TheLastColumnIsTheClassWhereNoneIsCalledSo) {
    const ClassTable table = read_class_csv("1,2,1\n3,4,0\n5,6,10\n7,8,1\n", "p.csv").value();
    Matrix<double> x(4, 2);
    x << 1, 2, 3, 4, 5, 6, 7, 8;
    EXPECT_EQ(table.points.x, x);
    EXPECT_EQ(table.points.classes, (std::vector<Index>{1, 0, 2, 1}));
    EXPECT_EQ(table.class_names, (std::vector<std::string>{"0", "1", "10"}));
}

TEST(ClassCsv, AHeadingNamesTheClassAndWordsMayStandThere) {
    const ClassTable table =
        read_class_csv(
            "\xef\xbb\xbfid;Label;a;\"b;c\"\r\nk;\"oak; old\";1;2\r\nl;elm;3;-4e-1\r\n\r\n",
            "p.csv")
            .value();
    Matrix<double> x(2, 2);
    x << 1, 2, 3, -0.4;
    EXPECT_EQ(table.points.x, x);
    EXPECT_EQ(table.class_column, "Label");
    EXPECT_EQ(table.class_names, (std::vector<std::string>{"elm", "oak; old"}));
    EXPECT_EQ(table.points.classes, (std::vector<Index>{1, 0}));
}

TEST(ClassCsv, FaultsAreNamedByTheirPlace) {
    EXPECT_EQ(class_error(""),
              "p.csv: is empty: expected two or more columns of numbers and one of classes");
    EXPECT_EQ(class_error("1,2\n3,4\n"),
              "p.csv: has 2 columns: expected two or more columns of numbers and one of classes");
    EXPECT_EQ(class_error("a,b,class\n1,2,x\n3,4,\n"),
              "p.csv: line 3 has no class: expected one in column 3");
    EXPECT_EQ(class_error("a,b,class\n1,2,x\n3,4,NA\n"),
              "p.csv: line 3 has no class: expected one in column 3");
    EXPECT_EQ(class_error("a,b,class\n1,2,x\n3,4,x\n"),
              "p.csv: column 3 has 1 different class: expected 2 to 100");
    const std::string cell = class_error("a,b,class\n1,2,x\n3,q,y\n5,6,x\n");
    EXPECT_NE(cell.find("p.csv: line 3"), std::string::npos) << cell;
    EXPECT_NE(class_error("1,2,x\n3,4\n5,6,x\n"), "none");
}

} // namespace
} // namespace normscope
