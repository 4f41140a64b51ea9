#include "app/model/batch_training.h"
#include "app/study/backward/backward.h"
#include "app/study/backward/group_memo.h"
#include "tests/app/model/backward_documents.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// dz = γ⊙dY·rstd with the statistics that Batch vs Layer evaluates by.
TEST(BackwardEvaluation, InEvaluationTheStatisticsAreConstants) {
    Random random(41);
    Document d = any_backward(random, 6, 4);
    d.norm = NormKind::batch;
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector{0.5, -1.0, 2.0, 3.0};
    d.beta = std::vector{0.0, 1.0, 2.0, 3.0};
    d.backward.loss = LossKind::given;
    d.backward.mode = Mode::train;
    d.eps = 1e-5;
    d.batch.batch = 4; // evaluated on all six
    const auto train = Backward::of(d);
    EXPECT_FALSE(train->running());
    const Document eval_document = with(d, set<&BackwardSetup::mode>(Mode::eval));
    const auto eval = Backward::of(eval_document, train);
    ASSERT_TRUE(eval->running());
    const TrainAndEval shown = train_and_eval(d, train->z());
    EXPECT_EQ(eval->running()->mean, shown.running.mean);
    EXPECT_EQ(eval->running()->var, shown.running.var);
    EXPECT_TRUE(eval->cache().x_hat.topRows(4).isApprox(shown.eval, 1e-12));
    for (Index t = 0; t < 6; ++t)
        for (Index f = 0; f < 4; ++f) {
            const double s = std::sqrt(shown.running.var(f) + d.eps);
            EXPECT_NEAR(eval->dz()(t, f), eval->gamma(t, f) * eval->dy()(t, f) / s, 1e-12);
        }
    EXPECT_LE(eval->checks().dz.max_relative, 1e-9);
    EXPECT_EQ(eval->checks().dz.checked, 24);
    const Surgery s = eval->surgery(2);
    EXPECT_FALSE(s.has_mean || s.has_projection);
    EXPECT_EQ(s.a, s.projected);
    EXPECT_GT((eval->dz() - train->dz()).norm(), 0.1 * train->dz().norm());
    JacobianMemo memo;
    const GroupJacobian& j = group_jacobian(memo, *eval, 1);
    EXPECT_TRUE(j.values.isDiagonal());
    EXPECT_LE(j.check.max_relative, 1e-9);
    EXPECT_FALSE(vanishing_reason(
        *Backward::of(with(eval_document, set<&BackwardSetup::loss>(LossKind::sum)))));
    // Another norm has no running statistics to go by.
    EXPECT_FALSE(
        Backward::of(edited(eval_document, set<&Document::norm, &Norm::kind>(NormKind::layer)))
            ->running());
}

TEST(BackwardEvaluation, ABatchOfOneCanBeEvaluated) {
    Document d = worked_example(1e-5);
    d.norm = NormKind::batch;
    d.affine_per = AffinePer::feature;
    d.gamma = d.beta = std::vector(3, 1.0);
    const auto b = Backward::of(with(d, set<&BackwardSetup::mode>(Mode::eval)));
    EXPECT_FALSE(b->error());
    EXPECT_EQ(b->running()->var, Vector<double>::Ones(3)) << "nothing was learned";
    EXPECT_TRUE(b->checks().dz.agrees(k_check_tolerance));
}

TEST(BackwardEvaluation, ANaNBatchIsNamedInEvaluation) {
    Document d = blank_document(3, 2);
    d.x = Matrix<double>{{1, 2}, {3, 5}, {4, 4}};
    d.norm = NormKind::batch;
    d.backward.mode = Mode::eval;
    d.batch.nan_update = 3;
    const auto b = Backward::of(d);
    ASSERT_TRUE(b->not_a_number());
    EXPECT_EQ(b->not_a_number()->cause, "σ² of feature “d0”, a running one, is NaN");
    EXPECT_NE(b->not_a_number()->way_out.find("2 Batch vs Layer"), std::string::npos);
}

} // namespace
} // namespace normscope::testing
