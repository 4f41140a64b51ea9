#include "app/study/train/lane_shot.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

Trainer<float> run_of(Optimizer optimizer, Index step) {
    TrainConfig config;
    config.layers = 3;
    config.width = 4;
    config.points = 20;
    config.norm = NormKind::layer;
    config.optimizer.kind = optimizer;
    auto trainer = Trainer<float>::make(config).value();
    EXPECT_TRUE(trainer.go_to(step));
    return trainer;
}

TEST(MlpStep, ItIsTheStepThatTheRunTakesNext) {
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam}) {
        Trainer<float> trainer = run_of(optimizer, 7);
        const auto step = look_at_step(trainer).value();
        ASSERT_TRUE(step);
        EXPECT_EQ(step->step, 7);
        EXPECT_EQ(trainer.steps_done(), 7) << "a look takes no step";
        ASSERT_TRUE(trainer.step());
        EXPECT_EQ(step->loss, trainer.last().loss);
        EXPECT_EQ(step->after, trainer.mlp()->values);
        EXPECT_NE(step->after, step->before.values);
        if (optimizer != Optimizer::sgd) continue;
        const Vector<float> by_hand =
            step->before.values - static_cast<float>(step->learning_rate) * step->pass.gradients;
        EXPECT_TRUE(step->after.isApprox(by_hand, 1e-6f)) << "w − η·g";
    }
}

TEST(MlpStep, ThereIsNoneOfALargeNetOrATransformer) {
    TrainConfig config;
    config.layers = 40;
    config.width = 128;
    EXPECT_FALSE(*look_at_step(Trainer<float>::make(config).value()));
    EXPECT_FALSE(*look_at_step(Trainer<float>::make(usual_config(Task::copy)).value()));
}

TEST(MlpStep, ALayerThatIsNotThereCannotBeOpened) {
    const auto step = look_at_step(run_of(Optimizer::sgd, 0)).value();
    const Document d = blank_document(2, 3);
    ASSERT_TRUE(open_layer(d, *step, 0, "a")) << "the first reads the points";
    EXPECT_EQ(open_layer(d, *step, 0, "a")->feature_count(), 4);
    EXPECT_EQ(open_layer(d, *step, 3, "a").error().message, "There is no layer 4");
}

} // namespace
} // namespace normscope
