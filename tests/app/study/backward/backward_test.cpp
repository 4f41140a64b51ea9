#include "app/study/backward/backward.h"
#include "app/study/backward/group_memo.h"
#include "tests/app/model/backward_documents.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(Backward, AgreesWithTheWorkedExample) {
    for (const bool exact : {true, false}) {
        const auto b = Backward::of(worked_example(exact ? 0 : 1e-5));
        const double dgamma = exact ? 0.364053 : 0.364051;
        const std::array<double, 3> dz = exact ? std::array{-0.166951, -0.170926, 0.337876}
                                               : std::array{-0.166948, -0.170927, 0.337875};
        EXPECT_NEAR(b->dgamma()(0), dgamma, 5e-7);
        EXPECT_NEAR(b->dbeta()(0), 0.2, 1e-12);
        for (Index i = 0; i < 3; ++i)
            EXPECT_NEAR(b->dz()(0, i), dz[static_cast<std::size_t>(i)], 6e-7);
    }
}

TEST(Backward, ChecksAgreeForEveryNormAffineAndLoss) {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        const Index tokens = 3 + index_below(random, 4);
        const Index features = 3 + index_below(random, 6);
        const auto b = Backward::of(any_backward(random, tokens, features));
        ASSERT_FALSE(b->error());
        const GradientChecks& c = b->checks();
        EXPECT_EQ(c.dz.checked, tokens * features);
        EXPECT_LE(check_x_hat(b->z(), b->cache(), b->running()).max_relative, 1e-12);
        EXPECT_LE(c.dz.max_relative, 1e-7) << "round " << round;
        EXPECT_LE(c.dgamma.max_relative, 1e-7);
        EXPECT_LE(c.dbeta.max_relative, 1e-7);
        ASSERT_EQ(c.dy.has_value(), b->document().backward.loss != LossKind::given);
        if (c.dy) {
            EXPECT_LE(c.dy->max_relative, 1e-7);
        }
    }
}

TEST(Backward, AnXHatThatIsNotTheDefinitionsIsFound) {
    const auto b = Backward::of(worked_example(1e-5));
    NormCache<double> wrong = b->cache();
    wrong.x_hat(0, 2) += 1e-3;
    const SampledCheck check = check_x_hat(b->z(), wrong, b->running());
    EXPECT_FALSE(check.agrees(k_check_tolerance));
    EXPECT_EQ(check.worst.entry, 2);
    EXPECT_EQ(check.checked, 3);
}

// The whole way: the loss as a function of X, not of Y.
TEST(Backward, GradientOfTheLossIsThatOfXThroughEverything) {
    Random random(6);
    for (int round = 0; round < 30; ++round) {
        Document d = any_backward(random, 4, 5);
        d.backward.mode = Mode::train; // running statistics would be learned anew
        if (d.backward.loss == LossKind::given) d.backward.loss = LossKind::cross_entropy;
        if (d.backward.target_kind != TargetKind::matrix) // else the target would move with X
            d.backward.target_kind = TargetKind::matrix;
        const auto b = Backward::of(d);
        const Index token = index_below(random, 4);
        const Index feature = index_below(random, 5);
        const auto loss_at = [&](double v) {
            Matrix<double> x = *d.x;
            x(token, feature) = v;
            Document moved = d;
            moved.x = std::move(x);
            return *Backward::of(moved)->loss();
        };
        const double numeric = five_point_difference(loss_at, (*d.x)(token, feature), 1e-3);
        const double analytic = b->skip() ? b->dz()(token, feature) : 0;
        EXPECT_NEAR(analytic, numeric, 1e-6 * (1 + std::abs(numeric))) << "round " << round;
    }
}

TEST(Backward, BreakingATermTurnsTheCheck) {
    Random random(7);
    for (const NormEntry& norm : k_norms) {
        if (!norm.centres) continue;
        Document d = any_document(random, 5, 6, [](Random& r) { return r.normal(); });
        d.norm = norm.kind;
        for (const BrokenTerm term :
             {BrokenTerm::mean, BrokenTerm::projection, BrokenTerm::gamma}) {
            const auto broken =
                Backward::of(with(d, set<&BackwardSetup::broken>(term)), Backward::of(d));
            EXPECT_FALSE(broken->checks().dz.agrees(k_check_tolerance));
            EXPECT_GE(broken->checks().dz.worst.entry, 0);
            EXPECT_NEAR(broken->checks().dz.worst.analytic,
                        broken->dz().data()[broken->checks().dz.worst.entry], 0);
            EXPECT_TRUE(broken->checks().dgamma.agrees(k_check_tolerance));
            const auto mended = Backward::of(
                with(broken->document(), set<&BackwardSetup::broken>(BrokenTerm::none)), broken);
            EXPECT_TRUE(mended->checks().dz.agrees(k_check_tolerance));
        }
    }
}

TEST(Backward, SurgeryRowsLeadFromAToDz) {
    Random random(8);
    for (int round = 0; round < 40; ++round) {
        const Document d = any_backward(random, 5, 4);
        const auto b = Backward::of(d);
        for (Index group = 0; group < b->sets().count(); ++group) {
            const Surgery s = b->surgery(group);
            ASSERT_EQ(s.dz.size(), b->sets().size());
            for (Index i = 0; i < s.dz.size(); ++i)
                EXPECT_NEAR(s.projected[i] / s.s, s.dz[i], 1e-11 * (1 + std::abs(s.dz[i])));
        }
    }
}

TEST(Backward, ContributionsAddUp) {
    Random random(9);
    for (int round = 0; round < 30; ++round) {
        const auto b = Backward::of(any_backward(random, 4, 6));
        for (const Param which : {Param::gamma, Param::beta}) {
            const Vector<double>& sums = which == Param::gamma ? b->dgamma() : b->dbeta();
            for (Index i = 0; i < sums.size(); ++i) {
                const double sum = b->contributions(which, i).sum();
                EXPECT_NEAR(sum, sums(i), 1e-12 * (1 + std::abs(sum)));
            }
        }
    }
}

TEST(Backward, AGroupIsCheckedOnItsOwn) {
    Random random(15);
    for (const NormEntry& norm : k_norms) {
        if (!norm.centres) continue;
        Document d = any_document(random, 5, 6, [](Random& r) { return r.normal(); });
        d.norm = norm.kind;
        const auto right = Backward::of(d);
        const auto broken =
            Backward::of(with(d, set<&BackwardSetup::broken>(BrokenTerm::projection)), right);
        for (Index group = 0; group < right->sets().count(); ++group) {
            EXPECT_TRUE(check_dz_of_group(right->checked(), group).agrees(k_check_tolerance));
            const SampledCheck check = check_dz_of_group(broken->checked(), group);
            EXPECT_EQ(check.checked, right->sets().size());
            const Index token = check.worst.entry / 6;
            const Index feature = check.worst.entry % 6;
            EXPECT_EQ(statistic_sets(d).set_of(token, feature), group);
            EXPECT_EQ(check.worst.analytic, broken->dz()(token, feature));
            EXPECT_NEAR(check.worst.numeric, right->dz()(token, feature), 1e-9);
        }
    }
}

TEST(Backward, TellsRoundingAndAReachedTarget) {
    Document d = worked_example(1e-5);
    EXPECT_FALSE(Backward::of(d)->dz_is_rounding());
    d.backward.loss = LossKind::sum;
    const auto sum = Backward::of(d);
    EXPECT_TRUE(sum->dz_is_rounding());
    EXPECT_TRUE(sum->vanishing());
    EXPECT_FALSE(sum->target_reached());
    d.backward.loss = LossKind::distance;
    const auto far = Backward::of(d);
    EXPECT_FALSE(far->target_reached());
    EXPECT_TRUE(far->vanishing());
    d.gamma = std::vector{far->best()->affine.gamma(0)};
    d.beta = std::vector{far->best()->affine.beta(0)};
    const auto reached = Backward::of(d, far);
    EXPECT_TRUE(reached->target_reached());
    EXPECT_TRUE(reached->dz_is_rounding());
    EXPECT_FALSE(reached->vanishing());
    Matrix<double> x = *d.x;
    x(0, 0) = std::nan("");
    d.x = x;
    EXPECT_FALSE(Backward::of(d)->dz_is_rounding()) << "NaN is not 0";
}

TEST(Backward, AVanishingGradientIsToldTheWayOutThatHelps) {
    const auto advice = [](NormKind norm, AffinePer per) {
        Document d = blank_document(4, 6);
        Random random(5);
        d.x = Matrix<double>(Matrix<double>::NullaryExpr(4, 6, [&] { return random.normal(); }));
        d.norm = norm;
        d.backward.loss = LossKind::sum;
        d = edited(d, set<&Document::affine_per>(per));
        const auto reason = Backward::of(d)->vanishing();
        return reason ? reason->substr(reason->find("Try")) : std::string();
    };
    EXPECT_EQ(advice(NormKind::layer, AffinePer::feature), "Try one entry of Y, or make γ uneven.");
    EXPECT_EQ(advice(NormKind::layer, AffinePer::scalar),
              "Try one entry of Y, or an uneven γ per feature.");
    EXPECT_EQ(advice(NormKind::batch, AffinePer::feature),
              "Try one entry of Y, or an uneven γ per token.");
    EXPECT_EQ(advice(NormKind::batch, AffinePer::token), "Try one entry of Y, or make γ uneven.");
}

TEST(Backward, RmsNormIsNotSaidToTakeAShiftAway) {
    Document d = worked_example(0);
    d.norm = NormKind::rms;
    d.gamma = std::vector{1.0};
    d.beta = std::vector{0.0};
    d.backward.loss = LossKind::distance; // to Z: Y is Z scaled
    const auto reason = Backward::of(d)->vanishing();
    ASSERT_TRUE(reason);
    EXPECT_EQ(reason->find("shift"), std::string::npos) << *reason;
    EXPECT_NE(reason->find("the loss asks only for a scaling along each token, and the norm takes "
                           "it away."),
              std::string::npos)
        << *reason;
}

TEST(Backward, TheJacobianIsCheckedAndABrokenTermIsFound) {
    Random random(12);
    for (int round = 0; round < 40; ++round) {
        Document d = any_backward(random, 5, 4);
        d.backward.jacobian = round % 2 ? JacobianOf::y : JacobianOf::x_hat;
        d.backward.broken = BrokenTerm::none;
        JacobianMemo memo;
        const auto b = Backward::of(d);
        const SampledCheck whole = group_jacobian(memo, *b, 1).check;
        EXPECT_EQ(whole.checked, whole.total) << "small enough to compare every entry";
        EXPECT_TRUE(whole.agrees(1e-8)) << whole.max_relative;
        if (!b->rescales()) continue;
        d.backward.broken = BrokenTerm::projection;
        EXPECT_FALSE(group_jacobian(memo, *Backward::of(d, b), 1).check.agrees(k_check_tolerance));
    }
}

TEST(Backward, TheJacobianStaysWhereNothingItDependsOnChanged) {
    const Document d = worked_example(1e-5);
    const auto b = Backward::of(d);
    JacobianMemo memo;
    const std::uint64_t version = group_jacobian(memo, *b, 0).version;
    const auto moved = Backward::of(edited(d, SetParam{Param::gamma, 0, 0, 2}), b);
    EXPECT_EQ(group_jacobian(memo, *moved, 0).version, version) << "∂x̂/∂z does not know γ";
}

TEST(Backward, LookingLeavesTheGradientsAlone) {
    const Document d = worked_example(1e-5);
    const auto before = Backward::of(d);
    const auto after = Backward::of(with(d, set<&BackwardSetup::scale>(10)), before);
    EXPECT_EQ(&after->dz(), &before->dz());
    EXPECT_EQ(&after->dy(), &before->dy());
    EXPECT_EQ(after->dz_version(), before->dz_version());
    const auto moved =
        Backward::of(edited(d, SetCells{Input::dy, 0, 1, Matrix<double>::Ones(1, 1)}), after);
    EXPECT_EQ(&moved->z(), &before->z());
    EXPECT_NE(moved->dz_version(), before->dz_version());
}

// A chain of derivations is what deriving from nothing gives.
TEST(Backward, TheMemoChangesNothing) {
    Random random(12);
    std::shared_ptr<const Backward> chain;
    Document d = any_backward(random, 4, 11); // more features than a tiny row has
    for (int step = 0; step < 300; ++step) {
        switch (random.below(12)) {
        case 11:
            d = with(d, set<&BackwardSetup::mode>(any_of(random, {Mode::train, Mode::eval})));
            break;
        case 10:
            d = edited(d, set<&BatchSetup::updates>(static_cast<int>(random.below(50))));
            break;
        case 9:
            d = edited(d, set<&Document::affine_per>(any_of(
                              random, {AffinePer::feature, AffinePer::token, AffinePer::scalar})));
            break;
        case 0:
            d = edited(d, SetCells{any_of(random, {Input::x, Input::dy, Input::target}),
                                   index_below(random, d.token_count()),
                                   index_below(random, d.feature_count()),
                                   Matrix<double>::Constant(1, 1, random.normal())});
            break;
        case 1:
            d = edited(d, SetParam{Param::gamma, 0, 0, random.normal()});
            break;
        case 2:
            d = edited(d, set<&Document::norm, &Norm::kind>(any_norm(random)));
            break;
        case 3:
            d = with(d, set<&BackwardSetup::loss>(
                            any_of(random, {LossKind::given, LossKind::sum, LossKind::one_entry,
                                            LossKind::distance, LossKind::cross_entropy})));
            break;
        case 4:
            d = with(d, set<&BackwardSetup::target_kind>(any_of(
                            random, {TargetKind::z, TargetKind::normal, TargetKind::matrix})));
            break;
        case 5:
            d = with(d, set<&BackwardSetup::broken>(any_of(
                            random, {BrokenTerm::none, BrokenTerm::mean, BrokenTerm::gamma})));
            break;
        case 6:
            d = with(d, set<&BackwardSetup::scale>(1 + random.uniform()));
            break;
        case 7:
            d = edited(
                d, set<&Document::residual>(any_of(random, {Residual::add, Residual::no_skip})));
            break;
        default:
            d = edited(d, set<&Document::eps>(any_of(random, {1e-5, 1e-3})));
        }
        chain = Backward::of(d, chain);
        const auto fresh = Backward::of(d);
        ASSERT_TRUE(same_value(chain->dz(), fresh->dz())) << "step " << step;
        ASSERT_TRUE(same_value(chain->dy(), fresh->dy())) << "step " << step;
        ASSERT_EQ(chain->loss(), fresh->loss()) << "step " << step;
        ASSERT_EQ(chain->best().has_value(), fresh->best().has_value()) << "step " << step;
        const auto& [dz, dgamma, dbeta, dy] = chain->checks();
        ASSERT_EQ(dz.max_relative, fresh->checks().dz.max_relative) << "step " << step;
        ASSERT_EQ(dz.worst.numeric, fresh->checks().dz.worst.numeric) << "step " << step;
        ASSERT_EQ(dgamma.max_relative, fresh->checks().dgamma.max_relative) << "step " << step;
        ASSERT_EQ(dgamma.worst.numeric, fresh->checks().dgamma.worst.numeric) << "step " << step;
        ASSERT_EQ(dbeta.max_relative, fresh->checks().dbeta.max_relative) << "step " << step;
        ASSERT_EQ(dbeta.worst.numeric, fresh->checks().dbeta.worst.numeric) << "step " << step;
        ASSERT_EQ(dy.has_value(), fresh->checks().dy.has_value()) << "step " << step;
        ASSERT_EQ(chain->dz_norm(), fresh->dz_norm()) << "step " << step;
        ASSERT_EQ(chain->largest_dy(), fresh->largest_dy()) << "step " << step;
        ASSERT_EQ(chain->largest_dz(), fresh->largest_dz()) << "step " << step;
        ASSERT_EQ(chain->scale_curve().gradient(0.5), fresh->scale_curve().gradient(0.5));
    }
}

TEST(Backward, NamesWhyAGradientIsNoNumber) {
    Random random(31);
    Document d = any_document(random, 4, 3, [](Random& r) { return r.normal(); });
    d.norm = NormKind::layer;
    d.residual = Residual::add;
    d.affine_per = AffinePer::feature;
    d.gamma = d.beta = std::vector<double>(3, 1.0);
    d.backward = {};
    d.tokens = Names{"a", "b", "c", "d"};
    d.features = Names{"x", "y", "z"};
    d.eps = 1e-5;
    const auto cause = [](const Document& of) {
        const auto b = Backward::of(of);
        return b->not_a_number() ? b->not_a_number()->cause : "";
    };
    EXPECT_EQ(cause(d), "");
    const auto with = [&](Shared<Matrix<double>> Document::*which, double value) {
        Document out = d;
        Matrix<double> m = *(out.*which);
        m(2, 1) = value;
        out.*which = m;
        return out;
    };
    EXPECT_EQ(cause(with(&Document::x, std::nan(""))), "X[c, y] is NaN");
    EXPECT_EQ(cause(with(&Document::f, -INFINITY)), "F(X)[c, y] is −∞");
    Document no_skip = with(&Document::x, std::nan(""));
    no_skip.residual = Residual::no_skip;
    EXPECT_EQ(cause(no_skip), "") << "X has no part in it";

    Document affine = d;
    affine.gamma = std::vector<double>{1, 1, std::nan("")};
    EXPECT_EQ(cause(affine), "γ[z] is NaN");
    affine = d;
    affine.beta = std::vector<double>{1, INFINITY, 1};
    EXPECT_EQ(cause(affine), "") << "no gradient asks for β while dY is typed";
    affine.backward.loss = LossKind::distance;
    EXPECT_EQ(cause(affine), "β[y] is ∞");

    Document typed = d;
    Matrix<double> dy = Matrix<double>::Ones(4, 3);
    dy(0, 2) = std::nan("");
    typed.backward.dy = dy;
    EXPECT_EQ(cause(typed), "dY[a, z] is NaN");

    Document flat = d;
    flat.eps = 0;
    Matrix<double> x = *flat.x;
    x.row(1) = -flat.f->row(1);
    flat.x = x;
    EXPECT_EQ(cause(flat), "σ² + ε of token “b” is 0");

    // Each group has its own cause, and none where it is finite.
    Document several = with(&Document::x, std::nan(""));
    Matrix<double> f = *several.f;
    f(3, 0) = INFINITY;
    several.f = f;
    const auto b = Backward::of(several);
    EXPECT_FALSE(b->not_a_number_in(0));
    EXPECT_EQ(b->not_a_number_in(2)->cause, "X[c, y] is NaN");
    EXPECT_EQ(b->not_a_number_in(3)->cause, "F(X)[d, x] is ∞");
    EXPECT_EQ(Backward::of(flat)->not_a_number_in(1)->cause, "σ² + ε of token “b” is 0");
    several.norm = NormKind::batch;
    EXPECT_EQ(Backward::of(several)->not_a_number_in(0)->cause, "F(X)[d, x] is ∞");

    // σ² overflows: dz is 0 there, which is not what the formula says.
    const Document huge = with(&Document::x, 1e200);
    const auto of_huge = Backward::of(huge);
    EXPECT_EQ(cause(huge), "σ² of token “c” is too large for a number");
    EXPECT_TRUE(of_huge->dz().row(2).isZero(0));
    EXPECT_EQ(of_huge->not_a_number_in(2)->cause, cause(huge));
    EXPECT_FALSE(of_huge->not_a_number_in(1));
    Document all_huge = huge;
    all_huge.x = Matrix<double>(1e200 * *d.x);
    const auto nothing = Backward::of(all_huge);
    EXPECT_TRUE(nothing->dz().isZero(0));
    EXPECT_FALSE(nothing->dz_is_rounding());
    EXPECT_FALSE(nothing->vanishing()) << *nothing->vanishing();
    EXPECT_EQ(cause(all_huge), "σ² of token “a” is too large for a number");

    // The change comes with the number.
    const auto before = Backward::of(with(&Document::x, std::nan("")));
    EXPECT_FALSE(Backward::of(d, before)->not_a_number());
}

TEST(Backward, LargeParametersAreCheckedWithLargeSteps) {
    Random random(32);
    Document d = any_document(random, 4, 3, [](Random& r) { return r.normal(); });
    d.norm = NormKind::layer;
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector<double>{1e9, -3e10, 2e8};
    d.beta = std::vector<double>{-1e10, 2e9, 1e9};
    d.eps = 1e-5;
    d.backward = {};
    for (const LossKind loss : {LossKind::distance, LossKind::sum, LossKind::one_entry}) {
        d.backward.loss = loss;
        const auto b = Backward::of(d);
        EXPECT_TRUE(b->checks().dy->agrees(k_check_tolerance)) << b->checks().dy->max_relative;
        EXPECT_TRUE(b->checks().dgamma.agrees(k_check_tolerance));
        EXPECT_TRUE(b->checks().dbeta.agrees(k_check_tolerance));
    }
}

TEST(Backward, ASumThatIsRoundingIsALossOfZero) {
    Random random(33);
    Document d = any_document(random, 5, 3, [](Random& r) { return r.normal(); });
    d.norm = NormKind::batch;
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector<double>(3, 1.0);
    d.beta = std::vector<double>(3, 0.0);
    d.backward = {};
    d.backward.loss = LossKind::sum;
    EXPECT_EQ(Backward::of(d)->loss(), 0);
    d.beta = std::vector<double>(3, 1e-6);
    EXPECT_NEAR(*Backward::of(d)->loss(), 15e-6, 1e-12);
}

TEST(Backward, ABatchOfOneIsRefusedAndShownAsNaN) {
    Document d = worked_example(1e-5);
    d.norm = NormKind::batch;
    const auto b = Backward::of(d);
    ASSERT_TRUE(b->error());
    EXPECT_TRUE(std::isnan(b->dz()(0, 0)));
    EXPECT_FALSE(b->checks().dz.agrees(k_check_tolerance));
}

TEST(Backward, LargeDocumentsAreSampled) {
    const auto b = Backward::of(blank_document(40, 300));
    EXPECT_EQ(b->checks().dz.total, 12000);
    EXPECT_LT(b->checks().dz.checked, 300);
    EXPECT_GE(b->checks().dz.checked, 16);
}

TEST(Backward, ASampleSeesWhatTheGradientIsMostOf) {
    Random random(3);
    Document d = any_document(random, 60, 300, [](Random& r) { return r.normal(); });
    for (const NormKind norm : {NormKind::layer, NormKind::batch}) {
        d.norm = norm;
        // dY is 0 but for one entry, which no sample of so many can count on.
        const Document one =
            with(with(d, set<&BackwardSetup::loss>(LossKind::one_entry)), SetLossEntry{41, 207});
        const auto right = Backward::of(one);
        EXPECT_LT(right->checks().dz.checked, 400);
        EXPECT_TRUE(right->checks().dz.agrees(k_check_tolerance));
        for (const BrokenTerm term : {BrokenTerm::mean, BrokenTerm::projection}) {
            const auto broken = Backward::of(with(one, set<&BackwardSetup::broken>(term)), right);
            EXPECT_FALSE(broken->checks().dz.agrees(k_check_tolerance));
            EXPECT_FALSE(broken->check_scaled(1).agrees(k_check_tolerance));
        }
        // The worst of a group is the entry that is the loss, not what a sample happens to hold.
        const auto without_gamma =
            Backward::of(with(one, set<&BackwardSetup::broken>(BrokenTerm::gamma)), right);
        const Index group = norm == NormKind::batch ? 207 : 41;
        EXPECT_EQ(check_dz_of_group(without_gamma->checked(), group).largest.entry, 41 * 300 + 207);
    }
}

} // namespace
} // namespace normscope::testing
