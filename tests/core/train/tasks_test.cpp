#include "core/nn/loss.h"
#include "core/train/train_data.h"
#include "core/transformer/transformer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace normscope {
namespace {

TrainConfig points_of(Task task, double noise, Index points, std::uint64_t seed) {
    TrainConfig out;
    out.task = task;
    out.noise = noise;
    out.points = points;
    out.seed = seed;
    return out;
}

TEST(PointTasks, TheSameSeedGivesTheSamePointsAndAnotherOthers) {
    for (const Task task :
         {Task::spirals, Task::moons, Task::circles, Task::exclusive_or, Task::gaussians}) {
        SCOPED_TRACE(id_of(task));
        const TrainConfig config = points_of(task, 0.1, 20, 4);
        const PointData a = draw_points(config), b = draw_points(config);
        EXPECT_EQ(a.train.x, b.train.x);
        EXPECT_EQ(a.test.x, b.test.x);
        EXPECT_NE(a.train.x, a.test.x);
        EXPECT_NE(a.train.x, draw_points(points_of(task, 0.1, 20, 5)).train.x);
        EXPECT_EQ(a.train.x.rows(), 40);
        EXPECT_EQ(std::accumulate(a.train.classes.begin(), a.train.classes.end(), Index{0}), 20);
    }
}

TEST(PointTasks, ASpiralIsThatOfItsFormula) {
    const PointData data = draw_points(points_of(Task::spirals, 0, 200, 0));
    // i = 50 of 200: r = 1.25, t = π/2, of class 1 π more; divided by 3
    EXPECT_NEAR(data.train.x(50, 0), 1.25 / 3, 1e-12);
    EXPECT_NEAR(data.train.x(50, 1), 0, 1e-12);
    EXPECT_NEAR(data.train.x(250, 0), -1.25 / 3, 1e-12);
    const PointData noisy = draw_points(points_of(Task::spirals, 0.1, 200, 0));
    const double off = (noisy.train.x - data.train.x).cwiseAbs().maxCoeff();
    EXPECT_LE(off, 0.1 / 3);
    EXPECT_GE(off, 0.09 / 3);
}

TEST(PointTasks, XorHasOneSignInClassOne) {
    const PointData data = draw_points(points_of(Task::exclusive_or, 0, 50, 1));
    for (Index i = 0; i < 100; ++i)
        EXPECT_EQ(data.train.x(i, 0) * data.train.x(i, 1) > 0, i >= 50) << i;
}

Points own_points(Index n) {
    Points out;
    out.x.resize(n, 3);
    for (Index i = 0; i < n; ++i) {
        out.x.row(i) << static_cast<double>(i), static_cast<double>(i * i), 7;
        out.classes.push_back(i % 3);
    }
    out.class_count = 3;
    return out;
}

TEST(PointTasks, OwnPointsAreSplitAndStandardized) {
    const PointData data = split_points(own_points(25), 0).value();
    EXPECT_EQ(data.test.x.rows(), 5);
    EXPECT_EQ(data.train.x.rows(), 20);
    EXPECT_EQ(data.train.class_count, 3);
    for (Index f = 0; f < 2; ++f) {
        EXPECT_NEAR(data.train.x.col(f).mean(), 0, 1e-12);
        EXPECT_NEAR(data.train.x.col(f).squaredNorm() / 20, 1, 1e-12);
    }
    EXPECT_EQ(data.train.x.col(2).norm(), 0) << "a constant column";
}

TEST(PointTasks, ColumnsOfAnySizeAreScaled) {
    const Points plain = own_points(25);
    const PointData expected = split_points(plain, 0).value();
    for (const double size : {1e-310, 1e-200, 1e200, 1e305}) {
        Points points = plain;
        points.x *= size;
        const PointData data = split_points(points, 0).value();
        for (Index f = 0; f < 2; ++f)
            EXPECT_LT((data.train.x.col(f) - expected.train.x.col(f)).cwiseAbs().maxCoeff(), 1e-9)
                << size;
    }
    Points far = plain;
    far.x.array() += 1e9;
    EXPECT_LT((split_points(far, 0)->test.x.col(0) - expected.test.x.col(0)).norm(), 1e-5);
}

TEST(PointTasks, AConstantColumnHasNoEffect) {
    for (const double value : {0.1, 1e-300, -1e300, 7.0, 0.1 + 0.2}) {
        Points points = own_points(25);
        points.x.col(2).setConstant(value);
        points.x(3, 2) = std::nextafter(value, 0);
        const PointData data = split_points(points, 0).value();
        EXPECT_EQ(data.train.x.col(2).norm(), 0) << value;
        EXPECT_EQ(data.test.x.col(2).norm(), 0) << value;
    }
}

TEST(PointTasks, FaultsInOwnPointsAreNamed) {
    const auto message = [](const Points& p) { return split_points(p, 0).error().message; };
    EXPECT_EQ(message(own_points(9)), "training needs at least 10 points; there are 9");
    Points points = own_points(12);
    points.x(4, 1) = std::nan("");
    EXPECT_EQ(message(points), "column 2 of point 5 is not a finite number");
    points = own_points(12);
    points.classes[3] = 7;
    EXPECT_EQ(message(points), "point 4 is of class 7; the classes are 0 to 2");
    points = own_points(12);
    points.class_count = 1;
    EXPECT_EQ(message(points), "the points are all of one class: training needs at least two");
    points = own_points(12);
    points.x.conservativeResize(12, 1);
    EXPECT_EQ(message(points), "points need at least two columns beside the class; there are 1");
    points = own_points(12);
    points.classes.pop_back();
    EXPECT_EQ(message(points), "there are 12 points and 11 classes");
}

TrainConfig sequences_of(Task task, Index length, TrainModel model) {
    TrainConfig out;
    out.task = task;
    out.model = model;
    out.length = length;
    out.shortest = 2;
    out.symbols = 4;
    out.seed = 1;
    return out;
}

TEST(SequenceTasks, LabelsAreWhatTheSymbolsBecome) {
    for (const Task task : {Task::reverse, Task::copy, Task::sort, Task::first}) {
        Batch batch;
        draw_sequences(sequences_of(task, 5, TrainModel::encoder_decoder), 20, 2, batch);
        for (const Sentence& s : batch) {
            std::vector<Index> wanted = s.source;
            if (task == Task::reverse) std::ranges::reverse(wanted);
            if (task == Task::sort) std::ranges::sort(wanted);
            if (task == Task::first) wanted.resize(1);
            EXPECT_EQ(s.labels, wanted);
        }
    }
}

TEST(SequenceTasks, EachModelReadsItsSentences) {
    bool varies = false;
    Batch batch;
    draw_sequences(sequences_of(Task::reverse, 5, TrainModel::encoder_decoder), 20, 2, batch);
    for (const Sentence& s : batch) {
        EXPECT_EQ(s.target.front(), 0);
        EXPECT_TRUE(std::equal(s.target.begin() + 1, s.target.end(), s.labels.begin()));
        EXPECT_GE(s.source.size(), 2u);
        EXPECT_LE(s.source.size(), 5u);
        varies = varies || s.source.size() != 5;
        for (const Index symbol : s.source) EXPECT_TRUE(symbol >= 1 && symbol <= 4) << symbol;
    }
    EXPECT_TRUE(varies);
    draw_sequences(sequences_of(Task::first, 5, TrainModel::encoder), 5, 2, batch);
    for (const Sentence& s : batch)
        EXPECT_EQ(s.labels, std::vector<Index>(s.source.size(), s.source.front()));
    draw_sequences(sequences_of(Task::copy, 2, TrainModel::decoder), 5, 2, batch);
    for (const Sentence& s : batch) {
        const Index a = s.target[0], b = s.target[1];
        EXPECT_EQ(s.target, (std::vector<Index>{a, b, 0, a}));
        EXPECT_EQ(s.labels, (std::vector<Index>{k_no_label, k_no_label, a, b}));
    }
}

TEST(TextTask, CharactersAreThoseOfUtf8) {
    std::string text;
    for (int i = 0; i < 25; ++i) text += "γß\r\n";
    const TextData data = read_text(text, 3).value();
    EXPECT_EQ(data.characters, (std::vector<std::string>{"\n", "ß", "γ"}));
    EXPECT_EQ(data.train.size(), 68u);
    EXPECT_EQ(data.test.size(), 7u);
    Batch windows;
    draw_windows(data.train, 3, 4, 0, 1, windows);
    for (const Sentence& s : windows) {
        EXPECT_EQ(s.target.size(), 3u);
        EXPECT_EQ(s.target[1], s.labels[0]);
        EXPECT_EQ(s.target[2], s.labels[1]);
    }
    EXPECT_EQ(all_windows(data.test, 3, 9).size(), 2u);
}

TEST(TextTask, AByteOrderMarkIsNoCharacter) {
    const std::string text = "abababababababababababababababab";
    EXPECT_EQ(read_text("\xef\xbb\xbf" + text, 2)->characters,
              (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(read_text("\xef\xbb\xbf" + text, 2)->train, read_text(text, 2)->train);
}

TEST(TextTask, TextsThatDoNotDoAreRefused) {
    EXPECT_EQ(read_text("a\xff", 3).error().message,
              "the text is not UTF-8 at byte 2: save it as UTF-8");
    EXPECT_EQ(read_text(std::string(100, 'a'), 3).error().message,
              "the text needs at least two different characters; it has 1");
    EXPECT_EQ(read_text("abcabc", 3).error().message,
              "the text has 6 characters; with a context of 3 it needs at least 40: take a longer "
              "text or a shorter context");
}

// A decoder whose likeliest next word is always this one.
Transformer<float> always(Index word, float by) {
    TransformerConfig config;
    config.arch = Architecture::decoder;
    config.layers = 1;
    config.width = 4;
    config.heads = 2;
    config.ffn = 4;
    config.vocabulary = 5;
    auto model = make_transformer<float>(config).value();
    model.generator.weight.setZero();
    model.generator.bias.setZero();
    model.generator.bias(word) = by;
    return model;
}

TEST(WriteText, WritesTheLikeliestWhereOneIsMuchLikelier) {
    const auto written = write_text(always(3, 50), {1, 2}, {7, 4, 1, 0});
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(*written, std::vector<Index>(7, 3));
}

// The word whose logit is 1 has the share p = e^(1/τ)/(e^(1/τ) + 4) of the draws.
TEST(WriteText, DrawsByTheTemperature) {
    for (const double temperature : {0.5, 2.0}) {
        constexpr Index k_draws = 2000;
        const auto written = write_text(always(3, 1), {0}, {k_draws, 2, temperature, 7});
        ASSERT_TRUE(written);
        const double e = std::exp(1 / temperature);
        const auto share = static_cast<double>(std::ranges::count(*written, Index{3})) / k_draws;
        EXPECT_NEAR(share, e / (e + 4), 0.05) << temperature;
    }
}

TEST(WriteText, TheSameSeedWritesTheSame) {
    const auto model = always(1, 0.5F);
    const auto a = write_text(model, {1}, {30, 8, 1, 3}), b = write_text(model, {1}, {30, 8, 1, 3});
    const auto c = write_text(model, {1}, {30, 8, 1, 4});
    EXPECT_EQ(*a, *b);
    EXPECT_NE(*a, *c);
}

} // namespace
} // namespace normscope
