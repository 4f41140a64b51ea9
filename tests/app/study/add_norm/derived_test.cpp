#include "app/study/add_norm/derived.h"
#include "tests/app/model/random_edit.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr Tensor k_all[] = {Tensor::x, Tensor::f, Tensor::z, Tensor::x_hat, Tensor::y};

Document document(std::initializer_list<std::initializer_list<double>> x, double eps = 1e-5,
                  NormKind norm = NormKind::layer, Precision precision = Precision::float32) {
    Document d =
        blank_document(static_cast<Index>(x.size()), static_cast<Index>(x.begin()->size()));
    Matrix<double> m(d.token_count(), d.feature_count());
    Index t = 0;
    for (const auto& row : x) {
        Index j = 0;
        for (const double v : row) m(t, j++) = v;
        ++t;
    }
    d.x = m;
    d.eps = eps;
    d.norm = norm;
    d.precision = precision;
    return d;
}

void expect_row(const Derived& derived, Tensor tensor, Index token,
                std::initializer_list<double> expected, double tolerance) {
    Index j = 0;
    for (const double v : expected) EXPECT_NEAR(derived.view(tensor)(token, j++), v, tolerance);
}

bool same_value(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool same_values(const MatrixView& a, const MatrixView& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    for (Index i = 0; i < a.rows(); ++i)
        for (Index j = 0; j < a.cols(); ++j)
            if (!same_value(a(i, j), b(i, j))) return false;
    return true;
}

TEST(Derived, SumOfInputAndAttention) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        Document d = document({{1.8, -0.3, 0.8}}, 0, NormKind::layer, precision);
        Matrix<double> f(1, 3);
        f << 1.36, 0.91, 1.07;
        d.f = f;
        const auto derived = Derived::of(d);
        expect_row(*derived, Tensor::z, 0, {3.16, 0.61, 1.87}, 1e-6);
        EXPECT_NEAR(derived->mean(0), 1.88, 1e-6);
        EXPECT_NEAR(1 / std::pow(derived->rstd(0), 2), 1.0838, 1e-6);
        expect_row(*derived, Tensor::x_hat, 0, {1.229519, -1.219914, -0.009606}, 2e-6);
        EXPECT_TRUE(same_values(derived->view(Tensor::x_hat), derived->view(Tensor::y)));
    }
}

TEST(Derived, RowsOfTheTable) {
    expect_row(*Derived::of(document({{2, 4, 6, 8}}, 0)), Tensor::x_hat, 0,
               {-1.341640786, -0.447213595, 0.447213595, 1.341640786}, 2e-6);
    expect_row(*Derived::of(document({{1, 2, 3, 4}}, 1e-5, NormKind::layer, Precision::float64)),
               Tensor::x_hat, 0, {-1.341635420, -0.447211807, 0.447211807, 1.341635420}, 1e-9);
    expect_row(*Derived::of(document({{0.2, 0.1, 0.3}}, 0)), Tensor::x_hat, 0,
               {0, -1.224745, 1.224745}, 2e-6);
    const Document rows = document({{1, 2, 3}, {4, 5, 6}}, 0);
    for (Index t = 0; t < 2; ++t)
        expect_row(*Derived::of(rows), Tensor::x_hat, t, {-1.2247449, 0, 1.2247449}, 2e-6);
    Document columns = rows;
    columns.norm = NormKind::batch;
    const auto derived = Derived::of(columns);
    EXPECT_TRUE(derived->sets().by_feature());
    EXPECT_EQ(derived->group_count(), 3);
    for (Index j = 0; j < 3; ++j) {
        EXPECT_NEAR(derived->mean(j), 2.5 + static_cast<double>(j), 1e-6);
        EXPECT_NEAR(1 / derived->rstd(j), 1.5, 1e-6);
    }
    expect_row(*derived, Tensor::x_hat, 0, {-1, -1, -1}, 2e-6);
    expect_row(*derived, Tensor::x_hat, 1, {1, 1, 1}, 2e-6);
    const auto two = Derived::of(document({{1, 10}, {2, 20}, {4, 40}}, 1e-5, NormKind::batch));
    EXPECT_NEAR(two->view(Tensor::y)(0, 0), -1.0690415, 2e-6);
    EXPECT_NEAR(two->view(Tensor::y)(2, 0), 1.3363020, 2e-6);
}

TEST(Derived, ScalarResidual) {
    Document d = document({{5}}, 1e-5, NormKind::none);
    d.f = Matrix<double>(Matrix<double>::Constant(1, 1, 2));
    EXPECT_EQ(Derived::of(d)->view(Tensor::y)(0, 0), 7);
    d.residual = Residual::no_skip;
    EXPECT_EQ(Derived::of(d)->view(Tensor::y)(0, 0), 2);
    EXPECT_EQ(Derived::of(d)->group_count(), 0);
}

// Five values far away make the steps of the curve wider than what Silverman has for the rest.
TEST(DistributionOf, MostValuesAreWhereTheCurveIsHighest) {
    for (const float far : {100.0f, 5e4f, 1e9f}) {
        std::vector<float> values;
        for (int i = 0; i < 25; ++i) values.push_back(0.1f * static_cast<float>(i - 12));
        for (int i = 0; i < 5; ++i) values.push_back(far * (0.4f * static_cast<float>(i) - 0.9f));
        const Distribution1D d =
            distribution_of(Sample<float>{values.data(), static_cast<Index>(values.size()), 1});
        const auto& y = d.density.y;
        ASSERT_FALSE(y.empty());
        const auto peak = std::max_element(y.begin(), y.end()) - y.begin();
        const double step = (d.density.hi - d.density.lo) / static_cast<double>(y.size() - 1);
        EXPECT_NEAR(d.density.lo + step * static_cast<double>(peak), 0, std::max(step, 1.0)) << far;
    }
}

TEST(Derived, ConstantRow) {
    const auto derived = Derived::of(document({{2, 2, 2, 2}}));
    expect_row(*derived, Tensor::x_hat, 0, {0, 0, 0, 0}, 0);
    EXPECT_NEAR(derived->rstd(0), 316.2278, 1e-3);
    EXPECT_TRUE(std::isnan(Derived::of(document({{2, 2, 2, 2}}, 0))->view(Tensor::x_hat)(0, 1)));
    EXPECT_EQ(Derived::of(document({{3}}))->view(Tensor::x_hat)(0, 0), 0);
}

TEST(Derived, NaNStaysInItsGroup) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Document d = document({{1, 2, 4}, {1, nan, 2}, {0, 3, 9}});
    for (const NormKind norm : {NormKind::layer, NormKind::rms, NormKind::batch}) {
        d.norm = norm;
        const auto derived = Derived::of(d);
        for (Index t = 0; t < 3; ++t)
            for (Index j = 0; j < 3; ++j)
                EXPECT_EQ(std::isnan(derived->view(Tensor::y)(t, j)),
                          norm == NormKind::batch ? j == 1 : t == 1);
        EXPECT_EQ(std::isnan(derived->max_abs_difference(0)), norm == NormKind::batch);
        EXPECT_TRUE(std::isnan(derived->max_abs_difference(1)));
    }
}

TEST(Derived, ValuesThatAreAllTheSameHaveNoCurve) {
    const std::vector<float> values{0.1f, 0.1f, std::numeric_limits<float>::quiet_NaN(), 0.1f};
    for (const Index n : {1, 2, 4}) {
        const Distribution1D d = distribution_of(Sample<float>{values.data(), n, 1});
        EXPECT_TRUE(d.density.y.empty());
        EXPECT_TRUE(d.bin_density.empty());
        EXPECT_EQ(d.moments.min, static_cast<double>(0.1f));
        EXPECT_EQ(d.moments.max, static_cast<double>(0.1f));
    }
}

// The last bin ends at the largest value, which is among those counted.
TEST(Derived, EveryValueIsInTheHistogram) {
    const auto counted = [](const std::vector<float>& values) {
        const auto n = static_cast<Index>(values.size());
        const Distribution1D d = distribution_of(Sample<float>{values.data(), n, 1});
        std::int64_t sum = 0;
        for (const std::int64_t count : d.histogram.counts) sum += count;
        return sum;
    };
    EXPECT_EQ(counted({2, 2, 2, 2, 1, -1, 2, 0}), 8);
    EXPECT_EQ(counted({0, 1, 2, 3, 3, 3, 3, 3, 3}), 9);
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<float> values(5 + static_cast<std::size_t>(round) % 40);
        const double at = random.normal() * 100;
        for (float& v : values) v = static_cast<float>(at + random.uniform());
        EXPECT_EQ(counted(values), static_cast<std::int64_t>(values.size())) << round;
    }
}

TEST(Derived, HugeValues) {
    EXPECT_EQ(Derived::of(document({{1e20, -1e20}}, 1e-5, NormKind::layer, Precision::float64))
                  ->view(Tensor::x_hat)(0, 0),
              1);
    Derived::of(document({{1e20, -1e20}})); // float32 overflows and does not crash
    const double small =
        1 /
        std::pow(Derived::of(document({{9999.99, 10000.01, 9999.99, 10000.01}}, 0))->rstd(0), 2);
    EXPECT_NEAR(small, 9.53674e-05, 1e-6);
}

TEST(Derived, ABatchOfOneIsAnErrorUntilItIsNot) {
    Document d = document({{1, 2, 3}}, 1e-5, NormKind::batch);
    const auto refused = Derived::of(d);
    ASSERT_TRUE(refused->error());
    EXPECT_NE(refused->error()->message.find("1×3"), std::string::npos);
    EXPECT_TRUE(std::isnan(refused->view(Tensor::y)(0, 0)));
    const auto gamma =
        Derived::of(*apply(std::as_const(d), SetParam{Param::gamma, 0, 0, 2}), refused);
    EXPECT_TRUE(gamma->error());
    d.norm = NormKind::layer;
    const auto fine = Derived::of(d, gamma);
    EXPECT_FALSE(fine->error());
    EXPECT_FALSE(std::isnan(fine->view(Tensor::y)(0, 0)));
}

TEST(Derived, GammaAndBetaLeaveXHatAlone) {
    const Document start = document({{1, 2, 4}, {5, 1, 0}});
    const auto first = Derived::of(start);
    EXPECT_EQ(first->normalized(), 1);
    auto before = first;
    Document d = start;
    for (int i = 1; i <= 10; ++i) {
        d = *apply(std::as_const(d), SetParam{i % 2 ? Param::gamma : Param::beta, 1, 1, 0.1 * i});
        before = Derived::of(d, before);
    }
    EXPECT_EQ(before->normalized(), 1);
    for (const Tensor t : {Tensor::x, Tensor::f, Tensor::z, Tensor::x_hat})
        EXPECT_EQ(before->version(t), first->version(t));
    for (const Tensor t : k_all)
        EXPECT_EQ(&before->pooled(t) == &first->pooled(t), t != Tensor::y) << static_cast<int>(t);
    EXPECT_EQ(before->version(Tensor::y), first->version(Tensor::y) + 10);
    EXPECT_EQ(before->mean(1), first->mean(1));
}

TEST(Derived, AnEditThatChangesNoNumberComputesNothing) {
    Document d = document({{1, 2, 4}, {5, 1, 0}});
    const auto first = Derived::of(d);
    EXPECT_EQ(Derived::of(d, first)->normalized(), first->normalized());
    d = *apply(std::as_const(d), Rename{Axis::token, 0, "renamed"});
    d = *apply(std::as_const(d), SetParamRange{Param::gamma, {-5, 5}});
    d.title = "another title";
    const auto renamed = Derived::of(d, first);
    EXPECT_EQ(renamed->normalized(), first->normalized());
    EXPECT_EQ(renamed->document().title, "another title");
    for (const Tensor t : k_all) EXPECT_EQ(renamed->version(t), first->version(t));
}

TEST(Derived, EpsilonRecomputesXHatButNotZ) {
    Document d = document({{1, 2, 4}, {5, 1, 0}});
    const auto first = Derived::of(d);
    d.eps = 0.1;
    const auto next = Derived::of(d, first);
    EXPECT_EQ(next->version(Tensor::z), first->version(Tensor::z));
    EXPECT_NE(next->version(Tensor::x_hat), first->version(Tensor::x_hat));
    EXPECT_NE(next->version(Tensor::y), first->version(Tensor::y));
    for (const Tensor t : k_all)
        EXPECT_EQ(&next->pooled(t) == &first->pooled(t), t != Tensor::x_hat && t != Tensor::y)
            << static_cast<int>(t);
}

// Derived from the one before or from nothing: the same numbers; and a version names a content.
TEST(Derived, MemoNeverShows) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        Document d = testing::any_document(random, 3, 5, testing::any_number_or_not);
        auto before = Derived::of(d);
        for (int i = 0; i < 120; ++i) {
            const Edit edit = testing::any_edit(random, d);
            auto next = normscope::apply(d, edit); // not std::apply, which a variant would find
            if (!next || next->x->size() > 200) continue;
            d = std::move(*next);
            const auto now = Derived::of(d, before);
            const auto fresh = Derived::of(d);
            EXPECT_EQ(now->error(), fresh->error());
            ASSERT_EQ(now->group_count(), fresh->group_count());
            for (Index g = 0; g < now->group_count(); ++g) {
                EXPECT_TRUE(same_value(now->mean(g), fresh->mean(g)));
                EXPECT_TRUE(same_value(now->rstd(g), fresh->rstd(g)));
            }
            for (const Tensor t : k_all) {
                if (i % 3 == 0 && t == Tensor::y) continue; // what nobody asked for is made later
                ASSERT_TRUE(same_values(now->view(t), fresh->view(t))) << static_cast<int>(t);
                if (now->version(t) == before->version(t)) {
                    EXPECT_TRUE(same_values(now->view(t), before->view(t)));
                } else {
                    EXPECT_GT(now->version(t), before->version(t));
                }
                if (i % 2 == 0) continue;
                EXPECT_TRUE(same_value(now->pooled(t).moments.mean, fresh->pooled(t).moments.mean));
                EXPECT_EQ(now->pooled(t).histogram.counts, fresh->pooled(t).histogram.counts);
            }
            before = now;
        }
    }
}

TEST(Derived, DistributionsOfATokenAndAFeature) {
    const auto derived = Derived::of(document({{1, 2, 4}, {5, 1, 0}}));
    EXPECT_NEAR(derived->distribution(Tensor::z, {Pool::Kind::token, 1}).moments.mean, 2, 1e-12);
    EXPECT_NEAR(derived->distribution(Tensor::z, {Pool::Kind::feature, 0}).moments.mean, 3, 1e-12);
    EXPECT_NEAR(derived->distribution(Tensor::x_hat, {Pool::Kind::token, 0}).moments.std, 1, 1e-4);
    EXPECT_EQ(derived->distribution(Tensor::z, {}).moments.count, 6);
}

TEST(Derived, HoveringToAndFroComputesEachDistributionOnce) {
    Document d = document({{1, 2, 4}, {5, 1, 0}});
    const auto first = Derived::of(d);
    DistributionMemo memo;
    for (int i = 0; i < 20; ++i) distribution(memo, *first, Tensor::z, {Pool::Kind::token, i % 2});
    EXPECT_EQ(memo.made(), 2);
    const auto next = Derived::of(*apply(std::as_const(d), SetParam{Param::gamma, 0, 2, 2}), first);
    distribution(memo, *next, Tensor::z, {Pool::Kind::token, 0});
    EXPECT_EQ(memo.made(), 2);
    distribution(memo, *next, Tensor::y, {Pool::Kind::token, 0});
    EXPECT_EQ(memo.made(), 3);
    d = *apply(std::as_const(d), SetCells{Input::x, 0, 0, Matrix<double>::Constant(1, 1, 9)});
    const auto moved = Derived::of(d, next);
    EXPECT_NEAR(distribution(memo, *moved, Tensor::z, {Pool::Kind::token, 0}).moments.mean, 5,
                1e-6);
}

// γ and β that scale a cell, whatever shares them.
TEST(Derived, GammaOfACell) {
    Document d = document({{1, 2, 4}, {5, 1, 0}});
    d.gamma = std::vector<double>{1, 2, 3};
    EXPECT_EQ(Derived::of(d)->gamma(1, 2), 3);
    d.affine_per = AffinePer::token;
    d.gamma = std::vector<double>{4, 5};
    d.beta = std::vector<double>{6, 7};
    EXPECT_EQ(Derived::of(d)->gamma(1, 2), 5);
    EXPECT_EQ(Derived::of(d)->beta(0, 2), 6);
    d.affine_per = AffinePer::scalar;
    d.gamma = d.beta = std::vector<double>{8};
    EXPECT_EQ(Derived::of(d)->gamma(1, 2), 8);
}

} // namespace
} // namespace normscope
