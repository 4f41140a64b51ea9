#include "app/charts/ticks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace normscope {
namespace {

float seven_a_letter(std::string_view label) {
    const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    const auto bytes = std::ranges::count_if(label, follows); // behind the first one of a letter
    return 7.0f * static_cast<float>(std::ssize(label) - bytes) + 8;
}

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
    std::vector<std::string> all;
    for (const Tick& t : ticks) all.push_back(t.label);
    return all;
}

using Labels = std::vector<std::string>;

TEST(Scale, GoesThereAndBack) {
    const Scale scales[] = {{ScaleKind::linear, -4, 6, 10, 210},
                            {ScaleKind::linear, 0, 1, 300, 20},
                            {ScaleKind::log, 1e-8, 1e4, 400, 0},
                            {ScaleKind::symlog, -1e3, 1e2, 0, 500, 0.1}};
    for (const Scale& s : scales)
        for (float p = std::min(s.from, s.to) + 1; p < std::max(s.from, s.to); p += 13)
            EXPECT_NEAR(s.pixel(s.value(p)), p, 1e-2f);
    EXPECT_FLOAT_EQ(scales[0].pixel(-4), 10);
    EXPECT_FLOAT_EQ(scales[0].pixel(6), 210);
    EXPECT_NEAR(scales[2].pixel(1e-2), 200, 1e-3) << "the middle decade in the middle";
    EXPECT_EQ(scales[3].pixel(0), scales[3].pixel(-0.0));
}

TEST(Ticks, StepByOneTwoFive) {
    EXPECT_EQ(labels(make_ticks({ScaleKind::linear, -4, 6, 0, 190}, seven_a_letter)),
              (Labels{"−4", "−2", "0", "2", "4", "6"}));
    EXPECT_EQ(labels(make_ticks({ScaleKind::linear, -4, 6, 0, 640}, seven_a_letter)),
              (Labels{"−4", "−3", "−2", "−1", "0", "1", "2", "3", "4", "5", "6"}))
        << "halves would need 36 px and have 32";
    EXPECT_EQ(labels(make_ticks({ScaleKind::linear, 0, 1, 0, 220}, seven_a_letter)),
              (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}))
        << "all with the same decimals";
    EXPECT_EQ(labels(make_ticks({ScaleKind::linear, 0, 3e7, 0, 200}, seven_a_letter)),
              (Labels{"0", "1e7", "2e7", "3e7"}));
}

TEST(Ticks, AreMoreThanOneWhereTwoHaveRoom) {
    EXPECT_EQ(labels(make_ticks({ScaleKind::linear, -4, 4, 0, 80}, seven_a_letter)),
              (Labels{"−4", "0", "4"}));
    EXPECT_EQ(labels(make_ticks({ScaleKind::linear, -3, 3.5, 0, 50}, seven_a_letter)),
              (Labels{"−3", "0", "3"}));
}

TEST(Ticks, LogarithmicByDecades) {
    EXPECT_EQ(labels(make_ticks({ScaleKind::log, 1e-8, 1e4, 400, 0},
                                [](std::string_view) { return 40.0f; })),
              (Labels{"1e-8", "1e-6", "1e-4", "1e-2", "1e0", "1e2", "1e4"}));
    EXPECT_EQ(labels(make_ticks({ScaleKind::log, 0.15, 3, 0, 400}, seven_a_letter)),
              (Labels{"0.2", "0.5", "1", "2"}));
    EXPECT_EQ(labels(make_ticks({ScaleKind::log, 0.1, 10, 400, 0}, seven_a_letter)),
              (Labels{"0.1", "0.2", "0.5", "1", "2", "5", "10"}));
    EXPECT_EQ(labels(make_ticks({ScaleKind::log, 0.1, 10, 80, 0}, seven_a_letter)),
              (Labels{"1e-1", "1e0", "1e1"}))
        << "too narrow for those between";
    EXPECT_GE(make_ticks({ScaleKind::log, 2.1, 4.5, 0, 400}, seven_a_letter).size(), 2u)
        << "less than a decade still has ticks";
    EXPECT_TRUE(make_ticks({ScaleKind::log, 0, 3, 0, 400}, seven_a_letter).empty());
}

TEST(Ticks, SymlogHasBothSigns) {
    EXPECT_EQ(labels(make_ticks({ScaleKind::symlog, -100, 100, 0, 600, 1}, seven_a_letter)),
              (Labels{"−1e2", "−1e1", "−1e0", "0", "1e0", "1e1", "1e2"}));
}

TEST(Ticks, NeverCrowdAndNeverLeaveTheRange) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-9, 9), mantissa(-1, 1), width(20, 900);
    for (int i = 0; i < 3000; ++i) {
        const double middle = mantissa(random) * std::pow(10.0, exponent(random));
        const double span = std::pow(10.0, exponent(random));
        const Scale scale{ScaleKind::linear, middle - span, middle + span, 0,
                          static_cast<float>(width(random))};
        if (!(scale.hi - scale.lo > 1e-9 * std::abs(middle))) continue; // beyond double's reach
        const auto ticks = make_ticks(scale, seven_a_letter);
        for (std::size_t k = 0; k < ticks.size(); ++k) {
            ASSERT_GE(scale.pixel(ticks[k].value), -0.01f);
            ASSERT_LE(scale.pixel(ticks[k].value), scale.to + 0.01f);
            if (k == 0) continue;
            ASSERT_NE(ticks[k].label, ticks[k - 1].label);
            const float apart = scale.pixel(ticks[k].value) - scale.pixel(ticks[k - 1].value);
            ASSERT_GE(apart + 0.01f,
                      (seven_a_letter(ticks[k].label) + seven_a_letter(ticks[k - 1].label)) / 2);
        }
    }
}

TEST(Ticks, AnEmptyRangeHasNoTicks) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(make_ticks({ScaleKind::linear, 1, 1, 0, 100}, seven_a_letter).empty());
    EXPECT_TRUE(make_ticks({ScaleKind::linear, nan, 1, 0, 100}, seven_a_letter).empty());
}

TEST(Ticks, NiceRangesGoOutward) {
    EXPECT_DOUBLE_EQ(nice_step(0.3), 0.5);
    EXPECT_DOUBLE_EQ(nice_step(5), 5);
    EXPECT_DOUBLE_EQ(nice_step(5.1), 10);
    const Extent r = nice_range(-3.57, 3.16, 10);
    EXPECT_DOUBLE_EQ(r.lo, -4);
    EXPECT_DOUBLE_EQ(r.hi, 4);
}

} // namespace
} // namespace normscope
