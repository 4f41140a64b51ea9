// Against torch.optim: tests/golden/make_train_golden.py.
#include "core/train/optimizer.h"

#include "tests/core/nn/golden.h"
#include "tests/core/stats/testing.h"

namespace normscope {
namespace {

using namespace testing;
using Json = nlohmann::json;

template<class S>
class OptimizerGolden : public ::testing::Test {};
using OptimizerPrecisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(OptimizerGolden, OptimizerPrecisions);

template<class S>
void twenty_steps_agree() {
    const Json golden = golden_file("train.json");
    for (const Json& entry : golden.at("optimizers")) {
        SCOPED_TRACE(entry.at("kind"));
        OptimizerConfig config;
        for (const auto& choice : choices(Optimizer{}))
            if (entry.at("kind") == choice.id) config.kind = choice.value;
        config.beta2 = 0.98;
        config.eps = 1e-9;
        config.weight_decay = entry.at("weight_decay");
        std::vector<Matrix<S>> values;
        for (const Json& start : entry.at("start")) values.push_back(golden_matrix<S>(start));
        auto state = start_optimizer<S>(config, values[0].size() + values[1].size());
        for (const Json& step : entry.at("gradients")) {
            std::vector<Matrix<S>> gradients;
            std::vector<Parameter<S>> parameters;
            for (const Json& gradient : step) gradients.push_back(golden_matrix<S>(gradient));
            for (std::size_t i = 0; i < values.size(); ++i)
                parameters.push_back({values[i].data(), gradients[i].data(), values[i].size()});
            optimize<S>(config, entry.at("lr"), parameters, state);
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            expect_golden(values[i], entry.at("end")[i], "tensor " + std::to_string(i));
    }
}

TYPED_TEST(OptimizerGolden, TwentyStepsAgreeOnEveryTarget) {
    on_every_target([] { twenty_steps_agree<TypeParam>(); });
}

TEST(Optimizer, ClippingBringsTheGlobalNormToTheMost) {
    Vector<double> value = Vector<double>::Zero(3), gradient(3);
    gradient << 2, 3, 6;
    const std::vector<Parameter<double>> parts{{value.data(), gradient.data(), 1},
                                               {value.data() + 1, gradient.data() + 1, 2}};
    const double norm = gradient_norm<double>(parts);
    EXPECT_DOUBLE_EQ(norm, 7);
    EXPECT_NEAR(clip_scale(norm, 0.7), 0.1, 1e-7);
    EXPECT_EQ(clip_scale(norm, 8), 1);
    OptimizerState<double> state;
    optimize<double>({}, 1, parts, state, clip_scale(norm, 0.7));
    EXPECT_NEAR(value.norm(), 0.7, 1e-6);
}

TEST(Optimizer, NumbersOutOfRangeAreRefused) {
    OptimizerConfig config;
    EXPECT_TRUE(check_optimizer(config).has_value());
    config.beta2 = 1;
    EXPECT_EQ(check_optimizer(config).error().message, "β₂ must be from 0 to below 1; it is 1");
    config = {};
    config.eps = 0;
    EXPECT_FALSE(check_optimizer(config).has_value());
}

TEST(Schedule, FactorsFollowTheirFormulas) {
    EXPECT_EQ(schedule_factor({Schedule::constant, 0, 10, 4}, 7), 1);
    EXPECT_EQ(schedule_factor({Schedule::constant, 4, 10, 4}, 0), 0.25);
    EXPECT_EQ(schedule_factor({Schedule::constant, 4, 10, 4}, 3), 1);
    EXPECT_DOUBLE_EQ(schedule_factor({Schedule::linear, 0, 10, 4}, 7), 0.3);
    EXPECT_DOUBLE_EQ(schedule_factor({Schedule::linear, 10, 10, 4}, 4), 0.5 * 0.6);
    // Vaswani et al. 2017, eq. 3: both branches meet at step W, the highest.
    EXPECT_DOUBLE_EQ(schedule_factor({Schedule::noam, 4, 10, 16}, 3), 0.25 * 0.5);
    EXPECT_DOUBLE_EQ(schedule_factor({Schedule::noam, 4, 10, 16}, 0), 0.25 / 8);
    EXPECT_DOUBLE_EQ(schedule_factor({Schedule::noam, 4, 10, 16}, 8), 0.25 / 3);
}

} // namespace
} // namespace normscope
