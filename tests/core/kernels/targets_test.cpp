#include "core/base/random.h"
#include "core/block/add_norm.h"
#include "core/kernels/norms.h"
#include "tests/core/norm/testing.h"

#include <algorithm>
#include <hwy/targets.h>

// Every instruction set this machine has, against straightforward arithmetic in double.
namespace normscope {
namespace {

using namespace testing;
using Md = Matrix<double>;

struct Reference {
    Md x_hat, dz;
    Vector<double> dgamma, dbeta;
};

// γ and β per feature. Layer norm and rms norm of rows; batch norm as layer norm of the transpose.
Reference reference(NormKind kind, const Md& z, const Vector<double>& gamma, const Md& dy) {
    const bool by_column = kind == NormKind::batch;
    const Md rows = by_column ? Md(z.transpose()) : z;
    const Md a = (dy.array().rowwise() * gamma.transpose().array()).matrix();
    const Md a_rows = by_column ? Md(a.transpose()) : a;
    Md x_hat = rows;
    Md dz = rows;
    for (Index t = 0; t < rows.rows(); ++t) {
        const double mean = kind == NormKind::rms ? 0 : rows.row(t).mean();
        const auto e = (rows.row(t).array() - mean).eval();
        const double rstd = 1 / std::sqrt(e.square().mean() + 1e-5);
        x_hat.row(t) = (e * rstd).matrix();
        const auto g = a_rows.row(t).array();
        const double mean_g = kind == NormKind::rms ? 0 : g.mean();
        const double mean_gx = (g * x_hat.row(t).array()).mean();
        dz.row(t) = ((g - mean_g - x_hat.row(t).array() * mean_gx) * rstd).matrix();
    }
    Reference out{
        by_column ? Md(x_hat.transpose()) : x_hat, by_column ? Md(dz.transpose()) : dz, {}, {}};
    out.dgamma = (dy.array() * out.x_hat.array()).colwise().sum().matrix().transpose();
    out.dbeta = dy.colwise().sum().transpose();
    return out;
}

template<class S>
void check(Index tokens, Index features, int threads, double tolerance) {
    SCOPED_TRACE(std::to_string(tokens) + "×" + std::to_string(features) + " threads " +
                 std::to_string(threads));
    const auto x = normal_matrix<S>(tokens, features, 1, 2, 0.5);
    const auto f = normal_matrix<S>(tokens, features, 2);
    const auto dy = normal_matrix<S>(tokens, features, 3);
    const auto affine = normal_affine<S>(AffinePer::feature, tokens, features, 4);
    const Vector<double> gamma = affine.gamma.template cast<double>();
    Matrix<S> z;
    ASSERT_TRUE(residual_add(x, f, Residual::add, z, threads));
    EXPECT_TRUE(z == Matrix<S>(x + f));
    for (const NormKind kind : {NormKind::layer, NormKind::batch, NormKind::rms}) {
        if (kind == NormKind::batch && tokens == 1) continue;
        SCOPED_TRACE(norm_entry(kind).id);
        const auto expected =
            reference(kind, z.template cast<double>(), gamma, dy.template cast<double>());
        NormOptions options;
        options.threads = threads;
        const auto out = must_normalize(kind, z, options);
        EXPECT_LE(relative_difference(out.cache.x_hat, expected.x_hat), tolerance);
        Matrix<S> y;
        ASSERT_TRUE(affine_forward(out.cache.x_hat, affine, y, threads));
        const Md y_expected =
            ((expected.x_hat.array().rowwise() * gamma.transpose().array()).rowwise() +
             affine.beta.transpose().template cast<double>().array())
                .matrix();
        EXPECT_LE(relative_difference(y, y_expected), tolerance);
        const auto grads = normalize_backward(out.cache, affine, dy, {{}, threads});
        ASSERT_TRUE(grads);
        const double sum =
            tolerance * static_cast<double>(dy.cwiseAbs().colwise().sum().maxCoeff());
        const auto apart = [](const auto& a, const auto& b) {
            return (a.template cast<double>() - b).cwiseAbs().maxCoeff();
        };
        EXPECT_LE(apart(grads->dz, expected.dz),
                  tolerance *
                      (expected.dz.cwiseAbs().maxCoeff() +
                       static_cast<double>(dy.cwiseAbs().maxCoeff() * out.cache.rstd.maxCoeff())));
        EXPECT_LE(apart(grads->dgamma, expected.dgamma), sum);
        EXPECT_LE(apart(grads->dbeta, expected.dbeta), sum);

        AddNormOptions layer_options;
        layer_options.norm = kind;
        layer_options.options = options;
        AddNorm<S> layer(affine, layer_options);
        ASSERT_TRUE(layer.forward(x, f));
        EXPECT_TRUE(layer.z() == z);
        EXPECT_LE(relative_difference(layer.y(), y_expected), tolerance);
        Matrix<S> dx, df;
        ASSERT_TRUE(layer.backward(dy, dx, df));
        EXPECT_LE(apart(dx, grads->dz.template cast<double>()),
                  4 * tolerance *
                      static_cast<double>(dy.cwiseAbs().maxCoeff() * out.cache.rstd.maxCoeff()));
    }
    for (const AffinePer per : {AffinePer::token, AffinePer::scalar}) {
        const auto other = normal_affine<S>(per, tokens, features, 5);
        Matrix<S> y;
        ASSERT_TRUE(affine_forward(x, other, y, threads));
        for (Index t = 0; t < tokens; ++t) {
            const Index i = per == AffinePer::token ? t : 0;
            EXPECT_LE(relative_difference(
                          y.row(t).eval(),
                          (x.row(t).array() * other.gamma(i) + other.beta(i)).matrix().eval()),
                      tolerance);
        }
    }
}

// How an operation goes through memory changes no bit: what is larger than the cache is written
// around it, what is asked for ahead goes into this level or that, wide rows are gone through in
// strips. Nor does a dx that takes the place of dy. Arrays begin anywhere in a cache line, y and z
// each at another place.
template<class S>
void check_every_way(Index rows, Index cols, int threads) {
    SCOPED_TRACE(::testing::Message() << rows << "×" << cols << " threads " << threads);
    constexpr Index lead = 4; // values before each array
    constexpr Index z_lead = 9;
    const auto size = static_cast<std::size_t>(rows * cols + lead);
    Random random(1);
    const auto uniform = [&] {
        std::vector<S> out(size);
        for (S& v : out) v = static_cast<S>(random.uniform() - 0.4);
        return out;
    };
    const auto x = uniform(), f = uniform(), dy = uniform(), gamma = uniform();
    const auto& beta = dy;
    const auto run = [&](kernels::Memory memory) {
        std::vector<std::vector<S>> out;
        const auto fresh_after = [&](Index before, Index values) {
            return out.emplace_back(static_cast<std::size_t>(before + values), S(0)).data() +
                   before;
        };
        const auto fresh = [&](Index values) { return fresh_after(lead, values); };
        const Index all = rows * cols;
        out.reserve(64);
        for (const S* sublayer : {static_cast<const S*>(nullptr), f.data() + lead})
            for (const bool rms : {false, true}) {
                kernels::RowForward<S> a;
                a.x = x.data() + lead, a.f = sublayer,
                a.z = sublayer ? fresh_after(z_lead, all) : nullptr;
                a.gamma = gamma.data(), a.beta = beta.data(), a.y = fresh(all);
                a.mean = fresh(rows), a.rstd = fresh(rows);
                a.rows = rows, a.cols = cols, a.eps = S(1e-5), a.memory = memory;
                rms ? kernels::rms_norm(a, threads) : kernels::layer_norm(a, threads);
                if (sublayer) continue;
                kernels::RowBackward<S> b;
                b.x = a.x, b.mean = a.mean, b.rstd = a.rstd, b.gamma = a.gamma;
                b.dy = dy.data() + lead, b.dx = fresh(all), b.dgamma = fresh(cols),
                b.dbeta = fresh(cols);
                b.rows = rows, b.cols = cols, b.use_mean = !rms, b.memory = memory;
                kernels::row_backward(b, threads);
                kernels::RowBackward<S> over_dy = b;
                over_dy.dx = fresh(all), over_dy.dgamma = fresh(cols), over_dy.dbeta = fresh(cols);
                over_dy.dy = std::copy_n(b.dy, all, over_dy.dx) - all;
                kernels::row_backward(over_dy, threads);
                EXPECT_TRUE(std::equal(b.dx, b.dx + all, over_dy.dx));
                EXPECT_TRUE(std::equal(b.dgamma, b.dgamma + cols, over_dy.dgamma));
            }
        kernels::ColumnForward<S> c;
        c.x = x.data() + lead, c.gamma = gamma.data(), c.beta = beta.data(), c.y = fresh(all);
        c.mean = fresh(cols), c.var = fresh(cols), c.rstd = fresh(cols);
        c.rows = rows, c.cols = cols, c.eps = S(1e-5), c.memory = memory;
        kernels::batch_norm(c, threads);
        kernels::ColumnBackward<S> e;
        e.x = c.x, e.mean = c.mean, e.rstd = c.rstd, e.gamma = c.gamma, e.dy = dy.data() + lead;
        e.dx = fresh(all), e.dgamma = fresh(cols), e.dbeta = fresh(cols);
        e.rows = rows, e.cols = cols, e.memory = memory;
        kernels::batch_backward(e, threads);
        kernels::ColumnBackward<S> over_dy = e;
        over_dy.dx = fresh(all), over_dy.dgamma = fresh(cols), over_dy.dbeta = fresh(cols);
        over_dy.dy = std::copy_n(e.dy, all, over_dy.dx) - all;
        kernels::batch_backward(over_dy, threads);
        EXPECT_TRUE(std::equal(e.dx, e.dx + all, over_dy.dx));
        kernels::row_map(kernels::RowMap<S>{c.x, c.mean, c.rstd, 0, fresh(all), rows, cols, memory},
                         threads);
        return out;
    };
    const auto expected = run({false, kernels::Level::second});
    using kernels::Level;
    for (const kernels::Memory memory : {kernels::Memory{false, Level::first},
                                         {true, Level::first_alone},
                                         {true, Level::first},
                                         {true, Level::second}}) {
        const auto got = run(memory);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i)
            EXPECT_EQ(got[i], expected[i]) << "array " << i << " around " << memory.around
                                           << " level " << static_cast<int>(memory.rows);
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

TEST_P(EveryTarget, AgreesWithDouble) {
    constexpr Index shapes[][2] = {{1, 1},   {3, 3},   {3, 7},    {9, 5},     {2, 64},
                                   {5, 131}, {71, 67}, {7, 4099}, {613, 1031}};
    for (const auto& [tokens, features] : shapes)
        for (const int threads : {1, 2}) {
            check<float>(tokens, features, threads, 2e-6);
            check<double>(tokens, features, threads, 1e-12);
        }
}

TEST_P(EveryTarget, TheWayThroughMemoryChangesNoBit) {
    constexpr Index shapes[][2] = {{5, 131},   {7, 64},    {67, 1024}, {261, 80},
                                   {11, 2064}, {11, 3088}, {257, 2048}};
    for (const auto& [rows, cols] : shapes)
        for (const int threads : {1, 2}) {
            check_every_way<float>(rows, cols, threads);
            check_every_way<double>(rows, cols, threads);
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
    const Vector<double> gamma = Vector<double>::Ones(features);
    constexpr Index cases[][2] = {{331, 1},   {331, 3},   {331, 16},   {331, 17},   {331, 64},
                                  {331, 100}, {331, 330}, {1100, 275}, {1100, 560}, {1100, 1099}};
    for (const auto& [tokens, from] : cases) {
        SCOPED_TRACE(::testing::Message() << tokens << " from " << from);
        Matrix<float> z = normal_matrix<float>(tokens, features, 9, 1e-3, 1);
        z.bottomRows(tokens - from).array() += 30;
        for (Index t = 0; t < tokens; ++t) z(t, 5) += static_cast<float>(t); // a ramp
        const auto expected =
            reference(NormKind::batch, z.cast<double>(), gamma, Md::Ones(tokens, features));
        for (const int threads : {1, 2}) {
            NormOptions options;
            options.threads = threads;
            const auto out = must_normalize(NormKind::batch, z, options);
            EXPECT_LE(relative_difference(out.cache.x_hat, expected.x_hat), 2e-6);
        }
    }
}

// √(Σ_k (w_k·(1 + x_ik·x_jk))²) of every pair, however many are beside it; no pair, no value.
TEST_P(EveryTarget, NormsOfPairsAreThoseOfEachAlone) {
    constexpr Index shapes[][2] = {{1, 3}, {2, 1}, {3, 7}, {6, 16}, {9, 131}};
    for (const auto& [rows, cols] : shapes) {
        SCOPED_TRACE(::testing::Message() << rows << "×" << cols);
        const Md x = normal_matrix<double>(rows, cols, 7), w = normal_matrix<double>(1, cols, 8);
        Md out = Md::Constant(rows, rows, -1);
        kernels::pair_norms(x.data(), w.data(), out.data(), rows, cols);
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < rows; ++j) {
                const double expected =
                    i == j
                        ? -1
                        : (w.array() * (1 + x.row(i).array() * x.row(j).array())).matrix().norm();
                EXPECT_NEAR(out(i, j), expected, 1e-13 * std::abs(expected));
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Highway, EveryTarget, ::testing::ValuesIn([] {
                             std::vector<std::int64_t> targets;
                             const std::int64_t all = hwy::SupportedTargets();
                             for (int bit = 0; bit < 63; ++bit)
                                 if (all & (std::int64_t{1} << bit))
                                     targets.push_back(std::int64_t{1} << bit);
                             return targets;
                         }()),
                         [](const auto& test) { return std::string(hwy::TargetName(test.param)); });

} // namespace
} // namespace normscope
