#include "core/base/rounding.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace normscope {
namespace {

TEST(RoundHalfAway, RoundsHalvesAwayFromZero) {
    EXPECT_EQ(round_half_away(5.25, 1), 5.3);
    EXPECT_EQ(round_half_away(-5.25, 1), -5.3);
    EXPECT_EQ(round_half_away(2.5, 0), 3.0);
    EXPECT_EQ(round_half_away(5.2499, 1), 5.2);
}

TEST(RoundHalfAway, TakesTheDecimalThatIsMeant) {
    EXPECT_EQ(round_half_away(1.005, 2), 1.01); // as a double 1.00499999999999989
    EXPECT_EQ(round_half_away(static_cast<double>(0.175F), 2), 0.18);
    EXPECT_EQ(round_half_away(static_cast<double>(-0.175F), 2), -0.18);
    // A double that lies below the half, and is no float.
    EXPECT_EQ(round_half_away(0.1749999, 2), 0.17);
}

TEST(RoundHalfAway, RoundsBeforeThePoint) {
    EXPECT_EQ(round_half_away(1250, -2), 1300.0);
    EXPECT_EQ(round_half_away(1249, -2), 1200.0);
    EXPECT_EQ(round_half_away(49, -2), 0.0);
}

// Away from a half nothing is to be decided: what is printed is the nearest decimal.
TEST(RoundHalfAway, IsTheNearestDecimalAwayFromAHalf) {
    Random random(17);
    for (int n = 0; n < 20000; ++n) {
        const int places = n % 9;
        const double value = random.normal() * std::pow(10.0, n % 6 - 3);
        const double units = std::abs(value) * std::pow(10.0, places);
        if (std::abs(units - std::floor(units) - 0.5) < 1e-5 * units) continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.*f", places, value);
        EXPECT_EQ(round_half_away(value, places), std::strtod(text, nullptr)) << value;
    }
}

TEST(RoundHalfAway, HasNoNegativeZero) {
    EXPECT_FALSE(std::signbit(round_half_away(-0.001, 2)));
}

} // namespace
} // namespace normscope
