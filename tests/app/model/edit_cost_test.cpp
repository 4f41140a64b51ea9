#include "app/model/edit.h"
#include "tests/app/model/random_edit.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr Randomize k_normal{Distribution::normal, 5};

TEST(EditCost, OfAPasteGrowsWithItsBlock) {
    const Document widest = blank_document(k_max_tokens, k_max_features);
    const Matrix<double> block = Matrix<double>::Zero(1031, 1033);
    const Matrix<double> tile = Matrix<double>::Zero(64, 64);
    EXPECT_GT(cost_of(SetCells{Input::x, 0, 0, *widest.x}, widest), 10e6);
    EXPECT_TRUE(takes_long(SetCells{Input::x, 7, 7, block}, widest));
    EXPECT_TRUE(takes_long(SetZ{7, 7, block}, widest));
    EXPECT_TRUE(takes_long(FillCells{Input::f, 0, 0, 1031, 1033, 1}, widest));
    EXPECT_TRUE(takes_long(SetInput{Input::dy, block, {}, {}, "a.npy"}, blank_document(2, 3)));
    EXPECT_FALSE(takes_long(SetCells{Input::x, 7, 7, tile}, widest));
    EXPECT_FALSE(takes_long(SetZ{7, 7, tile}, widest));
    EXPECT_FALSE(takes_long(FillCells{Input::x, 0, 0, 64, 64, 1}, widest));
}

TEST(EditCost, OfATypedCellIsSmallAtEverySize) {
    const Matrix<double> one = Matrix<double>::Constant(1, 1, 2.5);
    for (const Index n : {1, 7, 128, 1031, 4096}) {
        const Document d = blank_document(n, n);
        EXPECT_FALSE(takes_long(SetCells{Input::x, n - 1, n - 1, one, true}, d)) << n;
        EXPECT_FALSE(takes_long(SetZ{n - 1, n - 1, one}, d)) << n;
        EXPECT_FALSE(takes_long(FillCells{Input::x, 0, 0, 1, 1, 3}, d)) << n;
    }
}

TEST(EditCost, OfABlockThatMakesRoomForItselfIsThatOfTheRoom) {
    const Document d = blank_document(4000, 4000);
    const Matrix<double> two = Matrix<double>::Zero(1, 2);
    EXPECT_TRUE(takes_long(SetCells{Input::x, 0, 3999, two, true}, d));
    EXPECT_TRUE(takes_long(SetZ{0, 3999, two, true}, d));
    EXPECT_FALSE(takes_long(SetCells{Input::x, 0, 3998, two, true}, d)) << "there is room";
    EXPECT_TRUE(takes_long(Resize{Axis::token, 4096}, blank_document(1, 4096)));
    EXPECT_FALSE(takes_long(Insert{Axis::token, 0}, blank_document(1, 4096)));
}

TEST(EditCost, OfWhatTouchesAllValuesGrowsWithThem) {
    const Document small = blank_document(128, 768), big = blank_document(512, 768);
    EXPECT_FALSE(takes_long(k_normal, small));
    EXPECT_TRUE(takes_long(k_normal, big));
    EXPECT_TRUE(takes_long(LearnSteps{1}, big));
    EXPECT_FALSE(takes_long(set<&BackwardSetup::lr>(0.1), big));
    EXPECT_FALSE(takes_long(SetParam{Param::gamma, 0, 767, 2}, big));
}

TEST(EditCost, OnlyAStepOfLearningGivesWay) {
    EXPECT_TRUE(gives_way(LearnSteps{2}));
    EXPECT_FALSE(gives_way(k_normal));
    EXPECT_FALSE(gives_way(RestartLearning{}));
}

TEST(EditCost, OfAnyEditIsFiniteAndNotNegative) {
    Random random(61);
    for (int i = 0; i < 3000; ++i) {
        const Document d = testing::any_document(random, 3, 5, testing::any_number);
        const Edit edit = testing::any_edit(random, d);
        const double cost = cost_of(edit, d);
        EXPECT_TRUE(std::isfinite(cost) && cost >= 0) << describe(edit, d) << ": " << cost;
    }
}

} // namespace
} // namespace normscope
