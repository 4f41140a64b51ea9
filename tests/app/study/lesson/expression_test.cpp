#include "app/study/lesson/expression.h"

#include "app/model/edit.h"
#include "core/base/printable.h"
#include "core/train/trainer.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

// Three tokens of four features, so that a swapped index shows.
Document document() {
    Document d = blank_document(3, 4);
    d.tokens = Names{"I", "am", "calm again"};
    Matrix<double> x(3, 4);
    x << 1, 2, 3, 4, //
        -1, 0, 1, 8, //
        2, 2, 2, 6;
    d.x = std::move(x);
    d.gamma = std::vector<double>{1, 1.5, 2, 2.5};
    d.precision = Precision::float64;
    d.eps = 0;
    return d;
}

class Expressions : public ::testing::Test {
  protected:
    const Quantities now{document()};
    const Quantities start{*apply(document(), ScaleInput{2})};
    const LessonScope scope{now, start};

    double value(const std::string& text) {
        const auto number = evaluate_number(text, scope);
        EXPECT_TRUE(number) << number.error().message;
        return number.value_or(NAN);
    }
    std::string complaint(const std::string& text) {
        const auto number = evaluate(text, scope);
        EXPECT_FALSE(number) << text;
        return number ? "" : number.error().message;
    }
};

TEST_F(Expressions, ReadTheProgramsOwnNumbersByName) {
    EXPECT_EQ(value("x[am, d3]"), 8);
    EXPECT_EQ(value("z[\"calm again\", d3]"), 6);
    EXPECT_EQ(value("z[2, 3]"), 6);
    EXPECT_EQ(value("gamma[d3]"), 2.5);
    EXPECT_EQ(value("mean[I]"), 2.5);
    EXPECT_NEAR(value("var[I]"), 1.25, 1e-12);
    EXPECT_NEAR(value("sigma[I]"), std::sqrt(1.25), 1e-12);
    EXPECT_NEAR(value("rstd[I] * sigma[I]"), 1, 1e-12);
    EXPECT_EQ(value("tokens + features"), 7);
}

TEST_F(Expressions, TakeRowsColumnsAndAllValues) {
    EXPECT_EQ(evaluate("z[am]", scope)->values, (Matrix<double>(1, 4) << -1, 0, 1, 8).finished());
    EXPECT_EQ(evaluate("z[, d0]", scope)->values, (Matrix<double>(3, 1) << 1, -1, 2).finished());
    EXPECT_EQ(value("sum(z)"), 30);
    EXPECT_EQ(value("max(z[am]) - min(z[am])"), 9);
    EXPECT_NEAR(value("var(z[I])"), value("var[I]"), 1e-12);
}

TEST_F(Expressions, FollowTheRulesOfArithmetic) {
    EXPECT_EQ(value("1 + 2 × 3 − 8 ÷ 4"), 5);
    EXPECT_EQ(value("-2^2"), -4);
    EXPECT_EQ(value("(1 + 2)²"), 9);
    EXPECT_EQ(value("2 * (3 + sqrt(16)) / 7"), 2);
    EXPECT_NEAR(value("sum((z[I] - mean[I])²) / 4"), 1.25, 1e-12);
    EXPECT_NEAR(value("max(abs(x_hat − (z − mean) × rstd))"), 0, 1e-12) << "one value a token";
}

TEST_F(Expressions, CompareWithTheBeginningOfTheStep) {
    EXPECT_EQ(value("start.z[am, d3] / z[am, d3]"), 2);
    EXPECT_EQ(value("moved(x_hat, start.x_hat)"), 0) << "layer norm forgets the scale";
    EXPECT_EQ(value("moved(z, start.z)"), 11) << "0 stays";
}

TEST_F(Expressions, AskOtherNormsAboutTheSameZ) {
    EXPECT_NEAR(value("layer.x_hat[am, d3] - x_hat[am, d3]"), 0, 1e-9);
    EXPECT_NEAR(value("batch.mean[d3]"), 6, 1e-12);
    EXPECT_NEAR(value("sum(batch.x_hat[, d3])"), 0, 1e-12);
    EXPECT_NEAR(value("rms.var[I]"), 7.5, 1e-12) << "the mean square";
}

TEST_F(Expressions, ReadTheGradient) {
    EXPECT_NEAR(value("max(abs(sum(dz[am])))"), 0, 1e-12);
    EXPECT_NEAR(value("dbeta[d1] - sum(dy[, d1])"), 0, 1e-12);
}

TEST_F(Expressions, SayWhatIsWrongAndWhere) {
    EXPECT_EQ(complaint("z[was]"),
              "“z[was]”, sign 3: there is no “was”: expected one of I, am, calm again");
    EXPECT_NE(complaint("z[0, 4]").find("expected one of d0, d1, d2, d3"), std::string::npos);
    EXPECT_NE(complaint("1 + zed").find("sign 5: there is no quantity “zed”"), std::string::npos);
    EXPECT_NE(complaint("(1").find("expected “)”"), std::string::npos);
    EXPECT_NE(complaint("1 2").find("expected an operator or the end"), std::string::npos);
    EXPECT_NE(complaint("").find("expected a number"), std::string::npos);
    EXPECT_NE(complaint("sine(1)").find("there is no function “sine”"), std::string::npos);
    EXPECT_NE(complaint("x + x[am][").find("sign 10: expected an operator"), std::string::npos);
    EXPECT_NE(complaint("gamma + mean + z[,d0] + z[am, 0] + x[, d1] + dgamma + \"").find("sign"),
              std::string::npos);
    EXPECT_NE(complaint("layer.skew").find("expected x_hat, mean, var or sigma"),
              std::string::npos);
    EXPECT_EQ(evaluate_number("z[am]", scope).error().message,
              "“z[am]” is 4 values: expected one number");
}

TEST_F(Expressions, ReachAHundredLevelsWithinEachOther) {
    const auto nested = [](std::size_t levels, const std::string& open, const std::string& close) {
        std::string text;
        for (std::size_t i = 0; i < levels; ++i) text += open;
        text += '1';
        for (std::size_t i = 0; i < levels; ++i) text += close;
        return text;
    };
    EXPECT_EQ(value(nested(100, "(", ")")), 1);
    EXPECT_EQ(value(nested(100, "-", "")), 1);
    EXPECT_EQ(value(nested(100, "sum(", ")")), 1);
    for (const char* open : {"(", "-", "sum(", "2^("}) {
        const std::string said = brief(complaint(nested(6000, open, *open == '-' ? "" : ")")));
        EXPECT_NE(said.find("more than 100 levels within each other"), std::string::npos) << open;
        EXPECT_LT(said.size(), 400u) << "a long expression is quoted in part";
    }
    EXPECT_NE(complaint(nested(101, "(", ")")).find("sign 102: more than 100"), std::string::npos);
}

TEST_F(Expressions, MaximumAndMinimumOfANaNAreNaNWhereverItStands) {
    for (Index token = 0; token < 3; ++token)
        for (Index feature = 0; feature < 4; ++feature) {
            Document d = document();
            Matrix<double> x = *d.x;
            x(token, feature) = NAN;
            d.x = std::move(x);
            const Quantities with_nan{d};
            for (const char* text : {"max(x)", "min(x)"})
                EXPECT_TRUE(std::isnan(*evaluate_number(text, {with_nan, start})))
                    << text << " of " << token << ", " << feature;
        }
}

TEST_F(Expressions, CountCharactersInPlaces) {
    EXPECT_NE(complaint("1 − 2 × zed").find("sign 9: there is no quantity"), std::string::npos);
}

TEST_F(Expressions, TellWhatANormRefuses) {
    Document one = blank_document(1, 3);
    one.norm.kind = NormKind::batch;
    const Quantities refused{one};
    const auto value = evaluate("y[0]", {refused, refused});
    ASSERT_FALSE(value);
    EXPECT_NE(value.error().message.find("batch"), std::string::npos) << value.error().message;
}

// Three lanes of which one is off and one leaves the numbers at its first steps.
Document with_race() {
    Document d = document();
    d.train.common = usual_config(Task::moons);
    d.train.common.layers = 24;
    d.train.common.width = 8;
    d.train.common.steps = 50;
    Lane whole{"whole", true, 0, {}}, off{"off", false, 1, {}}, bare{"no norm", true, 2, {}};
    TrainConfig without = d.train.common;
    without.norm.kind = NormKind::none;
    bare = with_config(d.train, bare, without);
    d.train.lanes = std::vector<Lane>{whole, off, bare};
    return d;
}

TEST(RaceQuantities, AreWhatTrainingMeasures) {
    const Document d = with_race();
    auto trainer = Trainer<float>::make(d.train.common);
    ASSERT_TRUE(trainer);
    double last_25 = 0;
    for (Index step = 0; step < 50; ++step) {
        ASSERT_TRUE(trainer->step(Watch::loss));
        if (step >= 25) last_25 += trainer->last().loss / 25;
    }
    const Quantities q{d};
    const LessonScope scope{q, q};
    EXPECT_EQ(evaluate("race.loss", scope)->values.size(), 2) << "a lane that is off has no row";
    EXPECT_NEAR(*evaluate_number("race.loss[whole]", scope), last_25, 1e-6);
    EXPECT_EQ(*evaluate_number("race.accuracy[whole]", scope), *trainer->test_accuracy());
    EXPECT_EQ(*evaluate_number("race.steps[whole]", scope), 50);
    EXPECT_TRUE(std::isnan(*evaluate_number("race.loss[\"no norm\"]", scope)));
    EXPECT_TRUE(std::isnan(*evaluate_number("race.accuracy[\"no norm\"]", scope)));
    EXPECT_LT(*evaluate_number("race.steps[\"no norm\"]", scope), 50);
    EXPECT_EQ(*evaluate_number("race.hit[\"no norm\"]", scope), INFINITY);
}

// On threads of the lab, and in the frames.
class RaceEndsTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, RaceEndsTest, ::testing::Values(0, 2));

TEST_P(RaceEndsTest, ARaceIsTrainedWhileFramesAskForIt) {
    Lab lab(GetParam());
    RaceEnds ends;
    Document d = with_race();
    const auto ask = [&](const RaceSetup& setup) { return ends.find(lab, setup); };
    const Quantities q{d, ask};
    EXPECT_FALSE(q.find("race.loss"));
    EXPECT_TRUE(q.waits()) << "nothing was trained where it was asked for";
    lab.end_frame();
    while (!q.find("race.loss")) lab.end_frame();
    EXPECT_FALSE(q.waits());
    EXPECT_EQ(q.find("race.loss")->values(0, 0), Quantities{d}.find("race.loss")->values(0, 0));
    d.train.step = 10;
    EXPECT_EQ(*ends.find(lab, d.train), *q.race()) << "whatever step is looked at";
    d.train.common.seed = 1;
    EXPECT_FALSE(*ends.find(lab, d.train)) << "another race";
    EXPECT_EQ(*ends.find(lab, q.document().train), *q.race()) << "and the first is still known";
}

TEST(RaceQuantities, ARaceThatTakesTooMuchMemoryIsRefused) {
    Document d = with_race();
    d.train.common = usual_config(Task::reverse);
    d.train.common.layers = 64;
    d.train.common.width = 256;
    d.train.common.ffn = 1024;
    d.train.lanes = usual_lanes(Task::reverse);
    const Quantities q{d};
    EXPECT_NE(q.race().error().message.find("take fewer lanes"), std::string::npos);
    EXPECT_FALSE(q.waits());
}

} // namespace
} // namespace normscope
