#include "app/model/printed_number.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

TEST(PrintedNumber, RoundsHalvesAwayFromZero) {
    EXPECT_EQ(printed(0.125, 2), "0.13");
    EXPECT_EQ(printed(-0.125, 2), "−0.13");
    EXPECT_EQ(printed(1.005, 2), "1.01"); // 1.00499999999999989… in binary
    EXPECT_EQ(printed(2.675, 2), "2.68");
    EXPECT_EQ(printed(1.0049, 2), "1.00");
    EXPECT_EQ(printed(-3.5709, 2), "−3.57");
    EXPECT_EQ(printed(9.999, 2), "10.00");
}

TEST(PrintedNumber, ReadsAFloatAsItsShortestDecimals) {
    EXPECT_EQ(printed(static_cast<double>(0.175f), 2), "0.18"); // 0.17499999701976776
    EXPECT_EQ(printed(static_cast<double>(2.675f), 2), "2.68");
    EXPECT_EQ(printed(0.1749999, 2), "0.17");
}

TEST(PrintedNumber, HasNoNegativeZero) {
    EXPECT_EQ(printed(-0.001, 2), "0.00");
    EXPECT_EQ(printed(-0.0, 2), "0.00");
    EXPECT_FALSE(std::signbit(rounded(-0.001, 2)));
}

TEST(PrintedNumber, ShowsLargeNumbersBriefly) {
    EXPECT_EQ(printed(9999999.994, 2), "9999999.99");
    EXPECT_EQ(short_exponent("1e-05"), "1e-5");
    EXPECT_EQ(short_exponent("-1.5e+07"), "-1.5e7");
    EXPECT_EQ(short_exponent("2e100"), "2e100");
    EXPECT_EQ(short_exponent("0.1"), "0.1");
    EXPECT_EQ(printed(1e20, 2), "1.00e20");
    EXPECT_EQ(printed(-1.2345e8, 3), "−1.235e8");
    EXPECT_EQ(printed(1.7e308, 2), "1.70e308");
}

TEST(PrintedNumber, SaysWhatIsNoNumber) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(printed(infinity, 2), "∞");
    EXPECT_EQ(printed(-infinity, 2), "−∞");
    EXPECT_EQ(printed(std::numeric_limits<double>::quiet_NaN(), 2), "NaN");
    EXPECT_EQ(printed(-std::numeric_limits<double>::quiet_NaN(), 2), "NaN");
}

TEST(PrintedNumber, ColumnsCountCharactersWithoutTheirMarks) {
    EXPECT_EQ(columns("x\u0302 = 1"), 5);
    EXPECT_EQ(columns("√(σ² + ε)"), 9);
    EXPECT_EQ(columns("−∞"), 2);
}

TEST(PrintedNumber, ABriefTextHasTwoDecimalsWhereTheySayEnough) {
    EXPECT_EQ(brief_text(3.16), "3.16");
    EXPECT_EQ(brief_text(0), "0.00");
    EXPECT_EQ(brief_text(-0.3), "−0.30");
    EXPECT_EQ(brief_text(0.000123), "0.000123");
    EXPECT_EQ(brief_text(-1.19209e-7), "−1.19e-7");
    EXPECT_EQ(brief_text(2.5e9), "2.5e9");
    EXPECT_EQ(brief_text(std::numeric_limits<double>::infinity()), "∞");
}

} // namespace
} // namespace normscope
