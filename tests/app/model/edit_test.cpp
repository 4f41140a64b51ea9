#include "app/model/document.h"
#include "app/study/add_norm/derived.h"
#include "tests/app/model/edited.h"
#include "tests/app/model/random_edit.h"
#include "tests/core/norm/norm_kinds.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::refusal;

Document odd() {
    Document d = blank_document(3, 7);
    Matrix<double> x(3, 7);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i * i % 11) - 4;
    d.x = x;
    d.f = Matrix<double>(x.rowwise().reverse() * 0.5);
    d.tokens = Names{"I", "am", "norm"};
    return d;
}

Document after(const Document& d, const Edit& edit) {
    auto next = apply(d, edit);
    if (!next) throw std::runtime_error(next.error().message);
    EXPECT_TRUE(check(*next));
    return *next;
}

TEST(Edit, SetCellsChangesTheBlockAndNothingElse) {
    const Document before = odd();
    Matrix<double> block(2, 3);
    block << 91, 92, 93, 94, 95, 96;
    const Document d = after(before, SetCells{Input::f, 1, 4, block});
    EXPECT_EQ(d.f->block(1, 4, 2, 3), block);
    EXPECT_EQ(d.f->topRows(1), before.f->topRows(1));
    EXPECT_EQ(d.f->leftCols(4), before.f->leftCols(4));
    EXPECT_TRUE(d.x.is(before.x));
    EXPECT_TRUE(d.gamma.is(before.gamma));
}

TEST(Edit, BlocksOverTheEdgeAreRefusedWithBothShapes) {
    const std::string message =
        refusal(odd(), SetCells{Input::x, 2, 6, Matrix<double>::Ones(2, 2)});
    EXPECT_NE(message.find("2×2"), std::string::npos) << message;
    EXPECT_NE(message.find("3×7"), std::string::npos) << message;
    EXPECT_NE(message.find("token “norm”, feature “d6”"), std::string::npos) << message;
    refusal(odd(), SetCells{Input::x, -1, 0, Matrix<double>::Ones(1, 1)});
    refusal(odd(), SetCells{Input::x, 0, 0, Matrix<double>()});
    refusal(odd(), FillCells{Input::x, 0, 0, 4, 1, 0});
    refusal(odd(), FillCells{Input::x, 0, 0, -1, 1, 0});
    refusal(odd(), FillCells{Input::x, 1, 0, std::numeric_limits<Index>::max(), 1, 0});
    refusal(odd(), FillCells{Input::x, 0, 0, Index{1} << 40, Index{1} << 40, 0});
}

TEST(Edit, GammaFromFirstToLast) {
    const Document d = after(odd(), SetParam{Param::gamma, 2, 4, 1.5});
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, 1.5, 1.5, 1.5, 1, 1}));
    refusal(odd(), SetParam{Param::gamma, 0, 7, 1});
    refusal(odd(), SetParam{Param::beta, -1, 0, 1});
    refusal(odd(), SetParam{Param::beta, 3, 2, 1});
}

TEST(Edit, RangesGrowWhenTypedPast) {
    const Document d = after(odd(), SetParam{Param::gamma, 0, 0, 7.2});
    EXPECT_EQ(d.gamma_range.hi, 7.5);
    EXPECT_EQ(d.gamma_range.lo, k_gamma_range.lo);
    EXPECT_EQ(after(odd(), SetParam{Param::beta, 0, 0, -30}).beta_range.lo, -30);
    EXPECT_EQ(after(odd(), SetParam{Param::beta, 0, 0, -30.3}).beta_range.lo, -30.5);
    EXPECT_EQ(after(odd(), SetParam{Param::beta, 0, 0, 1e308}).beta_range.hi, 1e308);
    // A set range still reaches every value there is.
    EXPECT_EQ(after(d, SetParamRange{Param::gamma, {0, 1}}).gamma_range, (FaderRange{0, 7.5}));
    refusal(odd(), SetParamRange{Param::gamma, {1, 1}});
    refusal(odd(), SetParamRange{Param::gamma, {2, 1}});
    refusal(odd(), SetParamRange{Param::gamma, {0, std::numeric_limits<double>::infinity()}});
}

TEST(Edit, EpsIsZeroOrMore) {
    EXPECT_EQ(after(odd(), set<&Document::eps>(0)).eps, 0);
    refusal(odd(), set<&Document::eps>(-1e-9));
    refusal(odd(), set<&Document::eps>(std::numeric_limits<double>::quiet_NaN()));
    refusal(odd(), set<&Document::eps>(std::numeric_limits<double>::infinity()));
}

TEST(Edit, InsertRemoveDuplicateAndMoveTakeNamesValuesAndGammaAlong) {
    Document d = after(odd(), SetParam{Param::gamma, 1, 1, 1.25});
    d = after(d, Insert{Axis::feature, 1});
    EXPECT_EQ(*d.features, (Names{"d0", "d7", "d1", "d2", "d3", "d4", "d5", "d6"}));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, 1.25, 1, 1, 1, 1, 1}));
    EXPECT_EQ(d.x->col(1), Matrix<double>::Zero(3, 1));
    EXPECT_EQ(d.x->col(2), odd().x->col(1));
    d = after(d, Move{Axis::feature, 2, 7});
    EXPECT_EQ(d.features->back(), "d1");
    EXPECT_EQ(d.gamma->back(), 1.25);
    EXPECT_EQ(d.f->col(7), odd().f->col(1));
    d = after(d, Move{Axis::feature, 7, 0});
    EXPECT_EQ(d.features->front(), "d1");
    d = after(d, Duplicate{Axis::token, 0});
    EXPECT_EQ(*d.tokens, (Names{"I", "I", "am", "norm"}));
    EXPECT_EQ(d.x->row(0), d.x->row(1));
    d = after(d, Remove{Axis::token, 3});
    EXPECT_EQ(*d.tokens, (Names{"I", "I", "am"}));
    d = after(after(d, Duplicate{Axis::feature, 0}), Duplicate{Axis::feature, 0});
    EXPECT_EQ((Names{d.features->begin(), d.features->begin() + 4}),
              (Names{"d1", "d1''", "d1'", "d0"}));
    EXPECT_EQ(d.x->col(0), d.x->col(1));
}

TEST(Edit, AShapeIsGrownWithZerosAndCutAtTheEnd) {
    const Document set = after(odd(), SetParam{Param::gamma, 6, 6, 1.25});
    Document d = after(after(set, Rename{Axis::feature, 0, "d8"}), Resize{Axis::feature, 9});
    EXPECT_EQ(*d.features, (Names{"d8", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d9"}));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, 1, 1, 1, 1, 1.25, 1, 1}));
    EXPECT_EQ(d.x->leftCols(7), *odd().x);
    EXPECT_EQ(d.x->rightCols(2), Matrix<double>::Zero(3, 2));
    d = after(after(d, Rename{Axis::feature, 0, "d0"}), Resize{Axis::feature, 7});
    EXPECT_EQ(*d.features, *set.features);
    EXPECT_EQ(*d.gamma, *set.gamma);
    EXPECT_EQ(*d.x, *set.x);
    d.backward.losses = std::vector<double>{2, 1};
    EXPECT_EQ(after(d, Resize{Axis::token, 3}), d) << "as many as there are: a run goes on";
    d = after(d, Resize{Axis::token, 1});
    EXPECT_EQ(*d.tokens, (Names{"I"}));
    EXPECT_EQ(*d.f, odd().f->topRows(1));
}

TEST(Edit, GammaComesBackWithTheSharingItWasSetUnder) {
    const Document own =
        after(after(odd(), SetParam{Param::gamma, 2, 4, 1.5}), SetParam{Param::beta, 0, 0, -3});
    EXPECT_TRUE(begins_anew(own, AffinePer::scalar, Param::gamma));
    EXPECT_TRUE(begins_anew(own, AffinePer::scalar, Param::beta));
    const Document even = after(odd(), SetParam{Param::gamma, 0, 6, 2});
    EXPECT_FALSE(begins_anew(even, AffinePer::token, Param::gamma)) << "one value for all";
    Document d = after(own, set<&Document::affine_per>(AffinePer::scalar));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1}));
    EXPECT_EQ(*d.beta, (std::vector<double>{0}));
    EXPECT_FALSE(begins_anew(d, AffinePer::feature, Param::gamma));
    EXPECT_EQ(after(d, set<&Document::affine_per>(AffinePer::feature)), own)
        << "as if nothing had been";

    d = after(d, SetParam{Param::gamma, 0, 0, 9});
    d = after(d, set<&Document::affine_per>(AffinePer::token)); // one value means the same for all
    EXPECT_EQ(*d.gamma, (std::vector<double>{9, 9, 9}));
    d = after(d, SetParam{Param::gamma, 1, 1, 8});
    // Values that are set aside go where their features go.
    d = after(after(d, Move{Axis::feature, 2, 0}), Remove{Axis::feature, 6});
    EXPECT_EQ(*after(d, set<&Document::affine_per>(AffinePer::scalar)).gamma,
              (std::vector<double>{9}));
    d = after(d, set<&Document::affine_per>(AffinePer::feature));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1.5, 1, 1, 1.5, 1.5, 1}));
    EXPECT_EQ(*d.beta, (std::vector<double>{0, -3, 0, 0, 0, 0}));

    // After a change of shape only the values that still fit are kept.
    d = after(d, SetInput{Input::x, Matrix<double>::Ones(2, 6), {}, {}, "a.csv"});
    EXPECT_EQ(*after(d, set<&Document::affine_per>(AffinePer::scalar)).gamma,
              (std::vector<double>{9}));
    EXPECT_EQ(*after(d, set<&Document::affine_per>(AffinePer::token)).gamma,
              (std::vector<double>{1, 1}));
}

TEST(Edit, AValueThatComesBackIsWithinTheFaders) {
    Document d = after(odd(), SetParam{Param::gamma, 2, 2, 20});
    d = after(after(d, set<&Document::affine_per>(AffinePer::scalar)),
              SetParamRange{Param::gamma, {0, 2}});
    EXPECT_GE(after(d, set<&Document::affine_per>(AffinePer::feature)).gamma_range.hi, 20);
}

TEST(Edit, AStrokeOverManyFadersIsNamedAsAWhole) {
    const Document start = odd();
    Document d = start;
    std::string label;
    for (const Index i : {2, 3, 4}) {
        const SetParam edit{Param::gamma, i, i, 1.5 + 0.1 * static_cast<double>(i)};
        const Document next = after(d, edit);
        label = error_text(label_of_gesture(edit, start, d, next));
        if (i == 2) {
            EXPECT_EQ(label, "γ[2] → 1.70");
        }
        d = next;
    }
    EXPECT_EQ(label, "γ[2–4] with the brush");
    const SetParam all{Param::gamma, 0, 6, 2};
    EXPECT_EQ(error_text(label_of_gesture(all, start, d, after(d, all))), "γ[0–6] → 2.00");
    const ResetParams reset;
    EXPECT_EQ(error_text(label_of_gesture(reset, start, d, after(d, reset))), "Reset γ = 1, β = 0");
}

TEST(Edit, AResetTakesFadersBackThatReachOutOfHand) {
    Document d = after(odd(), SetParam{Param::gamma, 0, 1, 2e7}); // as learning that runs away
    d = after(d, SetParamRange{Param::beta, {-10, 10}});
    ASSERT_GE(d.gamma_range.hi, 2e7);
    d = after(d, ResetParams{});
    EXPECT_EQ(d.gamma_range, k_gamma_range);
    EXPECT_EQ(d.beta_range, (FaderRange{-10, 10})) << "a hand chose it";
}

TEST(Edit, AResetTakesARangeBackThatHasOnlyGrown) {
    const Document start = odd();
    Document d = after(start, SetParam{Param::gamma, 0, 0, 50});
    d = after(d, SetParam{Param::gamma, 1, 1, 7.2});
    d = after(d, SetParam{Param::beta, 0, 0, -30});
    EXPECT_EQ(after(d, ResetParam{Param::gamma, 0, 0}).gamma_range, (FaderRange{-1, 7.5}))
        << "another value needs it";
    EXPECT_EQ(
        after(d, ResetParam{Param::gamma, 0, 1}),
        after(after(start, SetParam{Param::beta, 0, 0, -30}), SetParam{Param::gamma, 0, 1, 1}));
    EXPECT_EQ(after(d, SetParam{Param::gamma, 0, 0, 1}).gamma_range, (FaderRange{-1, 50}))
        << "a drag over 1 is no reset";
    EXPECT_EQ(after(d, ResetParams{}).gamma_range, k_gamma_range);
    EXPECT_EQ(after(d, ResetParams{}).beta_range, k_beta_range);
    refusal(d, ResetParam{Param::gamma, 0, 7});
}

TEST(Edit, AResetLeavesARangeThatWasSet) {
    Document d = after(odd(), SetParamRange{Param::gamma, {-5, 20}});
    d = after(d, SetParam{Param::gamma, 0, 0, 50});
    EXPECT_EQ(after(d, ResetParams{}).gamma_range, (FaderRange{-5, 20}));
    // In a range that has grown, only the end that changes is set.
    d = after(after(odd(), SetParam{Param::gamma, 0, 0, 50}),
              SetParamRange{Param::gamma, {-5, 50}});
    EXPECT_EQ(d.gamma_range, (FaderRange{-5, 50}));
    EXPECT_EQ(after(d, ResetParams{}).gamma_range, (FaderRange{-5, 3}));
    // A top that has grown does not hold a bottom above the set one.
    d = after(after(odd(), SetParam{Param::gamma, 0, 6, 50}),
              SetParamRange{Param::gamma, {10, 50}});
    EXPECT_EQ(after(d, ResetParams{}).gamma_range, (FaderRange{1, 50}));
}

TEST(Edit, GammaPerTokenFollowsTheTokens) {
    Document d = after(odd(), set<&Document::affine_per>(AffinePer::token));
    EXPECT_EQ(d.gamma->size(), 3u);
    d = after(d, SetParam{Param::gamma, 1, 1, 2});
    d = after(d, Move{Axis::token, 1, 2});
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, 2}));
    d = after(d, Remove{Axis::feature, 0});
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, 2}));
    EXPECT_EQ(after(d, set<&Document::affine_per>(AffinePer::scalar)).gamma->size(), 1u);
}

TEST(Edit, TheLastTokenAndTheLastFeatureStay) {
    const Document one = blank_document(1, 1);
    EXPECT_NE(refusal(one, Remove{Axis::token, 0}).find("at least one"), std::string::npos);
    refusal(one, Remove{Axis::feature, 0});
    refusal(one, Remove{Axis::feature, 1});
    refusal(odd(), Insert{Axis::token, 4});
    refusal(odd(), Move{Axis::token, 0, 3});
    refusal(odd(), Rename{Axis::token, 3, "x"});
    refusal(odd(), UndoNorm{3});
    refusal(odd(), AddOutlier{7});
    refusal(odd(), ConstantRow{-1});
}

TEST(Edit, NothingGrowsPastTheLimits) {
    const Document tall = blank_document(k_max_tokens, 1);
    refusal(tall, Insert{Axis::token, 0});
    refusal(tall, Duplicate{Axis::token, 0});
    refusal(odd(), Resize{Axis::token, 0});
    EXPECT_NE(refusal(odd(), Resize{Axis::feature, k_max_features + 1}).find("7 stays"),
              std::string::npos);
    refusal(odd(), SetInput{Input::x, Matrix<double>::Zero(1, k_max_features + 1), {}, {}, "big"});
    refusal(odd(), SetInput{Input::x, Matrix<double>::Zero(1025, 1024), {}, {}, "big"});
    refusal(blank_document(2048, 512), Insert{Axis::token, 0});
    EXPECT_EQ(most_along(blank_document(2048, 512), Axis::feature), 512);
    EXPECT_TRUE(apply(odd(), SetInput{Input::x, Matrix<double>::Zero(256, 4096), {}, {}, "fits"}));
    refusal(odd(), SetInput{Input::x, Matrix<double>(), {}, {}, "empty"});
    refusal(odd(), SetInput{Input::x, Matrix<double>::Zero(2, 2), Names{"one"}, {}, "names"});
}

TEST(Edit, APartOfADocumentKeepsItsNamesAndParameters) {
    Document d = odd();
    const Document part = cut_out(d, {1, 2, 2, 3});
    EXPECT_EQ(*part.x, d.x->block(1, 2, 2, 3));
    EXPECT_EQ(*part.f, d.f->block(1, 2, 2, 3));
    EXPECT_EQ(part.tokens->front(), (*d.tokens)[1]);
    EXPECT_EQ(part.features->back(), (*d.features)[4]);
    EXPECT_EQ(part.gamma->size(), 3u);
    EXPECT_EQ((*part.gamma)[0], (*d.gamma)[2]);
    EXPECT_TRUE(check(part));
}

TEST(Edit, TheFirstPartIsTheLargestThatFits) {
    EXPECT_EQ(first_part(5000, 3), (CellBlock{0, 0, 4096, 3}));
    EXPECT_EQ(first_part(5000, 3000), (CellBlock{0, 0, 349, 3000}));
    EXPECT_EQ(first_part(7, 9000), (CellBlock{0, 0, 7, 4096}));
    EXPECT_EQ(first_part(1024, 1024), (CellBlock{0, 0, 1024, 1024}));
}

TEST(Edit, ASetInputOfAnotherShapeStartsTheRestAnew) {
    Document d = after(odd(), SetParam{Param::gamma, 0, 6, 2});
    d = after(d, SetInput{Input::f, Matrix<double>::Ones(2, 3), Names{"a", "b"}, {}, "f.csv"});
    EXPECT_EQ(*d.x, Matrix<double>::Zero(2, 3));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(*d.tokens, (Names{"a", "b"}));
    EXPECT_EQ(*d.features, (Names{"d0", "d1", "d2"}));
    const Document same = after(odd(), SetInput{Input::x, Matrix<double>::Ones(3, 7), {}, {}, "x"});
    EXPECT_EQ(same.f, odd().f);
    EXPECT_EQ(*same.tokens, (Names{"I", "am", "norm"}));
}

TEST(Edit, UndoNormGivesEveryGroupItsOwn) {
    Random random(5);
    Document d = testing::any_document(random, 3, 6, [](Random& r) { return r.normal(); });
    d.norm = NormKind::group;
    d.eps = 1e-5;
    d.precision = Precision::float64;
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        d = after(after(after(d, set<&Document::affine_per>(per)),
                        set<&Document::norm, &Norm::groups>(3)),
                  UndoNorm{1});
        EXPECT_EQ(d.affine_per, AffinePer::feature);
        const auto derived = Derived::of(d);
        EXPECT_LT(derived->max_abs_difference(1), 1e-14);
        EXPECT_GT(derived->max_abs_difference(0), 0.01);
    }
}

TEST(Edit, GroupsDivideTheFeatures) {
    Random random(6);
    Document d = testing::any_document(random, 3, 6, [](Random& r) { return r.normal(); });
    d.norm = NormKind::group;
    d = after(d, set<&Document::norm, &Norm::groups>(3));
    EXPECT_EQ(d.norm.groups, 3);
    const auto refused = [](const Document& of) {
        const auto error = Derived::of(of)->error();
        return error ? error->message : "";
    };
    EXPECT_EQ(refused(d), "");
    EXPECT_NE(refused(after(d, set<&Document::norm, &Norm::groups>(4)))
                  .find("4 groups cannot share 6 features"),
              std::string::npos);
    const Document wider = after(d, Insert{Axis::feature, 6});
    EXPECT_NE(refused(wider).find("3 groups cannot share 7 features"), std::string::npos);
    EXPECT_EQ(refused(after(wider, set<&Document::norm, &Norm::groups>(7))), "");
}

// γ = √(σ²+ε), β = μ: Y is Z again for the token (and for all where each has its own).
TEST(Edit, UndoNormGivesZBackToTheTokensItNames) {
    for (const NormKind norm : k_norm_kinds)
        for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar})
            for (const Precision precision : {Precision::float32, Precision::float64}) {
                Document d = odd();
                d.norm = norm;
                d.norm.groups = 1; // of seven features
                d.precision = precision;
                d = after(after(d, set<&Document::affine_per>(per)), UndoNorm{1});
                const auto derived = Derived::of(d);
                const double small = precision == Precision::float32 ? 4e-6 : 1e-14;
                const Shares shares = norm_entry(norm).shares;
                const bool all = shares == Shares::feature || shares == Shares::nothing ||
                                 (shares == Shares::token && per == AffinePer::token);
                for (Index t = 0; t < 3; ++t)
                    if (t == 1 || all) {
                        EXPECT_LT(derived->max_abs_difference(t), small);
                        EXPECT_TRUE(derived->gives_back(t, derived->max_abs_difference(t)));
                    }
                if (!all) {
                    EXPECT_GT(derived->max_abs_difference(0), 0.01);
                    EXPECT_FALSE(derived->gives_back(0, derived->max_abs_difference(0)));
                }
                if (norm_entry(norm).normalizes()) { // 4e-5 of Z is no rounding
                    d.eps *= 10;
                    const auto other = Derived::of(d);
                    EXPECT_FALSE(other->gives_back(1, other->max_abs_difference(1)));
                }
                for (const Param which : {Param::gamma, Param::beta})
                    for (const double v : *d.param(which)) {
                        EXPECT_LE(d.range(which).lo, v);
                        EXPECT_GE(d.range(which).hi, v);
                    }
            }
    Document one = blank_document(1, 3);
    one.norm = NormKind::batch;
    EXPECT_NE(refusal(one, UndoNorm{0}).find("1×3"), std::string::npos);
}

// Values that overflowed or were divided by 0 are lost in x̂.
TEST(Edit, UndoNormRefusesWhatCannotBeUndone) {
    Document d = after(odd(), FillCells{Input::x, 1, 0, 1, 1, 1e20});
    ASSERT_EQ(d.precision, Precision::float32);
    EXPECT_NE(refusal(d, UndoNorm{1}).find("“am”"), std::string::npos);
    const Document other = after(d, UndoNorm{0});
    EXPECT_LT(Derived::of(other)->max_abs_difference(0), 4e-6);
    d.precision = Precision::float64;
    EXPECT_LT(Derived::of(after(d, UndoNorm{1}))->max_abs_difference(1), 1e6);

    Document flat = after(odd(), ConstantRow{1});
    flat.eps = 0;
    EXPECT_NE(refusal(flat, UndoNorm{1}).find("“am”"), std::string::npos);
    // With γ and β per token, the other tokens' norm is undone and this token's γ and β stay.
    flat = after(flat, set<&Document::affine_per>(AffinePer::token));
    const double before = (*flat.gamma)[1];
    flat = after(flat, UndoNorm{1});
    EXPECT_EQ((*flat.gamma)[1], before);
    EXPECT_LT(Derived::of(flat)->max_abs_difference(2), 4e-6);
}

TEST(Edit, ConstantRowIsConstantInZ) {
    for (const Residual residual : {Residual::add, Residual::no_skip}) {
        Document d = odd();
        d.residual = residual;
        const auto derived = Derived::of(after(d, ConstantRow{2}));
        const MatrixView z = derived->view(Tensor::z);
        for (Index j = 1; j < 7; ++j) EXPECT_EQ(z(2, j), z(2, 0));
        EXPECT_NE(z(1, 1), z(1, 0));
    }
}

TEST(Edit, RandomizeIsTheSameForASeed) {
    for (const auto kind :
         {Distribution::normal, Distribution::uniform, Distribution::heavy_tailed}) {
        const Document d = after(odd(), Randomize{kind, 5});
        EXPECT_EQ(d, after(odd(), Randomize{kind, 5}));
        EXPECT_FALSE(d == after(odd(), Randomize{kind, 6}));
        EXPECT_FALSE(d.x == d.f);
    }
}

TEST(Edit, ShiftAndScaleDoWhatTheySayToZ) {
    const auto z = [](const Document& d) { return Matrix<double>(*d.x + *d.f); };
    EXPECT_TRUE(z(after(odd(), ScaleInput{3})).isApprox(z(odd()) * 3));
    EXPECT_TRUE(z(after(odd(), ShiftInput{2})).isApprox((z(odd()).array() + 2).matrix()));
}

TEST(Edit, Descriptions) {
    const Document d = odd();
    Document called_studying = blank_document(1, 1);
    called_studying.title = "Section 8 · “studying”";
    const std::pair<Edit, const char*> cases[] = {
        {SetCells{Input::x, 1, 2, Matrix<double>::Constant(1, 1, 1.4)}, "X[am, d2] → 1.40"},
        {SetCells{Input::x, 4, 8, Matrix<double>::Ones(1, 1), true}, "X[4, 8] → 1.00"},
        {SetCells{Input::f, 0, 0, Matrix<double>::Ones(2, 3)}, "Set 2×3 of F(X)"},
        {FillCells{Input::x, 0, 0, 2, 3, 0}, "Set 2×3 of X to zero"},
        {SetParam{Param::gamma, 3, 3, 1.4}, "γ[3] → 1.40"},
        {SetParam{Param::beta, 0, 6, -0.5}, "β[0–6] → -0.50"},
        {SetParamRange{Param::gamma, {-1, 5}}, "Range of γ: -1 to 5"},
        {ResetParam{Param::gamma, 2, 2}, "γ[2] → 1.00"},
        {ResetParams{}, "Reset γ = 1, β = 0"},
        {UndoNorm{1}, "γ = σ, β = μ of “am”"},
        {set<&Document::norm, &Norm::kind>(NormKind::rms), "Normalize: RMS"},
        {set<&Document::residual>(Residual::no_skip), "Residual: No skip"},
        {set<&Document::affine_per>(AffinePer::token), "γ, β: per token"},
        {set<&Document::eps>(1e-3), "ε → 0.001"},
        {set<&Document::precision>(Precision::float64), "Precision: float64"},
        {TakeUsualSettings{}, "Usual norm, ε and sharing"},
        {Rename{Axis::token, 0, "you"}, "Rename “I” to “you”"},
        {Insert{Axis::token, 0}, "Add a token"},
        {Remove{Axis::feature, 2}, "Remove feature “d2”"},
        {Resize{Axis::feature, 12}, "Shape: 12 features"},
        {Resize{Axis::token, 1}, "Shape: 1 token"},
        {Duplicate{Axis::token, 2}, "Duplicate token “norm”"},
        {Move{Axis::token, 2, 0}, "Move token “norm”"},
        {Randomize{Distribution::heavy_tailed, 7}, "Randomize (heavy-tailed, seed 7)"},
        {AddOutlier{4}, "Outlier in “d4”"},
        {ConstantRow{0}, "Constant row “I”"},
        {ShiftInput{10}, "X + 10"},
        {ShiftInput{1e-5}, "X + 1e-5"},
        {ScaleInput{0.5}, "X and F(X) × 0.5"},
        {SetInput{Input::f, Matrix<double>::Ones(1, 1), {}, {}, "f.csv"}, "Open f.csv as F(X)"},
        {GoBack{d}, "As it was when I began"},
        {TakePart{called_studying, "train"}, "Open “Section 8 · ‘studying’”"},
        {Replace{blank_document(1, 1)}, "Open “Untitled”"},
        {Replace{called_studying}, "Open “Section 8 · ‘studying’”"},
        {Replace{blank_document(1, 1), "a.normscope.json"}, "Open “a.normscope.json”"},
    };
    for (const auto& [edit, label] : cases) EXPECT_EQ(describe(edit, d), label);
}

TEST(Edit, TheUsualSettingsAreThoseOfANewDocument) {
    Document d = blank_document(3, 5);
    for (const Edit& edit :
         {Edit(set<&Document::norm, &Norm::kind>(NormKind::rms)), Edit(set<&Document::eps>(0.5)),
          Edit(set<&Document::affine_per>(AffinePer::token)), Edit(SetParam{Param::gamma, 1, 1, 4}),
          Edit(set<&Document::residual>(Residual::no_skip)),
          Edit(set<&Document::precision>(Precision::float64))})
        d = *normscope::apply(d, edit);
    EXPECT_FALSE(has_usual_settings(d));
    EXPECT_EQ(settings_text(d), "RMS norm, ε 0.5, γ and β per token, no skip, float64");
    const Document usual = *apply(d, TakeUsualSettings{});
    EXPECT_TRUE(has_usual_settings(usual));
    EXPECT_EQ(settings_text(usual), "Layer norm, ε 1e-5, γ and β per feature");
    EXPECT_EQ(*apply(usual, set<&Document::affine_per>(AffinePer::token))->gamma, *d.gamma)
        << "γ is kept";
}

// Whatever the edit, the result is a sound document, or the old one stays and a message says why.
TEST(Edit, AnyEditIsAppliedOrRefusedAndDescribed) {
    Random random(99);
    Document d = odd();
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        const Edit edit = testing::any_edit(random, d);
        const Document before = d;
        auto next = normscope::apply(d, edit); // not std::apply, which a variant would find
        EXPECT_EQ(d, before);
        if (!next) {
            ++refused;
            EXPECT_FALSE(next.error().message.empty());
            continue;
        }
        EXPECT_FALSE(describe(edit, d).empty());
        ASSERT_TRUE(check(*next)) << check(*next).error().message;
        d = std::move(*next);
        if (d.x->size() > 400) d = odd();
    }
    EXPECT_GT(refused, 100);
}

} // namespace
} // namespace normscope
