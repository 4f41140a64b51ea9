#include "app/study/backward/backward.h"
#include "core/norm/affine.h"
#include "tests/app/model/backward_documents.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(ScaleCurve, IsWhatScalingZDoes) {
    Random random(10);
    for (int round = 0; round < 30; ++round) {
        Document d = any_backward(random, 5, 6);
        d.backward.mode = Mode::train; // running statistics would be learned anew
        d.backward.loss = LossKind::given;
        d.beta = std::vector<double>(d.beta->size(), 0.0); // Y is as large as Y − β
        const auto size_of_y = [&](const Backward& at) {
            double squares = 0;
            for (Index t = 0; t < d.token_count(); ++t)
                for (Index f = 0; f < d.feature_count(); ++f) squares += at.y(t, f) * at.y(t, f);
            return std::sqrt(squares);
        };
        const auto b = Backward::of(d);
        const double usual = size_of_y(*b);
        const ScaleCurve& curve = b->scale_curve();
        for (const double scale : {0.01, 0.5, 1.0, 30.0}) {
            const auto scaled = Backward::of(edited(d, ScaleInput{scale}));
            const double norm = scaled->dz().norm();
            EXPECT_NEAR(curve.gradient(scale), norm, 1e-9 * (1e-3 + norm));
            EXPECT_NEAR(curve.output(scale) * usual, size_of_y(*scaled), 1e-9 * (1e-3 + usual));
        }
    }
}

// The forward pass itself gives the expected values; its running statistics stay as they were.
TEST(ScaleCurve, WithConstantStatisticsYMovesAndTheGradientStays) {
    Random random(44);
    for (int round = 0; round < 20; ++round) {
        Document d = any_backward(random, 5, 6);
        d.norm = NormKind::batch;
        d.backward.mode = Mode::eval;
        d.eps = 1e-5;
        const auto b = Backward::of(d);
        ASSERT_TRUE(b->running());
        NormOptions options;
        options.eps = d.eps;
        options.mode = Mode::eval;
        const auto y_at = [&](double scale) -> Matrix<double> {
            const auto moved =
                normalize<double>(d.norm, Matrix<double>(scale * b->z()), options, b->running());
            Matrix<double> y;
            Affine<double> without_beta = b->affine();
            without_beta.beta.setZero();
            EXPECT_TRUE(affine_forward(moved->cache.x_hat, without_beta, y));
            return y;
        };
        const double usual = y_at(1).norm();
        for (const double scale : {0.01, 0.5, 1.0, 30.0}) {
            const Matrix<double> y = y_at(scale);
            const ScaleCurve& curve = b->scale_curve();
            EXPECT_NEAR(curve.gradient(scale), b->dz_norm(), 1e-12 * b->dz_norm());
            EXPECT_NEAR(curve.output(scale) * usual, y.norm(), 1e-9 * (usual + y.norm()));
        }
    }
}

TEST(ScaleCurve, IsBrokenAsTheGradientIs) {
    Random random(14);
    for (int round = 0; round < 40; ++round) {
        Document d = any_backward(random, 5, 6);
        d.backward.broken =
            any_of(random, {BrokenTerm::mean, BrokenTerm::projection, BrokenTerm::gamma});
        const auto b = Backward::of(d);
        EXPECT_NEAR(b->scale_curve().gradient(1), b->dz_norm(), 1e-9 * (1e-3 + b->dz_norm()));
    }
}

TEST(ScaleCurve, IsCheckedAtEveryScale) {
    Random random(27);
    for (int round = 0; round < 60; ++round) {
        Document d = any_backward(random, 5, 6);
        d.eps = 1e-5;
        const auto right = Backward::of(d);
        for (const double scale : {1e-4, 0.03, 1.0, 50.0}) {
            const SampledCheck check = right->check_scaled(scale);
            EXPECT_EQ(check.checked, right->sets().count());
            EXPECT_LE(check.max_relative, k_check_tolerance)
                << "round " << round << ", scale " << scale << ", group " << check.worst.entry;
        }
    }
}

TEST(ScaleCurve, ABrokenTermTurnsItsCheck) {
    Random random(28);
    for (const NormEntry& norm : k_norms) {
        if (!norm.centres) continue;
        Document d = any_document(random, 5, 6, [](Random& r) { return r.normal(); });
        d.norm = norm.kind;
        for (const BrokenTerm term :
             {BrokenTerm::mean, BrokenTerm::projection, BrokenTerm::gamma}) {
            const auto broken = Backward::of(with(d, set<&BackwardSetup::broken>(term)));
            EXPECT_FALSE(broken->check_scaled(1).agrees(k_check_tolerance));
            EXPECT_FALSE(broken->check_scaled(30).agrees(k_check_tolerance));
        }
    }
}

TEST(ScaleCurve, WithoutEpsilonTheGradientGoesAsOneOverTheScale) {
    const auto b = Backward::of(worked_example(0));
    const ScaleCurve& curve = b->scale_curve();
    EXPECT_NEAR(curve.gradient(100) * 100, curve.gradient(1), 1e-12);
    EXPECT_NEAR(curve.output(100), 1, 1e-14);
}

} // namespace
} // namespace normscope::testing
