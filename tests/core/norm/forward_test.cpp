#include "tests/core/norm/testing.h"

#include <limits>

// The table of numbers that must come out, whichever way the kernels compute them.
namespace normscope {
namespace {

using namespace testing;

template<class S>
class Forward : public ::testing::Test {
  public:
    static constexpr double k_tolerance = std::is_same_v<S, float> ? 2e-6 : 1e-9;
};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Forward, Precisions);

template<class S>
void expect_row(const Matrix<S>& m, Index t, std::initializer_list<double> expected,
                double tolerance) {
    ASSERT_EQ(m.cols(), static_cast<Index>(expected.size()));
    Index d = 0;
    for (double value : expected) EXPECT_NEAR(m(t, d++), value, tolerance) << "token " << t;
}

TYPED_TEST(Forward, LayerNormOfTheStudyingExample) {
    using S = TypeParam;
    const auto z = matrix<S>({{3.16, 0.61, 1.87}});
    const auto out = must_normalize(NormKind::layer, z, with_eps(0));
    EXPECT_NEAR(out.cache.mean(0), 1.88, 1e-6);
    EXPECT_NEAR(1 / (out.cache.rstd(0) * out.cache.rstd(0)), 1.0838, 2e-6);
    expect_row(out.cache.x_hat, 0, {1.229519, -1.219914, -0.009606}, 1e-6);
}

TYPED_TEST(Forward, LayerNormOfSmallRows) {
    using S = TypeParam;
    const double tolerance = TestFixture::k_tolerance;
    auto out = must_normalize(NormKind::layer, matrix<S>({{2, 4, 6, 8}}), with_eps(0));
    expect_row(out.cache.x_hat, 0, {-1.341640786, -0.447213595, 0.447213595, 1.341640786},
               tolerance);
    out = must_normalize(NormKind::layer, matrix<S>({{1, 2, 3, 4}}));
    expect_row(out.cache.x_hat, 0, {-1.341635420, -0.447211807, 0.447211807, 1.341635420},
               tolerance);
    out = must_normalize(NormKind::layer, matrix<S>({{0.2, 0.1, 0.3}}), with_eps(0));
    EXPECT_NEAR(out.cache.mean(0), 0.2, 1e-7);
    expect_row(out.cache.x_hat, 0, {0, -1.224745, 1.224745}, 1e-6);
}

TYPED_TEST(Forward, LayerAndBatchShareDifferentValues) {
    using S = TypeParam;
    const auto z = matrix<S>({{1, 2, 3}, {4, 5, 6}});
    const auto batch = must_normalize(NormKind::batch, z, with_eps(0));
    expect_row(batch.cache.x_hat, 0, {-1, -1, -1}, 1e-7);
    expect_row(batch.cache.x_hat, 1, {1, 1, 1}, 1e-7);
    for (Index d = 0; d < 3; ++d) {
        EXPECT_NEAR(batch.cache.mean(d), 2.5 + static_cast<double>(d), 1e-7);
        EXPECT_NEAR(1 / batch.cache.rstd(d), 1.5, 1e-6);
    }
    const auto layer = must_normalize(NormKind::layer, z, with_eps(0));
    for (Index t = 0; t < 2; ++t)
        expect_row(layer.cache.x_hat, t, {-1.2247449, 0, 1.2247449}, 1e-6);
}

TYPED_TEST(Forward, RmsNormDividesByTheRootMeanSquare) {
    using S = TypeParam;
    const auto out = must_normalize(NormKind::rms, matrix<S>({{1, 7}, {3, 4}}), with_eps(0));
    expect_row(out.cache.x_hat, 0, {0.2, 1.4}, 1e-6);
    EXPECT_EQ(out.cache.mean(1), S(0));
    EXPECT_NEAR(1 / out.cache.rstd(1), std::sqrt(12.5), 1e-6);
}

TYPED_TEST(Forward, NoneHandsItsInputOn) {
    const auto z = normal_matrix<TypeParam>(3, 7, 1);
    const auto out = must_normalize(NormKind::none, z);
    EXPECT_EQ(out.cache.x_hat, z);
    EXPECT_EQ(out.cache.mean.size(), 0);
}

TYPED_TEST(Forward, GammaSigmaAndBetaMuUndoTheNormOfTheirTokenOnly) {
    using S = TypeParam;
    const auto z = normal_matrix<S>(4, 7, 3, 2, 1);
    const auto out = must_normalize(NormKind::layer, z);
    Affine<S> affine = identity_affine<S>(AffinePer::scalar, 4, 7);
    affine.gamma(0) = 1 / out.cache.rstd(2);
    affine.beta(0) = out.cache.mean(2);
    Matrix<S> y;
    ASSERT_TRUE(affine_forward(out.cache.x_hat, affine, y));
    const double rounding = 8 * std::numeric_limits<S>::epsilon();
    EXPECT_LT(relative_difference(y.row(2), z.row(2)), rounding);
    EXPECT_GT(relative_difference(y.row(0), z.row(0)), 1e-3);
    affine = {AffinePer::token, out.cache.rstd.cwiseInverse(), out.cache.mean};
    ASSERT_TRUE(affine_forward(out.cache.x_hat, affine, y));
    EXPECT_LT(relative_difference(y, z), rounding);
}

TYPED_TEST(Forward, BatchNormTrainsItsRunningStatisticsThenUsesThem) {
    using S = TypeParam;
    const auto z = matrix<S>({{1, 10}, {2, 20}, {4, 40}});
    const auto out = must_normalize(NormKind::batch, z);
    for (Index t = 0; const double y : {-1.0690415, -0.2672603, 1.3363020})
        EXPECT_NEAR(out.cache.x_hat(t++, 0), y, 1e-6);
    ASSERT_TRUE(out.running);
    EXPECT_NEAR(out.running->mean(0), 0.2333333, 1e-6);
    EXPECT_NEAR(out.running->mean(1), 2.3333335, 1e-6);
    EXPECT_NEAR(out.running->var(0), 1.1333333, 1e-6);
    EXPECT_NEAR(out.running->var(1), 24.2333355, 3e-6);
    EXPECT_EQ(out.running->updates, 1);
    const auto again = must_normalize(NormKind::batch, z, {}, &*out.running);
    const auto eval = must_normalize(NormKind::batch, z, {.mode = Mode::eval}, &*again.running);
    expect_row(eval.cache.x_hat, 0, {0.4972333, 0.8285111}, 1e-6);
    EXPECT_FALSE(eval.running);
}

TYPED_TEST(Forward, CumulativeAverageIsTheMeanOfTheBatches) {
    using S = TypeParam;
    const NormOptions options{.momentum = std::nullopt};
    std::optional<RunningStats<S>> running;
    double mean = 0;
    for (std::uint64_t batch = 0; batch < 5; ++batch) {
        const auto z = normal_matrix<S>(5, 3, batch);
        mean += static_cast<double>(z.col(1).mean()) / 5;
        running =
            must_normalize(NormKind::batch, z, options, running ? &*running : nullptr).running;
        ASSERT_TRUE(running);
    }
    EXPECT_EQ(running->updates, 5);
    EXPECT_NEAR(running->mean(1), mean, 1e-6);
}

TYPED_TEST(Forward, ConstantRow) {
    using S = TypeParam;
    const Matrix<S> z = Matrix<S>::Constant(2, 7, S(0.1));
    const auto out = must_normalize(NormKind::layer, z);
    EXPECT_EQ(out.cache.x_hat, (Matrix<S>::Zero(2, 7)));
    EXPECT_NEAR(out.cache.rstd(1), 316.2278, 1e-4);
    const auto bare = must_normalize(NormKind::layer, z, with_eps(0));
    EXPECT_TRUE(bare.cache.x_hat.array().isNaN().all());
    const auto batch = must_normalize(NormKind::batch, z, with_eps(0));
    EXPECT_TRUE(batch.cache.x_hat.array().isNaN().all());
}

TYPED_TEST(Forward, NanStaysInItsRowOrColumn) {
    using S = TypeParam;
    auto z = normal_matrix<S>(5, 19, 8);
    z(2, 17) = std::numeric_limits<S>::quiet_NaN();
    for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
        const auto out = must_normalize(kind, z);
        for (Index t = 0; t < 5; ++t)
            EXPECT_EQ(out.cache.x_hat.row(t).array().isNaN().count(), t == 2 ? 19 : 0);
    }
    const auto batch = must_normalize(NormKind::batch, z);
    for (Index d = 0; d < 19; ++d)
        EXPECT_EQ(batch.cache.x_hat.col(d).array().isNaN().count(), d == 17 ? 5 : 0);
}

TYPED_TEST(Forward, ALargeOffsetCostsNoDigits) {
    using S = TypeParam;
    for (const Index n : {4, 64, 512}) {
        Matrix<S> z(2, n);
        for (Index d = 0; d < n; ++d)
            z.col(d).setConstant(
                static_cast<S>(static_cast<float>(d % 2 ? 1e4 + 1e-2 : 1e4 - 1e-2)));
        for (const bool batch : {false, true}) {
            const auto out = batch ? must_normalize<S>(NormKind::batch, z.transpose(), with_eps(0))
                                   : must_normalize<S>(NormKind::layer, z, with_eps(0));
            const double var = 1 / std::pow(static_cast<double>(out.cache.rstd(0)), 2);
            EXPECT_NEAR(var, 9.53674e-05, 1e-2 * 9.53674e-05) << n;
        }
    }
}

TYPED_TEST(Forward, OneFeatureIsZero) {
    const auto out = must_normalize(NormKind::layer, normal_matrix<TypeParam>(5, 1, 4));
    EXPECT_EQ(out.cache.x_hat, (Matrix<TypeParam>::Zero(5, 1)));
}

TEST(ForwardExtremes, HugeValuesOverflowFloatAndFitDouble) {
    const auto f = must_normalize(NormKind::layer, matrix<float>({{1e20, -1e20}}));
    EXPECT_EQ(f.cache.x_hat.size(), 2);
    const auto d = must_normalize(NormKind::layer, matrix<double>({{1e20, -1e20}}));
    expect_row(d.cache.x_hat, 0, {1, -1}, 1e-12);
}

TYPED_TEST(Forward, LayerNormRowsHaveMeanZeroAndVarianceOne) {
    using S = TypeParam;
    for (const auto& [tokens, features] : {std::pair{3, 7}, {11, 5}, {2, 129}, {1, 1031}}) {
        const auto z = normal_matrix<S>(tokens, features, 21, 3, -2);
        const auto out = must_normalize(NormKind::layer, z, with_eps(0));
        for (Index t = 0; t < tokens; ++t) {
            const auto row = out.cache.x_hat.row(t).template cast<double>().array();
            EXPECT_NEAR(row.mean(), 0, 1e-6);
            EXPECT_NEAR(row.square().mean(), 1, 3e-6);
        }
        const Matrix<S> moved = (z.array() * S(4)).matrix(); // exact in binary
        EXPECT_LT(
            relative_difference(must_normalize(NormKind::layer, moved, with_eps(0)).cache.x_hat,
                                out.cache.x_hat),
            1e-6);
    }
}

TYPED_TEST(Forward, ThreadsDoNotChangeTheResult) {
    using S = TypeParam;
    // Batch norm shares out the rows where there are many, else the columns: of 1100 on 3 threads.
    constexpr Index shapes[][2] = {{301, 777}, {1100, 131}};
    for (const auto& [tokens, features] : shapes) {
        const auto z = normal_matrix<S>(tokens, features, 5, 2, 1);
        for (const NormEntry& entry : k_norms)
            for (const int threads : {2, 3, 4}) {
                SCOPED_TRACE(::testing::Message() << entry.id << " " << tokens << " " << threads);
                const auto a = must_normalize(entry.kind, z);
                const auto b = must_normalize(entry.kind, z, {.threads = threads});
                EXPECT_TRUE(a.cache.x_hat == b.cache.x_hat);
                EXPECT_TRUE(a.cache.mean == b.cache.mean);
                EXPECT_TRUE(a.cache.rstd == b.cache.rstd);
            }
    }
}

void has(const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ForwardErrors, NameTheShapes) {
    const auto message = [](const auto& result) {
        return result ? std::string() : result.error().message;
    };
    const auto one = normal_matrix<float>(1, 3, 1);
    has(message(normalize(NormKind::batch, one)), "more than one value per feature is needed");
    has(message(normalize(NormKind::batch, one)), "1×3");
    for (const NormEntry& entry : k_norms)
        has(message(normalize(entry.kind, Matrix<double>(0, 5))), "0×5");
    has(message(normalize(NormKind::layer, one, with_eps(-1))), "ε");
    const NormOptions eval{.mode = Mode::eval};
    EXPECT_FALSE(normalize(NormKind::batch, one, eval));
    const RunningStats<float> narrow{Vector<float>::Zero(2), Vector<float>::Ones(2), 0};
    const auto text = message(normalize(NormKind::batch, one, eval, &narrow));
    has(text, "1×3");
    has(text, "2");
    Matrix<float> y;
    const auto affine = identity_affine<float>(AffinePer::feature, 1, 4);
    const auto affine_text = message(affine_forward(one, affine, y));
    has(affine_text, "1×3");
    has(affine_text, "4");
}

} // namespace
} // namespace normscope
