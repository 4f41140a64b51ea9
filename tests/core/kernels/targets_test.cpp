#include "core/block/add_norm.h"
#include "tests/core/norm/testing.h"

#include <algorithm>
#include <hwy/targets.h>
#include <limits>
#include <vector>

// Every instruction set this machine has, against the norms' definitions.
namespace normscope {
namespace {

using namespace testing;
using Md = Matrix<double>;

// Every norm that has statistics, of matrices that it takes.
std::vector<Norm> norms_of(Index tokens, Index features) {
    std::vector<Norm> out;
    for (const NormEntry& entry : k_norms)
        if (entry.normalizes() &&
            statistic_sets(entry.kind, tokens, features).size() >= entry.fewest_values())
            out.push_back({entry.kind, groups_of(features)});
    return out;
}

Affine<double> in_double(const auto& affine) {
    return {affine.per, affine.gamma.template cast<double>(), affine.beta.template cast<double>()};
}

// The largest |a − b|, ∞ where NaN stands in one of them alone.
double apart(const auto& a, const auto& b) {
    double most = 0;
    EXPECT_EQ(a.size(), b.size());
    for (Index i = 0; i < a.size(); ++i) {
        const auto x = static_cast<double>(a.data()[i]), y = static_cast<double>(b.data()[i]);
        if (std::isnan(x) != std::isnan(y)) return std::numeric_limits<double>::infinity();
        if (!std::isnan(x) && x != y) most = std::max(most, std::abs(x - y));
    }
    return most;
}

// The largest magnitude of what is finite.
double size_of(const auto& m) {
    double most = 0;
    for (Index i = 0; i < m.size(); ++i)
        if (std::isfinite(m.data()[i]))
            most = std::max(most, std::abs(static_cast<double>(m.data()[i])));
    return most;
}

// Forward and backward of z, whatever is in it.
template<class S>
void check_against_definition(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                              const Matrix<S>& dy, int threads, double tolerance) {
    const NormOptions options{.threads = threads};
    const auto out = must_normalize(norm, z, options);
    const Md z_in_double = z.template cast<double>(), dy_in_double = dy.template cast<double>();
    const auto expected = normalize_by_definition(norm, z_in_double);
    ASSERT_TRUE(expected);
    const Md& x_hat = expected->cache.x_hat;
    const Affine<double> wide = in_double(affine);
    EXPECT_LE(apart(out.cache.x_hat, x_hat), tolerance * size_of(x_hat));
    Matrix<S> y;
    ASSERT_TRUE(affine_forward(out.cache.x_hat, affine, y, threads));
    const Md wide_y = affine_by_definition(x_hat, wide);
    EXPECT_LE(apart(y, wide_y), tolerance * size_of(wide_y));
    const auto grads = normalize_backward(out.cache, affine, dy, {{}, threads});
    const auto wide_grads = normalize_backward_by_definition(expected->cache, wide, dy_in_double);
    ASSERT_TRUE(grads && wide_grads);
    const double cells_of_one =
        static_cast<double>(z.size()) / static_cast<double>(affine.gamma.size());
    const double sum = tolerance * size_of(dy) * cells_of_one;
    EXPECT_LE(apart(grads->dz, wide_grads->dz),
              tolerance * (size_of(wide_grads->dz) + size_of(dy) * size_of(out.cache.rstd)));
    EXPECT_LE(apart(grads->dgamma, wide_grads->dgamma), sum);
    EXPECT_LE(apart(grads->dbeta, wide_grads->dbeta), sum);
}

template<class S>
void check(Index tokens, Index features, int threads, double tolerance) {
    SCOPED_TRACE(std::to_string(tokens) + "×" + std::to_string(features) + " threads " +
                 std::to_string(threads));
    const auto x = normal_matrix<S>(tokens, features, 1, 2, 0.5);
    const auto f = normal_matrix<S>(tokens, features, 2);
    const auto dy = normal_matrix<S>(tokens, features, 3);
    Matrix<S> z;
    ASSERT_TRUE(residual_add(x, f, Residual::add, z, threads));
    EXPECT_TRUE(z == Matrix<S>(x + f));
    for (const Norm& norm : norms_of(tokens, features))
        for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
            SCOPED_TRACE(std::string(norm_entry(norm).id) + " per " +
                         std::to_string(static_cast<int>(per)));
            const auto affine = normal_affine<S>(per, tokens, features, 4);
            check_against_definition(norm, z, affine, dy, threads, tolerance);

            const NormOptions options{.threads = threads};
            const auto whole = add_norm_forward(x, f, Add{}, norm, affine, options);
            const auto of_z = norm_forward(norm, z, affine, options);
            ASSERT_TRUE(whole && of_z);
            EXPECT_TRUE(whole->z == z);
            EXPECT_LE(relative_difference(whole->y, of_z->y), tolerance);
        }
}

// NaN and ±∞ stay in the set whose statistics they enter, and in the dγ and dβ they add to.
template<class S>
void check_not_a_number(Index tokens, Index features, double tolerance) {
    const auto z = normal_matrix<S>(tokens, features, 1, 2, 0.5);
    const auto dy = normal_matrix<S>(tokens, features, 3);
    constexpr S inf = std::numeric_limits<S>::infinity();
    for (const Norm& norm : norms_of(tokens, features))
        for (const S bad : {std::numeric_limits<S>::quiet_NaN(), inf, -inf})
            for (const Index at : {Index{0}, z.size() / 2, z.size() - 1}) {
                SCOPED_TRACE(::testing::Message() << norm_entry(norm).id << " " << tokens << "×"
                                                  << features << " " << bad << " at " << at);
                const auto affine = normal_affine<S>(AffinePer::feature, tokens, features, 4);
                Matrix<S> with_bad = z;
                with_bad.data()[at] = bad;
                check_against_definition(norm, with_bad, affine, dy, 1, tolerance);
                with_bad = dy;
                with_bad.data()[at] = bad;
                check_against_definition(norm, z, affine, with_bad, 1, tolerance);
            }
}

class EveryTarget : public ::testing::TestWithParam<std::int64_t> {
  protected:
    void SetUp() override {
        hwy::SetSupportedTargetsForTest(GetParam());
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    void TearDown() override {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

// A sanitized step takes twenty times as long: there the shapes are enough that reach every tail.
#ifdef __SANITIZE_ADDRESS__
constexpr Index k_most_values = 40'000;
#else
constexpr Index k_most_values = 1 << 20;
#endif

TEST_P(EveryTarget, AgreesWithDouble) {
    constexpr Index shapes[][2] = {{1, 1},   {3, 3},   {3, 7},    {9, 5},     {2, 64},
                                   {5, 131}, {71, 67}, {7, 4099}, {613, 1031}};
    for (const auto& [tokens, features] : shapes)
        for (const int threads : {1, 2}) {
            if (tokens * features > k_most_values) continue;
            check<float>(tokens, features, threads, 2e-6);
            check<double>(tokens, features, threads, 1e-12);
        }
}

TEST_P(EveryTarget, NaNAndInfinityComeOutWhereTheDefinitionSays) {
    constexpr Index shapes[][2] = {{2, 1}, {3, 7}, {9, 5}, {5, 131}, {331, 70}, {3, 4099}};
    for (const auto& [tokens, features] : shapes) {
        check_not_a_number<float>(tokens, features, 2e-6);
        check_not_a_number<double>(tokens, features, 1e-12);
    }
}

TEST_P(EveryTarget, ALargeOffsetCostsNoDigits) {
    for (const Index n : {4, 64, 512}) {
        Matrix<float> z(n, n);
        for (Index d = 0; d < n; ++d) z.col(d).setConstant(d % 2 ? 1e4f + 1e-2f : 1e4f - 1e-2f);
        for (const NormKind kind : {NormKind::layer, NormKind::batch}) {
            const Matrix<float> in = kind == NormKind::layer ? z : Matrix<float>(z.transpose());
            const auto out = must_normalize(kind, in, with_eps(0));
            const double var = 1 / std::pow(static_cast<double>(out.cache.rstd(0)), 2);
            EXPECT_NEAR(var, 9.53674e-05, 1e-2 * 9.53674e-05);
            EXPECT_NEAR(out.cache.x_hat(0, 0), -1, 1e-5);
        }
    }
}

// σ² = ∞ whatever the rounding of the mean, as PyTorch says it: then x̂ is 0, and no NaN.
template<class S>
void check_overflow(S size) {
    constexpr Index shapes[][2] = {{3, 3}, {4, 6}, {9, 5}, {5, 131}, {331, 70}, {1100, 7}};
    for (const auto& [tokens, features] : shapes)
        for (const NormKind kind : {NormKind::layer, NormKind::batch, NormKind::rms}) {
            SCOPED_TRACE(::testing::Message()
                         << tokens << "×" << features << " " << norm_entry(kind).id);
            const Matrix<S> z = normal_matrix<S>(tokens, features, 11) * size;
            const auto out = must_normalize(kind, z);
            EXPECT_TRUE(out.cache.mean.allFinite());
            EXPECT_TRUE(out.cache.rstd.isZero(0));
            EXPECT_TRUE(out.cache.x_hat.isZero(0));
        }
}

TEST_P(EveryTarget, SquaresThatAreTooLargeForANumberLeaveNothing) {
    check_overflow<float>(1e25f);
    check_overflow<double>(1e200);
}

// Batch norm sums differences from the mean of the rows before: rows that are unlike those before
// must not cost digits, wherever they begin.
TEST_P(EveryTarget, AMeanThatMovesCostsNoDigits) {
    constexpr Index features = 70;
    constexpr Index cases[][2] = {{331, 1},   {331, 3},   {331, 16},   {331, 17},   {331, 64},
                                  {331, 100}, {331, 330}, {1100, 275}, {1100, 560}, {1100, 1099}};
    for (const auto& [tokens, from] : cases) {
        SCOPED_TRACE(::testing::Message() << tokens << " from " << from);
        Matrix<float> z = normal_matrix<float>(tokens, features, 9, 1e-3, 1);
        z.bottomRows(tokens - from).array() += 30;
        for (Index t = 0; t < tokens; ++t) z(t, 5) += static_cast<float>(t); // a ramp
        const auto expected = normalize_by_definition(NormKind::batch, z.cast<double>());
        ASSERT_TRUE(expected);
        for (const int threads : {1, 2}) {
            const NormOptions options{.threads = threads};
            const auto out = must_normalize(NormKind::batch, z, options);
            EXPECT_LE(relative_difference(out.cache.x_hat, expected->cache.x_hat), 2e-6);
        }
    }
}

// A page in a browser has four lanes and no product that is rounded with its sum.
TEST(Targets, GiveTheSameBits) {
    for (const auto& [tokens, features] :
         {std::pair<Index, Index>{4, 6}, {3, 70}, {70, 33}, {9, 300}})
        for (const Norm& norm : norms_of(tokens, features)) {
            SCOPED_TRACE(norm_entry(norm).id);
            const auto z = normal_matrix<float>(tokens, features, 4, 1, 1);
            const Normalized<float> expected = must_normalize(norm, z);
            for (std::int64_t bits = hwy::SupportedTargets(); bits != 0; bits &= bits - 1) {
                hwy::SetSupportedTargetsForTest(bits & -bits);
                const Normalized<float> out = must_normalize(norm, z);
                hwy::SetSupportedTargetsForTest(0);
                EXPECT_EQ(out.cache.x_hat, expected.cache.x_hat) << hwy::TargetName(bits & -bits);
                EXPECT_EQ(out.cache.rstd, expected.cache.rstd);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Highway, EveryTarget,
                         ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test) { return std::string(hwy::TargetName(test.param)); });

} // namespace
} // namespace normscope
