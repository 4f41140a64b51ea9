#include "core/train/trainer.h"

#include "core/base/parallel.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

TrainConfig point_run() {
    TrainConfig out;
    out.layers = 3;
    out.width = 6;
    out.points = 30;
    out.batch = 7;
    out.norm = NormKind::batch;
    out.optimizer.kind = Optimizer::momentum;
    return out;
}

TrainConfig small_transformer(Task task) {
    TrainConfig out = usual_config(task);
    out.layers = 1;
    out.width = 8;
    out.heads = 2;
    out.ffn = 12;
    out.batch = 3;
    return out;
}

TrainConfig sequence_run() {
    TrainConfig out = small_transformer(Task::sort);
    out.length = 5;
    out.shortest = 2;
    out.skip = Skip::rezero;
    return out;
}

TrainConfig diverging_run() {
    TrainConfig out = point_run();
    out.norm = NormKind::none;
    out.optimizer.kind = Optimizer::sgd;
    out.lr = 1e20;
    return out;
}

std::string text_of_letters() {
    std::string out;
    for (int i = 0; i < 300; ++i) out += static_cast<char>('a' + i * i % 7);
    return out;
}

TrainConfig text_run() {
    TrainConfig out = small_transformer(Task::text);
    out.length = 6;
    out.norm = NormKind::batch;
    return out;
}

template<class S>
Trainer<S> make(const TrainConfig& config, const CheckpointOptions& checkpoints = {}) {
    return Trainer<S>::make(config, {{}, text_of_letters()}, 1, checkpoints).value();
}

template<class S>
std::vector<S> state_of(const Trainer<S>& trainer) {
    std::vector<S> out;
    for (const auto& tensor : trainer.tensors())
        out.insert(out.end(), tensor.data, tensor.data + tensor.size());
    const Evaluation evaluation = trainer.evaluate().value(); // reads running statistics too
    out.push_back(static_cast<S>(evaluation.loss));
    return out;
}

TEST(Trainer, TheSameConfigGivesTheSameBits) {
    for (const TrainConfig& config : {point_run(), sequence_run(), text_run()}) {
        auto a = make<float>(config), b = make<float>(config);
        ASSERT_TRUE(a.go_to(20));
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(b.step(i % 3 ? Watch::loss : Watch::everything));
        EXPECT_EQ(a.last().loss, b.last().loss);
        EXPECT_EQ(state_of(a), state_of(b)) << "whether a step is measured changes nothing";
        TrainConfig other = config;
        other.seed = 1;
        auto c = make<float>(other);
        ASSERT_TRUE(c.go_to(20));
        EXPECT_NE(state_of(a), state_of(c));
    }
}

TEST(Trainer, GoingBackAndOnComesToTheSameBits) {
    for (const TrainConfig& config : {point_run(), sequence_run(), text_run()}) {
        auto trainer = make<float>(config, {std::size_t{1} << 15, 4});
        std::vector<std::vector<float>> states;
        std::vector<double> losses;
        for (int i = 0; i < 60; ++i) {
            states.push_back(state_of(trainer));
            ASSERT_TRUE(trainer.step());
            losses.push_back(trainer.last().loss);
        }
        for (const Index step : {37, 3, 0, 59, 12, 58, 8}) {
            ASSERT_TRUE(trainer.go_to(step));
            EXPECT_EQ(trainer.steps_done(), step);
            EXPECT_EQ(state_of(trainer), states[static_cast<std::size_t>(step)]) << step;
            ASSERT_TRUE(trainer.step());
            EXPECT_EQ(trainer.last().loss, losses[static_cast<std::size_t>(step)]) << step;
        }
        EXPECT_FALSE(trainer.go_to(-1));
    }
}

TEST(Trainer, ACopyGoesOnByItself) {
    auto a = make<float>(sequence_run());
    ASSERT_TRUE(a.go_to(5));
    auto b = a;
    ASSERT_TRUE(b.go_to(9));
    EXPECT_EQ(a.steps_done(), 5);
    ASSERT_TRUE(b.go_to(2));
    ASSERT_TRUE(a.go_to(9));
    ASSERT_TRUE(b.go_to(9));
    EXPECT_EQ(state_of(a), state_of(b));
}

TEST(Trainer, LookingTakesNoStep) {
    auto a = make<float>(point_run()), b = make<float>(point_run());
    ASSERT_TRUE(a.go_to(4));
    ASSERT_TRUE(b.go_to(4));
    const StepMeasure seen = b.look().value();
    EXPECT_EQ(b.last().step, 3);
    EXPECT_EQ(state_of(a), state_of(b));
    ASSERT_TRUE(a.step());
    EXPECT_EQ(seen.step, 4);
    EXPECT_EQ(seen.loss, a.last().loss);
    EXPECT_TRUE(std::isnan(seen.layers[0].update_ratio));
}

TEST(Trainer, AStepMeasuresLayers) {
    auto trainer = make<double>(point_run());
    ASSERT_TRUE(trainer.step());
    const StepMeasure& m = trainer.last();
    EXPECT_EQ(trainer.layer_names(),
              (std::vector<std::string>{"layers.0", "layers.1", "layers.2"}));
    ASSERT_EQ(m.layers.size(), 3u);
    for (const LayerState& layer : m.layers) { // batch norm has made them so
        EXPECT_NEAR(layer.reading.mean, 0, 1e-12);
        EXPECT_NEAR(layer.reading.std, 1, 1e-3);
    }
    // The first step of momentum is −η·g.
    const auto begun = make<double>(point_run()); // whose tensors are looked at
    const auto before = begun.tensors(), after = trainer.tensors();
    double moved = 0, moved_of_layer = 0, values_of_layer = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double squares = (after[i].values() - before[i].values()).squaredNorm();
        moved += squares;
        if (!before[i].name.starts_with("layers.1.")) continue;
        moved_of_layer += squares;
        values_of_layer += before[i].values().squaredNorm();
    }
    EXPECT_NEAR(m.gradient_norm, std::sqrt(moved) / 0.1, 1e-9);
    EXPECT_NEAR(m.layers[1].gradient_norm, std::sqrt(moved_of_layer) / 0.1, 1e-9);
    EXPECT_NEAR(m.layers[1].update_ratio, std::log10(moved_of_layer / values_of_layer) / 2, 1e-9);
    auto transformer = make<float>(sequence_run());
    ASSERT_TRUE(transformer.step());
    EXPECT_EQ(transformer.layer_names(),
              (std::vector<std::string>{"encoder.layers.0", "decoder.layers.0"}));
    EXPECT_EQ(transformer.last().layers.size(), 2u);
}

TEST(Trainer, ARunThatDivergesStopsAndSaysWhere) {
    TrainConfig config = diverging_run();
    auto trainer = make<float>(config);
    ASSERT_TRUE(trainer.go_to(100));
    ASSERT_TRUE(trainer.divergence().has_value());
    const Divergence at = *trainer.divergence();
    EXPECT_LT(at.step, 20);
    EXPECT_EQ(trainer.steps_done(), at.step);
    EXPECT_FALSE(at.place.empty());
    ASSERT_TRUE(trainer.step());
    EXPECT_EQ(trainer.steps_done(), at.step) << "the run stays where it stopped";
    ASSERT_TRUE(trainer.go_to(0));
    EXPECT_FALSE(trainer.divergence().has_value());
    ASSERT_TRUE(trainer.go_to(100));
    EXPECT_EQ(trainer.divergence()->step, at.step);
    EXPECT_EQ(trainer.divergence()->place, at.place);
}

TEST(Trainer, TheFirstTensorThatIsNotFiniteIsNamed) {
    TrainConfig config = point_run();
    config.skip = Skip::none;
    config.lr = 1e300; // beyond float32: the first update makes ∞
    auto trainer = make<float>(config);
    ASSERT_TRUE(trainer.go_to(5));
    ASSERT_TRUE(trainer.divergence().has_value());
    EXPECT_EQ(trainer.divergence()->step, 1);
    EXPECT_EQ(trainer.divergence()->place, "layers.0.weight");
}

TEST(Trainer, ABranchGoesOnByItsOwnRates) {
    auto trainer = make<float>(point_run(), {std::size_t{1} << 20, 4});
    std::vector<std::vector<float>> past;
    for (int i = 0; i < 12; ++i) {
        past.push_back(state_of(trainer));
        ASSERT_TRUE(trainer.step());
    }
    ASSERT_TRUE(trainer.go_to(6));
    TrainConfig config = trainer.config();
    config.lr = 0.01;
    ASSERT_TRUE(trainer.branch(config));
    EXPECT_EQ(state_of(trainer), past[6]);
    ASSERT_TRUE(trainer.step());
    EXPECT_EQ(trainer.last().learning_rate, 0.01);
    EXPECT_NE(state_of(trainer), past[7]);
    ASSERT_TRUE(trainer.go_to(5));
    EXPECT_EQ(state_of(trainer), past[5]) << "the past stays as it was";
    config.width = 7;
    EXPECT_FALSE(trainer.branch(config));
}

// Without its skip, by another norm and optimizer: what has the same shapes goes on.
TEST(Trainer, ABranchGoesOnAsAnotherModelAndGoesBackThroughTheOneBefore) {
    for (const TrainConfig& config : {point_run(), sequence_run()}) {
        TrainConfig other = config;
        if (other.skip == Skip::add) other.skip = Skip::none;
        other.norm = config.norm.kind == NormKind::batch ? NormKind::layer : NormKind::batch;
        other.activation = Activation::gelu;
        other.optimizer.kind = Optimizer::adamw;
        auto trainer = make<float>(config, {std::size_t{1} << 20, 4});
        ASSERT_TRUE(trainer.go_to(9)); // the branch is from a step that is gone back to
        ASSERT_TRUE(trainer.go_to(6));
        auto fork = state_of(trainer);
        ASSERT_TRUE(trainer.branch(other));
        std::vector<std::vector<float>> states{state_of(trainer)};
        fork.back() = states[0].back(); // the loss is that of the other model
        EXPECT_EQ(states[0], fork);
        for (int i = 0; i < 8; ++i) {
            ASSERT_TRUE(trainer.step());
            states.push_back(state_of(trainer));
        }
        EXPECT_NE(states[1], states[0]);
        for (const Index step : {3, 7, 13, 6, 0, 14}) {
            ASSERT_TRUE(trainer.go_to(step));
            if (step < 6) continue;
            EXPECT_EQ(state_of(trainer), states[static_cast<std::size_t>(step - 6)]);
        }
        auto unbranched = make<float>(config);
        ASSERT_TRUE(unbranched.go_to(3) && trainer.go_to(3));
        EXPECT_EQ(state_of(trainer), state_of(unbranched));
    }
}

TEST(Trainer, ARunThatDivergedIsRescuedBeforeThatStep) {
    TrainConfig config = diverging_run();
    auto trainer = make<float>(config);
    ASSERT_TRUE(trainer.go_to(100) && trainer.divergence());
    ASSERT_TRUE(trainer.go_to(1) && trainer.go_to(0));
    config.lr = 0.01;
    ASSERT_TRUE(trainer.branch(config));
    ASSERT_TRUE(trainer.go_to(100));
    EXPECT_FALSE(trainer.divergence());
}

TEST(Trainer, OnlyWhatHasTheSameTensorsAndDataGoesOn) {
    const auto with = [](TrainConfig c, auto&& change) {
        change(c);
        return c;
    };
    const TrainConfig points = point_run(), words = usual_config(Task::copy);
    for (const TrainConfig& c : {with(points, [](TrainConfig& t) { t.layers = 4; }),
                                 with(points, [](TrainConfig& t) { t.norm = NormKind::none; }),
                                 with(points, [](TrainConfig& t) { t.skip = Skip::rezero; }),
                                 with(points, [](TrainConfig& t) { t.seed = 5; }),
                                 with(points, [](TrainConfig& t) { t.noise = 0.5; }),
                                 with(points, [](TrainConfig& t) { t.task = Task::moons; })})
        EXPECT_FALSE(goes_on(points, c));
    EXPECT_TRUE(goes_on(points, with(points, [](TrainConfig& t) { t.norm = NormKind::rms; })));
    EXPECT_TRUE(goes_on(points, with(points, [](TrainConfig& t) { t.batch = 3; })));
    EXPECT_FALSE(goes_on(words, with(words, [](TrainConfig& t) { t.placement = Placement::pre; })))
        << "final norms";
    EXPECT_TRUE(
        goes_on(words, with(words, [](TrainConfig& t) { t.placement = Placement::deepnorm; })));
    EXPECT_TRUE(goes_on(words, with(words, [](TrainConfig& t) { t.masked = false; })));
}

TEST(Trainer, LanesComeToWhatEachComesToAlone) {
    std::vector<Trainer<float>> lanes;
    for (const TrainConfig& config : {point_run(), sequence_run(), text_run()})
        lanes.push_back(make<float>(config));
    take_turns(2, 3, [&](Index i) {
        for (int s = 0; s < 15; ++s)
            EXPECT_TRUE(lanes[static_cast<std::size_t>(i)].step(Watch::loss));
    });
    for (auto& lane : lanes) {
        auto alone = make<float>(lane.config());
        ASSERT_TRUE(alone.go_to(15));
        EXPECT_EQ(state_of(lane), state_of(alone));
    }
}

TEST(Trainer, VariantsReadTheSameBatches) {
    TrainConfig other = point_run();
    other.norm = NormKind::layer;
    other.layers = 5;
    const auto a = make<float>(point_run()), b = make<float>(other);
    PointSet<float> of_a, of_b;
    draw_points_of_step(a.config(), a.data(), 17, of_a);
    draw_points_of_step(b.config(), b.data(), 17, of_b);
    EXPECT_EQ(of_a.x, of_b.x);
    EXPECT_EQ(of_a.classes, of_b.classes);
}

TEST(Trainer, SettingsThatDoNotFitAreRefusedWithTheWayOut) {
    const auto message = [](const TrainConfig& c) {
        return Trainer<float>::make(c).error().message;
    };
    TrainConfig config = sequence_run();
    config.model = TrainModel::mlp;
    EXPECT_EQ(message(config), "the task sort is of sequences, which an MLP does not read: take "
                               "the model encoder-decoder, encoder or decoder");
    config = point_run();
    config.model = TrainModel::encoder;
    EXPECT_EQ(message(config),
              "the task spirals is of points, which a Transformer does not read: take the model "
              "mlp");
    config = point_run();
    config.batch = 1;
    EXPECT_EQ(message(config), "batch norm takes its statistics over the batch: it needs 2 points "
                               "or more; the batch has 1");
    config = text_run();
    config.model = TrainModel::encoder;
    EXPECT_EQ(message(config),
              "a text is learned character after character: take the model decoder");
    config = point_run();
    config.lr = -1;
    EXPECT_FALSE(Trainer<float>::make(config));
    config = point_run();
    config.clip = 0;
    EXPECT_EQ(message(config), "the clip must be above 0; it is 0");
}

TEST(Checkpoints, StandCloserToThePresentAndKeepTheBudget) {
    Checkpoints<float> checkpoints({40 * (100 * sizeof(float) + sizeof(Checkpoint<float>)), 1});
    for (Index step = 0; step < 2000; ++step) {
        EXPECT_TRUE(checkpoints.wants(step));
        checkpoints.add({step, Vector<float>::Zero(100), 0, {}});
    }
    const auto& all = checkpoints.all();
    EXPECT_LE(all.size(), 40u);
    EXPECT_GE(all.size(), 38u);
    EXPECT_EQ(all.front().step, 0);
    EXPECT_EQ(all.back().step, 1999);
    EXPECT_LE(all.back().step - all[all.size() - 3].step, 60);
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i].step - all[i - 1].step, 250);
    EXPECT_EQ(checkpoints.before(0)->step, 0);
    checkpoints.cut(1000);
    EXPECT_LE(checkpoints.all().back().step, 1000);
}

} // namespace
} // namespace normscope
