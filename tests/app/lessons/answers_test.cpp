#include "app/lessons/answers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

LessonPrediction three() {
    LessonPrediction predict;
    predict.items = {{"b", "b", "2"}, {"c", "c", "3"}, {"a", "a", "1"}};
    predict.axis = {0.01, 100, true, ""};
    predict.within = 0.5;
    return predict;
}

TEST(LessonOrders, LinesOfTheSameValueStandEitherWay) {
    const std::vector<double> values{2, 3, 1, 2};
    EXPECT_EQ(right_order(values), (LineOrder{2, 0, 3, 1}));
    EXPECT_TRUE(is_in_order({2, 0, 3, 1}, values));
    EXPECT_TRUE(is_in_order({2, 3, 0, 1}, values));
    EXPECT_FALSE(is_in_order({0, 2, 3, 1}, values));
    EXPECT_FALSE(is_in_order({0, 1}, std::vector<double>{1, NAN}));
}

TEST(LessonOrders, AreKeptByTheirTexts) {
    const std::string kept = kept_order(three(), {2, 0, 1});
    EXPECT_EQ(kept, "a\nb\nc");
    EXPECT_EQ(order_from(three(), kept), (LineOrder{2, 0, 1}));
    EXPECT_FALSE(order_from(three(), "a\nb")) << "one is missing";
    EXPECT_FALSE(order_from(three(), "a\nb\nb"));
    EXPECT_FALSE(order_from(three(), "a\nb\nd")) << "of a lesson that has changed";
}

TEST(LessonSketches, FitWithinPowersOfTenOnALogarithmicAxis) {
    LessonPrediction predict = three();
    const std::vector<double> is{1, 10, 0.1};
    EXPECT_TRUE(sketch_fits(predict, std::vector<double>{2, 5, 0.3}, is));
    EXPECT_FALSE(sketch_fits(predict, std::vector<double>{2, 2, 0.1}, is)) << "a fifth";
    EXPECT_FALSE(sketch_fits(predict, is, std::vector<double>{1, 10, NAN}));
    predict.axis.log = false;
    EXPECT_FALSE(sketch_fits(predict, std::vector<double>{2, 5, 0.3}, is));
    EXPECT_TRUE(sketch_fits(predict, std::vector<double>{1.5, 9.5, 0.1}, is));
}

TEST(LessonSketches, APlaceInThePlotIsAHeight) {
    const LessonPrediction predict = three();
    const Rect plot{100, 50, 300, 200};
    const Point at = sketch_place(predict, plot, 1, 1);
    EXPECT_FLOAT_EQ(at.x, plot.center().x);
    EXPECT_FLOAT_EQ(at.y, plot.center().y) << "1 is half-way from 0.01 to 100";
    EXPECT_NEAR(sketch_height(predict, plot, at.y), 1, 1e-5);
    EXPECT_NEAR(sketch_column(predict, plot, at.x), 1, 1e-5);
    EXPECT_NEAR(sketch_height(predict, plot, plot.y - 50), 100, 1e-3) << "held at the edge";
}

TEST(LessonSketches, AreKeptAsTheirHeights) {
    const std::vector<double> heights{1e-15, 0.25, 3};
    EXPECT_EQ(heights_from(three(), kept_heights(heights)), heights);
    EXPECT_FALSE(heights_from(three(), "1 2"));
    EXPECT_FALSE(heights_from(three(), "a\nb\nc"));
}

} // namespace
} // namespace normscope
