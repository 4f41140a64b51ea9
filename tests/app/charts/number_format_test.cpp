#include "app/charts/number_format.h"

#include "tests/app/charts/recording_canvas.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

TEST(NumberFormat, FixedDecimals) {
    EXPECT_EQ(fixed_text(1.2, 2), "1.20");
    EXPECT_EQ(fixed_text(-0.456, 2), "−0.46");
    EXPECT_EQ(fixed_text(-0.001, 2), "0.00") << "no sign that the digits do not bear out";
    EXPECT_EQ(fixed_text(-0.0, 0), "0");
    EXPECT_EQ(fixed_text(1234.5678, 0), "1235");
    EXPECT_EQ(fixed_text(k_nan, 2), "NaN");
    EXPECT_EQ(fixed_text(k_inf, 2), "∞");
    EXPECT_EQ(fixed_text(-k_inf, 2), "−∞");
    EXPECT_EQ(fixed_text(1e300, 2).size(), 304u);
}

TEST(NumberFormat, RoundsWhatIsReadHalfAwayFromZero) {
    EXPECT_EQ(fixed_text(5.25, 1), "5.3");
    EXPECT_EQ(fixed_text(-5.25, 1), "−5.3");
    EXPECT_EQ(fixed_text(2.5, 0), "3");
    EXPECT_EQ(fixed_text(0.175, 2), "0.18");
    EXPECT_EQ(fixed_text(static_cast<double>(0.175f), 2), "0.18") << "0.17499999701976776";
    EXPECT_EQ(fixed_text(0.17499, 2), "0.17");
    EXPECT_EQ(fixed_text(9.995, 2), "10.00");
    EXPECT_EQ(fixed_text(0.1, 17), "0.10000000000000001") << "all digits of a double, if asked";
    EXPECT_EQ(number_text(0.0125, 2), "0.013");
}

TEST(NumberFormat, ShortScientific) {
    EXPECT_EQ(scientific_text(1e20, 2), "1e20");
    EXPECT_EQ(scientific_text(-2.5e-9, 2), "−2.5e-9");
    EXPECT_EQ(scientific_text(9.99e5, 1), "1e6");
    EXPECT_EQ(scientific_text(1.5, 1), "1.5e0");
    EXPECT_EQ(scientific_text(0, 3), "0");
    EXPECT_EQ(scientific_text(k_inf, 3), "∞");
}

TEST(NumberFormat, StatisticsKeepTheirDigitsAtEverySize) {
    EXPECT_EQ(statistic_text(0.277, 0.89), "0.28");
    EXPECT_EQ(statistic_text(-2e-8, 1.0), "0.00");
    EXPECT_EQ(statistic_text(0.89, 0.89), "0.89");
    EXPECT_EQ(statistic_text(10000.0049, 0.00977), "10000.005");
    EXPECT_EQ(statistic_text(10000.0049, 97.7), "10000");
    EXPECT_EQ(statistic_text(10000, 1e-6), "10000") << "below what float32 knows";
    EXPECT_EQ(statistic_text(0.00977, 0.00977), "0.0098");
    EXPECT_EQ(statistic_text(1e20, 1e20), "1e20");
    EXPECT_EQ(statistic_text(-3.21e-6, 2e-6), "−3.2e-6");
    EXPECT_EQ(statistic_text(1e-15, 2e-6), "0") << "round-off";
    EXPECT_EQ(statistic_text(3, 0), "3.00");
    EXPECT_EQ(statistic_text(k_nan, k_nan), "NaN");
    EXPECT_EQ(statistic_text(k_inf, k_nan), "∞");
}

TEST(NumberFormat, PicksTheReadableForm) {
    EXPECT_EQ(number_text(0.5, 3), "0.5");
    EXPECT_EQ(number_text(1200, 3), "1200");
    EXPECT_EQ(number_text(3.14159, 3), "3.14");
    EXPECT_EQ(number_text(-0.012345, 3), "−0.0123");
    EXPECT_EQ(number_text(3e-7, 3), "3e-7");
    EXPECT_EQ(number_text(1.234e9, 3), "1.23e9");
    EXPECT_EQ(number_text(0, 3), "0");
}

TEST(NumberFormat, CompactTextTurnsToPowersOfTenFromAMillionOn) {
    EXPECT_EQ(compact_text(0.5, 2), "0.50");
    EXPECT_EQ(compact_text(-999999, 2), "−999999.00");
    EXPECT_EQ(compact_text(15000000, 2), "1.5e7");
    EXPECT_EQ(compact_text(-1e6, 3), "−1e6");
    EXPECT_EQ(compact_text(k_nan, 2), "NaN");
    EXPECT_EQ(compact_text(-k_inf, 2), fixed_text(-k_inf, 2));
}

} // namespace
} // namespace normscope
