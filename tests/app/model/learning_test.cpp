// The rate that learning has by itself, and a step of a dY that is typed.
#include "app/model/learning.h"
#include "app/session/examples.h"
#include "app/study/backward/backward.h"
#include "core/norm/affine.h"
#include "tests/app/model/backward_documents.h"
#include "tests/core/norm/norm_kinds.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope::testing {
namespace {

constexpr LossKind k_with_a_lowest_point[] = {LossKind::distance, LossKind::cross_entropy};

// Every example under every norm and every sharing, with γ and β that many and neutral.
std::vector<Document> every_example() {
    std::vector<Document> out;
    const auto examples = load_examples(std::string(NORMSCOPE_ASSET_DIR) + "/examples");
    EXPECT_TRUE(examples);
    for (const Example& example : *examples) {
        Document d = *open_example(example);
        if (d.token_count() > 8) d = edited(d, Resize{Axis::token, 8}); // for a quick test
        if (d.feature_count() > 12) d = edited(d, Resize{Axis::feature, 12});
        d.norm.groups = groups_of(d.feature_count());
        for (const NormKind norm : k_norm_kinds)
            for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
                out.push_back(edited(edited(d, set<&Document::norm, &Norm::kind>(norm)),
                                     set<&Document::affine_per>(per)));
                out.back().title = fmt::format("{}, {}", d.title, settings_text(out.back()));
            }
    }
    return out;
}

// How much flatter the flattest direction of γ and β is than the steepest; directions in which
// nothing changes left out. Where two x̂ are the same but for ε that is past all patience.
double flattest(const Document& d, const Matrix<double>& x_hat) {
    double least = 1e300, most = 0;
    const Index pairs = affine_size(d.affine_per, d.token_count(), d.feature_count());
    for (Index i = 0; i < pairs; ++i) {
        Matrix<double> own = x_hat;
        if (d.affine_per == AffinePer::feature) own = x_hat.col(i);
        if (d.affine_per == AffinePer::token) own = x_hat.row(i);
        const auto n = static_cast<double>(own.size());
        const double trace = own.squaredNorm() + n;
        const double low =
            n * (own.array() - own.mean()).matrix().squaredNorm() / trace; // det / trace
        most = std::max(most, trace);
        if (low > 1e-20 * trace) least = std::min(least, low);
    }
    return least / most;
}

TEST(UsualLearningRate, TakesEveryExampleDownWithoutALeap) {
    for (const Document& example : every_example())
        for (const LossKind loss : k_with_a_lowest_point)
            for (const TargetKind target : {TargetKind::z, TargetKind::normal}) {
                if (loss != LossKind::distance && target != TargetKind::z) continue;
                Document d = with(with(example, set<&BackwardSetup::target_kind>(target)),
                                  set<&BackwardSetup::loss>(loss));
                const auto before = Backward::of(d);
                if (!before->loss() || !std::isfinite(*before->loss())) continue;
                const double best = before->best() ? before->best()->loss : 0;
                const double near = best + 0.02 * (*before->loss() - best) + 1e-9;
                const bool reachable = before->best() && flattest(d, before->cache().x_hat) > 2e-3;
                for (int i = 0; i < (reachable ? 20 : 1); ++i) {
                    d = with(d, LearnSteps{100});
                    if (d.backward.landed->back() <= near) break;
                }
                const std::vector<double>& landed = *d.backward.landed;
                for (std::size_t i = 1; i < landed.size(); ++i)
                    ASSERT_LE(landed[i], landed[i - 1] * (1 + 1e-9) + 1e-12) << d.title << ' ' << i;
                if (reachable) {
                    EXPECT_LE(landed.back(), near)
                        << d.title << " from " << *before->loss() << " by " << before->lr();
                }
            }
}

TEST(UsualLearningRate, IsSeenAndIsTheOneThatAStepTakes) {
    Document d = worked_example(0);
    d.backward.loss = LossKind::distance;
    // Per token: Σ x\u0302² = 3, Σ x\u0302 = 0 and n = 3, so that the curvature is 2/3 · 3.
    const auto b = Backward::of(d);
    EXPECT_EQ(b->lr(), 0.5);
    const Document next = with(d, LearnSteps{1});
    EXPECT_NEAR((*next.gamma)[0], 1.5 - 0.5 * b->dgamma()(0), 1e-12);
    EXPECT_NEAR(next.backward.landed->back(), 0, 1e-20) << "at its lowest point at once";
    d = with(d, set<&BackwardSetup::lr>(0.25));
    EXPECT_EQ(Backward::of(d, b)->lr(), 0.25);
    EXPECT_EQ(Backward::of(with(d, set<&BackwardSetup::lr>(std::nullopt)), b)->lr(), 0.5);
    EXPECT_EQ(Backward::of(with(d, set<&BackwardSetup::loss>(LossKind::sum)), b)->usual_lr(), 0.1)
        << "no curvature";
}

TEST(Learning, AStepOfATypedDyIsLrTimesTheGradient) {
    Document d = worked_example(0);
    d = with(d, set<&BackwardSetup::lr>(0.1));
    const Document two = with(d, LearnSteps{2});
    EXPECT_NEAR((*two.gamma)[0], 1.5 - 2 * 0.1 * 0.364053, 1e-6);
    EXPECT_NEAR((*two.beta)[0], 0.5 - 2 * 0.1 * 0.2, 1e-12);
    EXPECT_TRUE(two.backward.losses->empty()) << "there is no loss";
    const Document again = with(two, RestartLearning{});
    EXPECT_EQ(again.gamma, d.gamma);
    EXPECT_EQ(again.beta, d.beta);

    Document nan = d;
    nan.backward.dy = Matrix<double>(Matrix<double>::Constant(1, 3, std::nan("")));
    const auto refused = apply(nan, LearnSteps{1});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("dγ or dβ is not a finite number"), std::string::npos);
}

// The reach of the gradients is the scale of the charts of dγ and dβ.
TEST(Learning, KeepsHowFarItsGradientsReached) {
    Document d = random_document(4, 5, 3);
    const auto b = Backward::of(d);
    EXPECT_FALSE(d.backward.dgamma_reach);
    const Document run = with(d, LearnSteps{300});
    ASSERT_TRUE(run.backward.dgamma_reach);
    EXPECT_LE(run.backward.dgamma_reach->lo, b->dgamma().minCoeff());
    EXPECT_GE(run.backward.dgamma_reach->hi, b->dgamma().maxCoeff());
    EXPECT_LE(run.backward.dbeta_reach->lo, b->dbeta().minCoeff());
    EXPECT_GE(run.backward.dbeta_reach->hi, b->dbeta().maxCoeff());
    EXPECT_LT(Backward::of(run)->dgamma().cwiseAbs().maxCoeff(),
              0.01 * b->dgamma().cwiseAbs().maxCoeff());
    EXPECT_FALSE(with(run, RestartLearning{}).backward.dgamma_reach);
    EXPECT_FALSE(
        with(run, set<&BackwardSetup::target_kind>(TargetKind::uniform)).backward.dbeta_reach);
}

} // namespace
} // namespace normscope::testing
