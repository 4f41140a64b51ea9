#include "core/train/run.h"

#include "core/base/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

// Points with so many of each class; x says nothing about the class.
Points noise(std::vector<Index> counts) {
    Points out;
    out.class_count = std::ssize(counts);
    for (Index c = 0; c < out.class_count; ++c)
        out.classes.insert(out.classes.end(),
                           static_cast<std::size_t>(counts[static_cast<std::size_t>(c)]), c);
    Random random(7);
    out.x.resize(std::ssize(out.classes), 2);
    for (double& value : out.x.reshaped()) value = random.normal();
    return out;
}

TrainConfig run_on_own() {
    TrainConfig out;
    out.task = Task::own;
    out.layers = 2;
    out.steps = 200;
    return out;
}

Guess guess_on(const TrainConfig& config, const TrainInput& input) {
    return make_train_data<float>(config, input)->guess;
}

TEST(Guess, IsTheEntropyOfTheClassesThatThereAre) {
    const Guess guess = guess_on(run_on_own(), {noise({190, 10}), {}});
    EXPECT_NEAR(guess.loss, 0.1985, 1e-4);
    EXPECT_GE(*guess.test_accuracy, 0.8);
    EXPECT_NEAR(guess_on(run_on_own(), {noise({20, 20, 20}), {}}).loss, std::log(3), 1e-12);
    EXPECT_NEAR(guess_on(usual_config(Task::spirals), {}).loss, std::log(2), 1e-12);
    EXPECT_EQ(guess_on(usual_config(Task::spirals), {}).test_accuracy, 0.5);
    EXPECT_NEAR(guess_on(usual_config(Task::copy), {}).loss, std::log(10), 1e-12);
    EXPECT_FALSE(guess_on(usual_config(Task::copy), {}).test_accuracy);
    std::string text;
    for (int i = 0; i < 500; ++i) text += i % 4 == 0 ? 'b' : 'a';
    EXPECT_NEAR(guess_on(usual_config(Task::text), {{}, text}).loss, 0.5623, 1e-4);
}

TEST(Hit, IsAboveWhatGuessingGives) {
    EXPECT_EQ(hit_accuracy(Task::spirals), 0.95);
    EXPECT_EQ(hit_accuracy(Task::own, {0.69, 0.5}), 0.95);
    EXPECT_EQ(hit_accuracy(Task::own, {0.2, 0.96}), 0.98);
    EXPECT_FALSE(hit_accuracy(Task::own, {0.1, 1.0})) << "a guess gets all of the test right";
    EXPECT_EQ(hit_accuracy(Task::copy), 0.99);
    EXPECT_FALSE(hit_accuracy(Task::text));
}

TEST(Hit, NoiseIsNotLearned) {
    const TrainInput input{noise({190, 10}), {}};
    const auto runs = run_over_seeds(run_on_own(), input, 10, 25);
    ASSERT_TRUE(runs);
    for (const SeedRun& run : *runs) {
        EXPECT_FALSE(run.hit_step) << run.seed;
        EXPECT_FALSE(has_learned(Task::own, run)) << run.seed;
    }
}

} // namespace
} // namespace normscope
