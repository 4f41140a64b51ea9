#include "app/charts/held_scale.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr HandNow k_down{.down = true, .passed = 0.02};
constexpr HandNow k_gone{.down = false, .passed = 0.02};

HeldScale begun(Extent extent) {
    return HeldScale{}.followed(extent, extent, k_gone);
}

TEST(HeldScale, StandsStillUnderAHandAndMovesHalfASecondAfterIt) {
    HeldScale scale = begun({-2, 2});
    for (int i = 0; i < 200; ++i) {
        scale = scale.followed({-3, 4}, {-5, 5}, k_down);
        ASSERT_EQ(*scale.now, (Extent{-2, 2}));
        ASSERT_FALSE(scale.moves()) << "nothing has to be drawn";
    }
    for (int i = 0; i < 24; ++i) scale = scale.followed({-3, 4}, {-5, 5}, k_gone);
    EXPECT_EQ(*scale.now, (Extent{-2, 2}));
    EXPECT_TRUE(scale.moves());
    for (int i = 0; i < 9; ++i) scale = scale.followed({-3, 4}, {-5, 5}, k_gone);
    EXPECT_LT(scale.now->lo, -2);
    EXPECT_GT(scale.now->lo, -5) << "on its way";
    for (int i = 0; i < 10; ++i) scale = scale.followed({-3, 4}, {-5, 5}, k_gone);
    EXPECT_EQ(*scale.now, (Extent{-5, 5}));
    EXPECT_FALSE(scale.moves());
}

TEST(HeldScale, MovesAtOnceWhereMotionIsReduced) {
    HeldScale scale = begun({-2, 2}).followed({-3, 4}, {-5, 5}, k_down);
    HandNow still = k_gone;
    still.at_once = true;
    for (int i = 0; i < 24; ++i) scale = scale.followed({-3, 4}, {-5, 5}, still);
    EXPECT_EQ(*scale.now, (Extent{-2, 2}));
    for (int i = 0; i < 2; ++i) scale = scale.followed({-3, 4}, {-5, 5}, still);
    EXPECT_EQ(*scale.now, (Extent{-5, 5}));
}

TEST(HeldScale, StaysWhileItHoldsTheValuesAndTheyTakeAThirdOfIt) {
    const HeldScale scale = begun({-5, 5});
    for (const double reach : {5.0, 4.0, 2.0, 1.7})
        EXPECT_FALSE(
            scale.followed(about_zero(reach), about_zero(nice_limit(reach)), k_gone).moves())
            << reach;
    for (const double reach : {5.1, 1.6})
        EXPECT_TRUE(
            scale.followed(about_zero(reach), about_zero(nice_limit(reach)), k_gone).moves())
            << reach;
}

TEST(HeldScale, ThatTheHandLeftAndCameBackToIsTheOneItWas) {
    HeldScale scale = begun({-5, 5}).followed({-9, 9}, {-10, 10}, k_down);
    scale = scale.followed({-4, 4}, {-5, 5}, k_down);
    for (int i = 0; i < 60; ++i) scale = scale.followed({-4, 4}, {-5, 5}, k_gone);
    EXPECT_EQ(*scale.now, (Extent{-5, 5}));
}

TEST(NiceLimit, IsOneTwoOrFiveTimesAPowerOfTen) {
    EXPECT_EQ(nice_limit(3.16), 5);
    EXPECT_EQ(nice_limit(1.3), 2);
    EXPECT_EQ(nice_limit(0.7), 1);
    EXPECT_EQ(nice_limit(60), 100);
    EXPECT_EQ(nice_limit(0), 1);
    EXPECT_EQ(nice_limit(INFINITY), 1);
}

} // namespace
} // namespace normscope
