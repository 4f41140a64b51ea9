#include "app/study/add_norm/play.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace normscope {
namespace {

constexpr int k_instants = 500; // of the five steps

Document some_token(NormKind norm = NormKind::layer) {
    Document d = blank_document(2, 4);
    Matrix<double> x(2, 4), f(2, 4);
    x << 1.8, -0.4, 0.9, 1.1, 0.3, 0.2, -0.7, 2;
    f << 1.36, 0.3, 0.2, -2, 0.5, -0.1, 0.4, 1;
    d.x = x;
    d.f = f;
    d.norm = norm;
    d.eps = 0.01;
    d.gamma = std::vector<double>{1, 1.5, -0.6, 2};
    d.beta = std::vector<double>{0.2, 0, 0.4, -1};
    d.precision = Precision::float64;
    return d;
}

double time_of(int instant) {
    return k_played_steps * static_cast<double>(instant) / k_instants;
}

double sum_of_areas(const PlayedFrame& f) {
    return std::accumulate(f.values.begin(), f.values.end(), 0.0,
                           [](double sum, const PlayedValue& v) { return sum + v.area; });
}

TEST(PlayedFrame, NumbersThatFlyAreTheDocuments) {
    const auto derived = Derived::of(some_token());
    int flights = 0;
    for (int i = 0; i <= k_instants; ++i)
        for (const Flight& flight : played_frame(*derived, 0, time_of(i)).flights) {
            ++flights;
            const auto from = flight.from == PlayedAt::line ? flight.to : flight.from;
            EXPECT_EQ(flight.value, derived->view(static_cast<Tensor>(from))(0, flight.place));
            EXPECT_GT(flight.way, 0);
            EXPECT_LT(flight.way, 1);
        }
    EXPECT_GT(flights, 300);
}

TEST(PlayedFrame, WithoutASkipXStaysWhereItIs) {
    Document d = some_token();
    d.residual = Residual::no_skip;
    const auto derived = Derived::of(d);
    for (int i = 0; i <= k_instants; ++i)
        for (const Flight& flight : played_frame(*derived, 0, time_of(i)).flights)
            EXPECT_NE(flight.from, PlayedAt::x);
}

TEST(PlayedFrame, EveryStepEndsAtItsNumbers) {
    const auto derived = Derived::of(some_token());
    const MatrixView z = derived->view(Tensor::z);
    const double mean = derived->mean(1);
    EXPECT_EQ(played_frame(*derived, 1, 1).z_made, 4);
    EXPECT_TRUE(played_frame(*derived, 1, 1).values.empty()) << "none is on the line yet";

    const PlayedFrame averaged = played_frame(*derived, 1, 2);
    EXPECT_EQ(averaged.summed, 4);
    EXPECT_NEAR(averaged.sum / 4, mean, 1e-12);
    EXPECT_EQ(averaged.mean, mean);
    EXPECT_EQ(averaged.mean_drawn, 1);
    ASSERT_EQ(averaged.values.size(), 4u);

    const double variance = 1 / std::pow(derived->rstd(1), 2) - 0.01;
    for (const PlayedValue& v : played_frame(*derived, 1, 3).values)
        EXPECT_NEAR(v.area, variance, 1e-12);

    const PlayedFrame normalized = played_frame(*derived, 1, 4),
                      last = played_frame(*derived, 1, 5);
    EXPECT_EQ(normalized.mean, 0);
    EXPECT_EQ(normalized.x_hat_made, 4);
    EXPECT_EQ(last.y_made, 4);
    for (Index i = 0; i < 4; ++i) {
        EXPECT_EQ(averaged.values[static_cast<std::size_t>(i)].at, z(1, i));
        EXPECT_EQ(normalized.values[static_cast<std::size_t>(i)].at,
                  derived->view(Tensor::x_hat)(1, i));
        EXPECT_EQ(last.values[static_cast<std::size_t>(i)].at, derived->view(Tensor::y)(1, i));
    }
}

TEST(PlayedFrame, TheAreasOfAllSquaresAddUpToTheSquaredDeviationsInEveryFrame) {
    const auto derived = Derived::of(some_token());
    double squares = 0;
    for (Index i = 0; i < 4; ++i)
        squares += std::pow(derived->view(Tensor::z)(0, i) - derived->mean(0), 2);
    int frames = 0;
    for (int i = 0; i <= k_instants; ++i) {
        const PlayedFrame f = played_frame(*derived, 0, time_of(i));
        if (f.step != 2 || f.square == 0) continue;
        ++frames;
        EXPECT_NEAR(sum_of_areas(f), squares, 1e-12) << f.part;
    }
    EXPECT_GT(frames, 50);
}

TEST(PlayedFrame, TheMeanIsTheMeanOfWhatStandsOnTheLine) {
    const auto derived = Derived::of(some_token());
    for (int i = 0; i <= k_instants; ++i) {
        const PlayedFrame f = played_frame(*derived, 0, time_of(i));
        if (f.mean_drawn == 0) continue;
        double sum = 0;
        for (const PlayedValue& v : f.values) sum += v.at;
        EXPECT_NEAR(sum / 4, f.mean, 1e-12) << f.step << " " << f.part;
    }
}

TEST(PlayedFrame, NoValueJumps) {
    for (const NormKind norm : {NormKind::layer, NormKind::rms, NormKind::batch, NormKind::none}) {
        const auto derived = Derived::of(some_token(norm));
        const PlayedRange range = played_range(*derived, 0);
        PlayedFrame before = played_frame(*derived, 0, 1.9);
        for (int i = 191; i <= 500; ++i) {
            const PlayedFrame now = played_frame(*derived, 0, i / 100.0);
            ASSERT_EQ(now.values.size(), before.values.size());
            for (std::size_t k = 0; k < now.values.size(); ++k) {
                const double at = now.values[k].at;
                EXPECT_NEAR(at, before.values[k].at, 0.08 * (range.hi - range.lo)) << i;
                EXPECT_GE(at, range.lo - 1e-12);
                EXPECT_LE(at, range.hi + 1e-12);
            }
            before = now;
        }
    }
}

TEST(PlayedFrame, WithoutANormNoMeanAndNoSquareIsDrawn) {
    const auto derived = Derived::of(some_token(NormKind::none));
    for (int i = 0; i <= k_instants; ++i) {
        const PlayedFrame f = played_frame(*derived, 0, time_of(i));
        EXPECT_EQ(f.mean_drawn, 0);
        EXPECT_EQ(sum_of_areas(f), 0);
    }
}

TEST(PlayedFrame, RmsMeasuresFromZero) {
    const auto derived = Derived::of(some_token(NormKind::rms));
    const PlayedFrame f = played_frame(*derived, 0, 2.55);
    ASSERT_EQ(f.square, 1);
    EXPECT_EQ(f.mean, 0);
    for (const PlayedValue& v : f.values) EXPECT_NEAR(v.area, v.at * v.at, 1e-12);
}

TEST(PlayedFrame, OfAManyFeaturesSomeAreDrawnAndAllAreCounted) {
    Document d = blank_document(1, 1000);
    Matrix<double> x(1, 1000);
    for (Index i = 0; i < 1000; ++i) x(0, i) = std::sin(static_cast<double>(i));
    d.x = x;
    const auto derived = Derived::of(d);
    const PlayedFrame f = played_frame(*derived, 0, 2);
    EXPECT_LE(static_cast<Index>(f.values.size()), k_most_played);
    EXPECT_EQ(f.summed, 1000);
    EXPECT_NEAR(f.sum, derived->mean(0) * 1000, 1e-3);
}

} // namespace
} // namespace normscope
