#include "app/session/session_file.h"
#include "app/study/backward/backward.h"
#include "tests/app/model/backward_documents.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(BackwardEdit, DyFollowsTheShape) {
    Document d = blank_document(3, 4);
    d = edited(d, SetCells{Input::dy, 1, 2, Matrix<double>::Constant(1, 1, 42)});
    d = with(d, SetLossEntry{1, 2});
    d = edited(d, Insert{Axis::token, 0});
    EXPECT_EQ((*d.backward.dy)(2, 2), 42);
    EXPECT_EQ((*d.backward.dy)(0, 0), 0);
    EXPECT_EQ(d.backward.entry_token, 2);
    d = edited(d, Move{Axis::feature, 2, 0});
    EXPECT_EQ((*d.backward.dy)(2, 0), 42);
    EXPECT_EQ(d.backward.entry_feature, 0);
    d = edited(d, Duplicate{Axis::token, 2});
    EXPECT_EQ((*d.backward.dy)(3, 0), 42);
    d = edited(d, Remove{Axis::token, 2});
    EXPECT_EQ((*d.backward.dy)(2, 0), 42);
    EXPECT_TRUE(check(d));
    for (Index n = d.token_count(); n > 1; --n) d = edited(d, Remove{Axis::token, n - 1});
    EXPECT_EQ(d.backward.entry_token, 0);
    EXPECT_TRUE(check(d));
}

TEST(BackwardEdit, UntypedDyIsAPatternThatTypingKeeps) {
    const Document d = blank_document(3, 4);
    const Matrix<double> pattern = seed_pattern(3, 4);
    EXPECT_TRUE(same_value(Backward::of(d)->dy(), pattern));
    const Document typed = edited(d, SetCells{Input::dy, 0, 0, Matrix<double>::Constant(1, 1, 9)});
    EXPECT_EQ((*typed.backward.dy)(0, 0), 9);
    EXPECT_EQ((*typed.backward.dy)(2, 3), pattern(2, 3));
}

TEST(BackwardEdit, AnotherShapeStartsAnew) {
    Document d = blank_document(3, 4);
    d = edited(d, SetCells{Input::dy, 1, 2, Matrix<double>::Constant(1, 1, 42)});
    d = with(d, SetLossEntry{2, 3});
    d = edited(d, SetInput{Input::x, Matrix<double>::Ones(2, 2), {}, {}, "a.csv"});
    EXPECT_TRUE(check(d));
    EXPECT_EQ(Backward::of(d)->dy().rows(), 2);
    EXPECT_FALSE(apply(d, SetInput{Input::dy, Matrix<double>::Ones(3, 2), {}, {}, "b.csv"}));
}

TEST(BackwardEdit, RefusesWhatCannotBe) {
    const Document d = blank_document(3, 4);
    for (const Edit& change : std::initializer_list<Edit>{
             SetLossEntry{3, 0}, SetLossEntry{0, -1}, set<&BackwardSetup::entry_token>(3),
             set<&BackwardSetup::lr>(0), set<&BackwardSetup::lr>(std::nan("")),
             set<&BackwardSetup::scale>(-1), set<&BackwardSetup::target_std>(-1),
             set<&BackwardSetup::target_mean>(std::nan(""))}) {
        const auto next = apply(d, change);
        EXPECT_FALSE(next);
        if (!next) {
            EXPECT_FALSE(next.error().message.empty());
        }
    }
}

TEST(BackwardEdit, SessionsKeepTheSetup) {
    Random random(3);
    Document d = random_document(2, 3, 4);
    EXPECT_EQ(write_session(blank_document(2, 2)).find("backward"), std::string::npos);
    d = edited(d, SetCells{Input::dy, 1, 2, Matrix<double>::Constant(1, 1, std::nan(""))});
    d = edited(d, SetCells{Input::target, 0, 0, Matrix<double>::Constant(1, 1, 0.1)});
    d = with(d, set<&BackwardSetup::target_kind>(TargetKind::uniform));
    d = with(d, set<&BackwardSetup::target_std>(1.0 / 3));
    d = with(d, SetLossEntry{2, 3});
    d = with(d, set<&BackwardSetup::head_seed>(77));
    d = with(d, set<&BackwardSetup::lr>(0.3));
    d = with(d, LearnSteps{4});
    d = with(d, set<&BackwardSetup::broken>(BrokenTerm::projection));
    d = with(d, set<&BackwardSetup::jacobian>(JacobianOf::y));
    d = with(d, set<&BackwardSetup::scale>(12.5));
    d.backward.mode = Mode::eval;
    const auto read = read_session(write_session(d), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, d);
}

TEST(BackwardEdit, MalformedSetupsAreRefusedWithTheirPlace) {
    const auto error = [](const std::string& rest) {
        const auto d = read_session(
            R"({"format": "normscope", "version": 1, "x": [[1, 2], [3, 4]], )" + rest + "}", "f");
        EXPECT_FALSE(d) << rest;
        return d ? std::string() : d.error().message;
    };
    EXPECT_NE(error(R"("dy": [[1, 2]])").find("dY is 1×2"), std::string::npos);
    EXPECT_NE(error(R"("backward": {"mode": "test"})").find("/backward/mode"), std::string::npos);
    EXPECT_NE(error(R"("backward": {"loss": "none"})").find("/backward/loss"), std::string::npos);
    EXPECT_NE(error(R"("backward": {"entry_token": 2})").find("2×2"), std::string::npos);
    EXPECT_NE(error(R"("backward": {"lr": -1})").find("Learning rate"), std::string::npos);
    EXPECT_NE(error(R"("backward": {"losses": 3})").find("/backward/losses"), std::string::npos);
    EXPECT_NE(error(R"("backward": {"losses": [2, 1], "landed": [1]})").find("2 losses before"),
              std::string::npos);
    EXPECT_NE(error(R"("backward": {"what": 3})").find("what"), std::string::npos);
    EXPECT_NE(error(R"("backward": 3)").find("/backward"), std::string::npos);
}

// With γ, β per feature, layer norm stops at the least-squares optimum; per token, and under batch
// norm, it goes on to 0.
TEST(Learning, StopsWhereLeastSquaresSays) {
    Document d = random_document(4, 5, 3);
    d.backward.lr = 1;
    const double optimum = Backward::of(d)->best()->loss;
    EXPECT_GT(optimum, 1e-3);
    d = with(d, LearnSteps{2000});
    EXPECT_NEAR(*Backward::of(d)->loss(), optimum, 1e-10);
    EXPECT_EQ(d.backward.losses->size(), 2000u);
    EXPECT_GT(d.backward.losses->front(), d.backward.losses->back());

    d.norm = NormKind::batch;
    d = with(d, RestartLearning{});
    EXPECT_TRUE(d.backward.losses->empty());
    d = with(d, LearnSteps{2000});
    EXPECT_NEAR(*Backward::of(d)->loss(), 0, 1e-12);

    d.norm = NormKind::layer;
    d = edited(d, set<&Document::affine_per>(AffinePer::token));
    d = with(d, LearnSteps{4000});
    EXPECT_NEAR(*Backward::of(d)->loss(), 0, 1e-9);
}

TEST(Learning, OneStepIsLrTimesTheGradient) {
    Document d = random_document(5, 4, 3);
    d.backward.lr = 0.25;
    const auto b = Backward::of(d);
    const Document next = with(d, LearnSteps{1});
    for (Index i = 0; i < 3; ++i) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_NEAR((*next.gamma)[at], (*d.gamma)[at] - 0.25 * b->dgamma()(i), 1e-15);
        EXPECT_NEAR((*next.beta)[at], (*d.beta)[at] - 0.25 * b->dbeta()(i), 1e-15);
    }
    EXPECT_EQ(next.backward.losses->front(), *b->loss());
}

TEST(Learning, KeepsWhereEachStepLandedApartFromWhatIsDoneByHand) {
    Document d = random_document(8, 4, 3);
    d.backward.lr = 0.25;
    const Document two = with(with(d, LearnSteps{1}), LearnSteps{1});
    const BackwardSetup at_once = with(d, LearnSteps{2}).backward;
    EXPECT_EQ(two.backward.losses, at_once.losses);
    EXPECT_EQ(two.backward.landed, at_once.landed);
    EXPECT_EQ(two.backward.landed->front(), two.backward.losses->back());
    EXPECT_EQ(two.backward.landed->back(), *Backward::of(two)->loss());

    const Document by_hand = edited(two, SetParam{Param::gamma, 0, 0, 7});
    ASSERT_GT(*Backward::of(by_hand)->loss(), two.backward.landed->back());
    const Document on = with(by_hand, LearnSteps{1});
    EXPECT_EQ((*on.backward.landed)[1], two.backward.landed->back());
    EXPECT_EQ(on.backward.losses->back(), *Backward::of(by_hand)->loss());

    // An older session did not keep it.
    Document old = two;
    old.backward.landed = std::vector<double>();
    EXPECT_EQ(with(old, LearnSteps{1}).backward.landed, with(two, LearnSteps{1}).backward.landed);
}

TEST(Learning, RestartsWhereTheRunBegan) {
    Document d = random_document(7, 4, 3);
    d.set_aside = {};
    d.gamma = std::vector<double>{1.5, -2, 0.5};
    d.beta = std::vector<double>{0.25, 0, -1};
    const Document run = with(with(d, LearnSteps{2}), LearnSteps{3});
    ASSERT_NE(run.gamma, d.gamma);
    const auto opened = read_session(write_session(run), "f");
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(*opened, run) << "a session keeps where it began";
    const Document again = with(*opened, RestartLearning{});
    EXPECT_EQ(again.gamma, d.gamma);
    EXPECT_EQ(again.beta, d.beta);
    EXPECT_TRUE(again.backward.losses->empty());
    EXPECT_EQ(again.backward, d.backward);

    // Faders reach no farther than at the start, however far a run went.
    Document far = d;
    far.gamma_range = {-2.5, 2.5};
    far.backward.lr = 1000;
    const Document away = with(far, LearnSteps{3});
    ASSERT_GT(away.gamma_range.hi - away.gamma_range.lo, 100);
    const auto reopened = read_session(write_session(away), "f");
    ASSERT_TRUE(reopened) << reopened.error().message;
    EXPECT_EQ(with(*reopened, RestartLearning{}).gamma_range, far.gamma_range);
    EXPECT_EQ(with(*reopened, RestartLearning{}).beta_range, far.beta_range);

    // Another loss is another run, and so is another norm.
    for (const Edit& change : {Edit(set<&BackwardSetup::target_kind>(TargetKind::uniform)),
                               Edit(set<&Document::norm, &Norm::kind>(NormKind::rms)),
                               Edit(set<&Document::residual>(Residual::no_skip))}) {
        const Document other = edited(run, change);
        EXPECT_TRUE(other.backward.losses->empty());
        EXPECT_EQ(with(with(other, LearnSteps{1}), RestartLearning{}).gamma, run.gamma);
    }

    // Until its first step, or until γ is set by hand, Restart leads from another target to where
    // the run before began.
    const Document retargeted = with(run, set<&BackwardSetup::target_kind>(TargetKind::uniform));
    EXPECT_EQ(with(retargeted, RestartLearning{}).gamma, d.gamma);
    const Document by_hand = edited(retargeted, SetParam{Param::gamma, 0, 0, 7});
    EXPECT_TRUE(by_hand.backward.start_gamma->empty());

    // Values that are shared otherwise are another run too, even where they are as many.
    Document square = random_document(7, 3, 3);
    square.gamma = std::vector<double>{1.5, -2, 0.5};
    square = edited(with(square, LearnSteps{1}), set<&Document::affine_per>(AffinePer::token));
    square = with(with(square, LearnSteps{1}), RestartLearning{});
    EXPECT_EQ(*square.gamma, std::vector<double>(3, 1.0));

    // A start that an older session does not say is a fresh layer's.
    Document old = run;
    old.backward.start_gamma = old.backward.start_beta = std::vector<double>();
    EXPECT_EQ(*with(old, RestartLearning{}).gamma, std::vector<double>(3, 1.0));
    EXPECT_EQ(*with(with(old, LearnSteps{1}), RestartLearning{}).gamma,
              std::vector<double>(3, 1.0));
    Document wrong = run;
    wrong.backward.start_beta = std::vector<double>(2, 0.0);
    EXPECT_FALSE(read_session(write_session(wrong), "f"));
}

TEST(Learning, DivergenceIsRefusedNotShown) {
    Document d = random_document(6, 4, 3);
    d.backward.lr = k_most_learning_rate;
    EXPECT_FALSE(apply(d, LearnSteps{1000}));
}

TEST(Learning, MatchingADistributionGivesYThatDistribution) {
    Document d = random_document(7, 6, 8);
    d.backward.target_kind = TargetKind::normal;
    d.backward.target_mean = 2;
    d.backward.target_std = 0.5;
    const Matrix<double> target = Backward::of(d)->target();
    EXPECT_NEAR(target.mean(), 2, 1e-9);
    // Larger x̂, larger target.
    const auto b = Backward::of(d);
    for (Index i = 0; i < target.size(); ++i)
        for (Index j = 0; j < target.size(); ++j)
            if (b->cache().x_hat.data()[i] < b->cache().x_hat.data()[j]) {
                EXPECT_LT(target.data()[i], target.data()[j]);
            }
}

// Per feature, γ and β undo what a feature's constants did.
TEST(Learning, GoesByConstantStatisticsInEvaluation) {
    Document d = random_document(9, 5, 3);
    d.norm = NormKind::batch;
    d = with(d, set<&BackwardSetup::mode>(Mode::eval));
    d.backward.loss = LossKind::distance;
    d.backward.lr = 0.5;
    const auto before = Backward::of(d);
    const Document stepped = with(d, LearnSteps{1});
    for (Index f = 0; f < 3; ++f) {
        const auto i = static_cast<std::size_t>(f);
        EXPECT_NEAR((*stepped.gamma)[i], (*d.gamma)[i] - 0.5 * before->dgamma()(f), 1e-12);
        EXPECT_NEAR((*stepped.beta)[i], (*d.beta)[i] - 0.5 * before->dbeta()(f), 1e-12);
    }
    EXPECT_NEAR(stepped.backward.losses->front(), *before->loss(), 1e-12);
    EXPECT_LT(*Backward::of(with(d, LearnSteps{4000}))->loss(), 1e-9);
    EXPECT_TRUE(with(stepped, set<&BackwardSetup::mode>(Mode::train)).backward.losses->empty())
        << "that was another run";
}

} // namespace
} // namespace normscope::testing
