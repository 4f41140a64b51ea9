#include "app/study/backward/backward.h"
#include "app/study/backward/group_memo.h"
#include "app/study/backward/published.h"
#include "tests/app/model/backward_documents.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

PublishedTerm term(const PublishedReading& reading, const std::string& what) {
    for (const PublishedTerm& t : reading.terms)
        if (t.what == what) return t;
    ADD_FAILURE() << "no term " << what;
    return {};
}

void expect_values(const std::vector<double>& values, std::initializer_list<double> expected) {
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected.begin()[i], 5.01e-7);
}

TEST(Published, GivesTheNumbersOfItsReading) {
    const Document d = testing::worked_example(0);
    const PublishedReading r = read_published(d, *d.backward.dy, 0, 1);
    expect_values(term(r, "dγ in place").published_values, {0.646080});
    expect_values(term(r, "dγ").corrected_values, {0.364053});
    expect_values(term(r, "dβ").published_values, {0.2});
    expect_values(term(r, "dz from it").published_values, {-0.163237, -0.156071, 0.334163});
    expect_values(term(r, "dz from it").corrected_values, {-0.166951, -0.170926, 0.337876});
    expect_values(term(r, "J off-diagonal").corrected_values, {0.499908, -0.988190});
    EXPECT_NEAR(term(r, "J diagonal").published_values[0], 0.488282, 5e-7);
    expect_values(term(r, "dX and dF(X)").published_values, {-0.166951, -0.170926, 0.337876});
    expect_values(term(r, "J = N·I − 1 − w⊗w").published_values, {-0.166951, -0.170926, 0.337876});
    EXPECT_EQ(term(r, "J off-diagonal").verdict, Verdict::wrong);
    EXPECT_EQ(term(r, "dX and dF(X)").verdict, Verdict::right) << "both inputs get dz";
    EXPECT_EQ(term(r, "J = N·I − 1 − w⊗w").verdict, Verdict::right_if) << "1 is all ones";
    EXPECT_NE(term(r, "J = N·I − 1 − w⊗w").why.find("1 is the matrix of ones"), std::string::npos);
    expect_values(term(r, "Step").published_values, {1.5 - 0.364053});
    EXPECT_EQ(term(r, "Variance").verdict, Verdict::unsafe);
    EXPECT_EQ(term(r, "Sum").verdict, Verdict::right);
    EXPECT_EQ(r.check.checked, 3);
    EXPECT_LE(r.check.max_relative, 1e-9);
    expect_values(
        {r.check.worst.analytic},
        {term(r, "dz, all of it").corrected_values[static_cast<std::size_t>(r.check.worst.entry)]});
    for (const PublishedTerm& t : r.terms)
        if (t.verdict == Verdict::right) {
            EXPECT_EQ(t.published_values, t.corrected_values) << t.what;
        }
}

TEST(Published, CorrectedIsWhatTheProgramComputes) {
    const Document d = testing::worked_example(0);
    const auto b = Backward::of(d);
    const PublishedReading r = read_published(d, b->dy(), 0, b->lr());
    for (Index i = 0; i < 3; ++i)
        EXPECT_NEAR(term(r, "dz").corrected_values[static_cast<std::size_t>(i)], b->dz()(0, i),
                    1e-14);
    EXPECT_NEAR(term(r, "dγ").corrected_values[0], b->dgamma()(0), 1e-14);
}

TEST(Published, AllCorrectedIsLayerNormsDz) {
    Document d = testing::worked_example(0);
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector{1.5, -0.5, 2.0};
    d.beta = std::vector{0.5, 0.0, 1.0};
    d.eps = 0.1;
    const auto b = Backward::of(d);
    const PublishedTerm t = term(read_published(d, b->dy(), 0, b->lr()), "dz, all of it");
    for (Index i = 0; i < 3; ++i)
        EXPECT_NEAR(t.corrected_values[static_cast<std::size_t>(i)], b->dz()(0, i), 1e-14);
}

TEST(Published, OnePassVarianceCancels) {
    Document d = testing::worked_example(0);
    d = *apply(d, ShiftInput{1e4});
    const PublishedTerm t = term(read_published(d, *d.backward.dy, 0, 1), "Variance");
    EXPECT_GT(std::abs(t.published_values[0] - t.corrected_values[0]), 0.1);
}

TEST(Published, AnyTokenOfAnyWidthIsRead) {
    const Document d = blank_document(2, 1);
    EXPECT_FALSE(read_published(d, seed_pattern(2, 1), 1, 1).terms.empty());
}

TEST(Published, WithoutTheSkipTheSumIsWhatTheTextSays) {
    Document d = testing::worked_example(0);
    d.residual = Residual::no_skip;
    const PublishedReading r = read_published(d, seed_pattern(1, 3), 0, 1);
    const PublishedTerm sum = term(r, "Sum");
    for (std::size_t j = 0; j < 3; ++j) {
        const auto at = static_cast<Index>(j);
        EXPECT_EQ(sum.published_values[j], (*d.x)(0, at) + (*d.f)(0, at));
        EXPECT_EQ(sum.corrected_values[j], (*d.f)(0, at));
    }
}

TEST(Conventions, AgreeOnTheFormulasAndNotOnTheNumbers) {
    const std::vector<double> z{1, 0, 0, 0};
    EXPECT_NEAR(normalize_by(k_conventions[0], z, 0).values[0], 1.732, 5e-4);
    EXPECT_NEAR(normalize_by(k_conventions[1], z, 0).values[0], 1.5, 1e-15);
    EXPECT_NEAR(normalize_by(k_conventions[2], z, 0.5).divisor, std::sqrt(0.1875) + 0.5, 1e-15);
    EXPECT_TRUE(std::isnan(normalize_by(k_conventions[1], std::vector{1.0}, 0).divisor));
}

TEST(Vanishing, NamesItsReason) {
    Document d = testing::worked_example(0);
    EXPECT_FALSE(vanishing_reason(*Backward::of(d)));
    d.backward.loss = LossKind::sum;
    const auto shift = vanishing_reason(*Backward::of(d));
    ASSERT_TRUE(shift);
    EXPECT_NE(shift->find("shift"), std::string::npos);
    EXPECT_TRUE(shift->starts_with("dX is 0")) << *shift;
    d.residual = Residual::no_skip; // dX is 0 anyway
    EXPECT_TRUE(vanishing_reason(*Backward::of(d))->starts_with("dF(X) is 0"));
    d.residual = Residual::add;
    d.norm = NormKind::rms;
    EXPECT_FALSE(vanishing_reason(*Backward::of(d)));
    d.norm = NormKind::layer;
    d.gamma = std::vector{0.0};
    EXPECT_TRUE(vanishing_reason(*Backward::of(d)));

    Document two = blank_document(2, 2);
    Matrix<double> x(2, 2);
    x << 1, 3, -1, 5;
    two.x = x;
    const auto pair = vanishing_reason(*Backward::of(two));
    ASSERT_TRUE(pair);
    EXPECT_NE(pair->find("Two values"), std::string::npos);
}

TEST(JacobianMemo, NamesTheNullDirections) {
    Document d = testing::worked_example(0);
    JacobianMemo memo;
    const auto b = Backward::of(d);
    const GroupJacobian& j = group_jacobian(memo, *b, 0);
    ASSERT_EQ(j.values.rows(), 3);
    EXPECT_NEAR(j.shift, 0, 1e-15);
    EXPECT_NEAR(j.scale, 0, 1e-15);
    Document with_eps = d;
    with_eps.eps = 0.5; // J·x̂ = x̂·(ε/s²)/s, (3.2)
    const auto traced = Backward::of(with_eps);
    JacobianMemo other;
    const Surgery s = traced->surgery(0);
    EXPECT_NEAR(group_jacobian(other, *traced, 0).scale, 0.5 / std::pow(s.s, 3) * s.x_hat.norm(),
                1e-12);
    const std::uint64_t version = j.version;
    EXPECT_EQ(group_jacobian(memo, *b, 0).version, version);
    d.norm = NormKind::rms;
    const auto rms = Backward::of(d, b);
    EXPECT_GT(group_jacobian(memo, *rms, 0).shift, 0.01);
    EXPECT_NE(group_jacobian(memo, *rms, 0).version, version);
}

TEST(Published, SaysItsLearningRateItsRowAndEveryFeaturesGamma) {
    Document d = blank_document(2, 3);
    d.gamma = std::vector{1.0, 2.0, 4.0};
    const PublishedReading reading = read_published(d, seed_pattern(2, 3), 0, 0.25);
    const auto term = [&](std::string_view what) {
        return *std::ranges::find(reading.terms, what, &PublishedTerm::what);
    };
    EXPECT_NE(term("Step").published.find("lr = 0.25"), std::string::npos);
    EXPECT_NE(term("J off-diagonal").why.find("row i = " + d.features->front()), std::string::npos);
    EXPECT_EQ(term("γ, β").corrected_values, *d.gamma);
}

} // namespace
} // namespace normscope
