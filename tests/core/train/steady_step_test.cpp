#include "core/train/trainer.h"
#include "tests/core/base/allocations.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace normscope {
namespace {

using testing::allocations;

struct Case {
    std::string name;
    TrainConfig config;
};

// Every model, with every norm, placement and skip.
std::vector<Case> steady_cases() {
    std::vector<Case> out;
    for (const Task task : {Task::spirals, Task::reverse, Task::text})
        for (const NormEntry& norm : k_norms) {
            TrainConfig config = usual_config(task);
            config.layers = 2;
            config.norm = norm.kind;
            out.push_back({"task " + std::to_string(static_cast<int>(task)) + ", norm " +
                               std::string(norm.id),
                           config});
        }
    TrainConfig config = usual_config(Task::copy);
    config.layers = 2;
    for (const Placement placement :
         {Placement::post, Placement::pre, Placement::deepnorm, Placement::peri}) {
        config.placement = placement;
        out.push_back({"placement " + std::to_string(static_cast<int>(placement)), config});
    }
    for (const Skip skip : {Skip::none, Skip::rezero}) {
        config.skip = skip;
        out.push_back({"skip " + std::to_string(static_cast<int>(skip)), config});
    }
    for (const TrainModel model : {TrainModel::encoder, TrainModel::decoder}) {
        config.model = model;
        out.push_back({"model " + std::to_string(static_cast<int>(model)), config});
    }
    config.positions = Positions::learned;
    config.activation = Activation::gelu;
    out.push_back({"learned positions, gelu", config});
    return out;
}

TEST(SteadyStep, AllocatesNothing) {
    if (!allocations()) GTEST_SKIP() << "allocations are not counted here";
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + i * i % 23);
    CheckpointOptions one_checkpoint;
    one_checkpoint.every = 1000;
    for (const Case& one : steady_cases()) {
        auto run = Trainer<float>::make(one.config, {{}, text}, 1, one_checkpoint).value();
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(run.step(Watch::loss)) << one.name;
        const auto before = *allocations();
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(run.step(Watch::loss)) << one.name;
        EXPECT_EQ(*allocations() - before, 0) << one.name;
        ASSERT_FALSE(run.divergence()) << one.name;
    }
}

TEST(SteadyStep, AllocationsAreCounted) {
    if (!allocations()) GTEST_SKIP() << "allocations are not counted here";
    const auto before = *allocations();
    const Matrix<float> matrix = Matrix<float>::Zero(3, 5);
    const std::vector<int> vector(7);
    EXPECT_EQ(*allocations() - before, 2) << matrix.size() << vector.size();
}

} // namespace
} // namespace normscope
