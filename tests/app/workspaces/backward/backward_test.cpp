#include "app/charts/number_format.h"
#include "app/model/document.h"
#include "app/shell/files/file_commands.h"
#include "app/study/backward/published.h"
#include "app/workspaces/backward/panels.h"
#include "core/norm/affine.h"
#include "tests/app/workspaces/backward/backwards.h"
#include "tests/core/norm/norm_kinds.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace normscope::testing {
namespace {

TEST(BackwardWorkspace, OpensWithItsKeyAndChecksEveryGradient) {
    Backwards h;
    for (const char* check :
         {"surgery", "checks.dz-group", "checks.dz", "checks.dgamma", "checks.dbeta",
          "checks.jacobian", "checks.see-saw", "checks.published"})
        EXPECT_TRUE(h.ticked(check)) << check;
}

TEST(BackwardWorkspace, TheSurgeryShowsWhatEachStepTakes) {
    Backwards h;
    const Surgery s = h.backward().surgery(*h.state().view.pinned_token);
    ASSERT_TRUE(s.has_projection);
    for (Index i = 0; i < s.a.size(); ++i) {
        EXPECT_TRUE(h.shows("terms.mean", fixed_text(s.centred[i], 4)));
        EXPECT_TRUE(h.shows("surgery", fixed_text(s.x_hat[i], 4))) << "a factor of what is taken";
        EXPECT_TRUE(h.shows("terms.projection", fixed_text(s.projected[i], 4)));
    }
}

TEST(BackwardWorkspace, BreakingEachTermTurnsTheBadgeAndNamesTheEntry) {
    for (const std::string term : {"mean", "projection", "gamma"}) {
        Backwards h;
        h.choose("backward.broken." + term);
        EXPECT_FALSE(h.ticked("surgery")) << term;
        const std::string own = entry_name(h.document(), named_entry(h.own_check()).entry);
        EXPECT_TRUE(h.shows("surgery", own + ":")) << term << ": the verdict below the steps";
        const SampledCheck& check = h.backward().checks().dz;
        for (const std::string& named :
             {short_number(check.max_absolute), entry_name(h.document(), check.largest.entry)})
            EXPECT_TRUE(h.shows("checks.dz.badge", named)) << term;
        h.choose("backward.broken.none");
        EXPECT_TRUE(h.ticked("surgery")) << term;
        h.key(Key::z, true);
        h.settle();
        EXPECT_FALSE(h.ticked("surgery")) << "undo breaks it again";
    }
}

TEST(BackwardWorkspace, TheBadgeOfANaNNamesItsCauseAndTheWayOut) {
    Backwards h({.example = "nan-token"});
    h.state().view.pinned_token = 2;
    h.settle();
    const auto& why = h.backward().not_a_number();
    ASSERT_TRUE(why);
    EXPECT_FALSE(h.ticked("surgery"));
    EXPECT_TRUE(h.shows("surgery.badge", why->cause));
    EXPECT_TRUE(h.shows("surgery", why->words(false))) << "below the steps";
}

TEST(BackwardWorkspace, TheSurgeryIsJudgedByTheTokenItShows) {
    Backwards h({.example = "nan-token"});
    for (const Index token : {0, 1}) {
        h.state().view.pinned_token = token;
        h.settle();
        EXPECT_TRUE(h.ticked("checks.dz-group")) << token;
        EXPECT_FALSE(h.shows("surgery", h.backward().not_a_number()->way_out)) << token;
    }
    for (const char* check : {"checks.dbeta", "checks.jacobian", "checks.published"})
        EXPECT_TRUE(h.ticked(check)) << check;
    for (const char* check : {"checks.dz", "checks.dgamma", "checks.see-saw"})
        EXPECT_FALSE(h.ticked(check)) << check;
}

TEST(BackwardWorkspace, ABadgeWithLittleRoomSaysLess) {
    Backwards h({.example = "nan-token"});
    EXPECT_TRUE(h.shows("surgery.badge", "NaN: X[broken, d1]"));
    for (const LoggedText& t : h.log().texts) {
        const bool cut = t.text.starts_with("NaN") && t.text.find("…") != std::string::npos;
        EXPECT_FALSE(cut) << t.text;
    }
}

// dz is pale where its terms cancel: so its stream is thin.
TEST(BackwardWorkspace, TheStreamIsAsThinAsItsGradientIsPale) {
    Backwards h;
    const auto height = [&] {
        const Color color = theme(h.state().view.theme).of(Stage::z).with_alpha(0.85f);
        for (const LoggedText& t : h.log().texts) {
            if (!t.text.starts_with("‖dz‖ = ")) continue;
            float top = 1e6f, bottom = 0; // where it begins, below its norm
            for (const Point p : h.vertices(color, {t.rect.x - 2, t.rect.y, 20, 80})) {
                top = std::min(top, p.y);
                bottom = std::max(bottom, p.y);
            }
            return bottom - top;
        }
        return -1.0f;
    };
    EXPECT_FALSE(next_to_nothing(h.backward()));
    EXPECT_GT(height(), 15);
    h.choose("backward.loss.distance");
    EXPECT_FALSE(next_to_nothing(h.backward()));
    EXPECT_GT(height(), 15);
    Document d = h.document();
    d.norm = NormKind::batch; // to Z, and nothing in it but what batch norm takes away
    h.show(d);
    ASSERT_TRUE(h.backward().vanishing());
    EXPECT_GT(h.backward().largest_dz(), 1e-9);
    EXPECT_GT(height(), 0);
    EXPECT_LT(height(), 5);
}

TEST(BackwardWorkspace, ARefusedBatchIsSaidInSentences) {
    Backwards h({.example = "batch-of-one"});
    const auto& error = h.backward().error();
    ASSERT_TRUE(error);
    EXPECT_TRUE(h.shows("surgery.badge", h.backward().not_a_number()->cause));
    for (const char* panel : {"surgery", "parameters", "jacobian", "see-saw"})
        EXPECT_TRUE(h.shows(panel, sentence(*error))) << panel;
    EXPECT_FALSE(h.has_text(". " + error_text(*error)));
}

TEST(BackwardWorkspace, ASumIsWrittenAsItsTermsAre) {
    Backwards h({.window = {2600, 1400}});
    ASSERT_TRUE(h.state().apply_edits({set<&Document::norm, &Norm::kind>(NormKind::batch),
                                       set<&Document::affine_per>(AffinePer::token),
                                       set<&BackwardSetup::loss>(LossKind::cross_entropy)}));
    h.state().view.pinned_token = 0;
    h.settle();
    const double sum = h.backward().dgamma()(0);
    ASSERT_LT(std::abs(sum), 0.01) << "beside terms above it";
    const Matrix<double> parts = h.backward().contributions(Param::gamma, 0);
    ASSERT_GT(parts.cwiseAbs().maxCoeff(), 0.01);
    EXPECT_TRUE(h.shows("parameters", " = " + fixed_text(sum, 4) + ":"));
    for (const double part : parts.reshaped())
        EXPECT_TRUE(h.shows("parameters.gamma.shares", fixed_text(part, 4))) << part;
}

TEST(BackwardWorkspace, SaysOfANormOnlyWhatItHas) {
    Backwards h;
    EXPECT_TRUE(h.has_text("] = Σ dY⊙x"));
    EXPECT_FALSE(h.has_text("were it layer norm"));
    Document d = h.document();
    for (const NormKind norm : {NormKind::rms, NormKind::none}) {
        d.norm = norm;
        d.backward.broken = BrokenTerm::mean;
        h.show(d);
        EXPECT_TRUE(h.has_text("no such term"));
        EXPECT_TRUE(h.has_text("were it layer norm"));
        EXPECT_FALSE(h.has_text("√(σ²+ε) ="));
        EXPECT_TRUE(h.has_text(norm == NormKind::rms ? "s = √(mean z²+ε) = " : "no norm, s = 1"));
        EXPECT_FALSE(h.has_text("on a scale of its own"));
    }
    EXPECT_TRUE(h.has_text("No norm: Y goes as the scale"));
}

TEST(BackwardWorkspace, InEvaluationTheSurgeryTakesNothingAway) {
    Backwards h;
    EXPECT_FALSE(h.has("backward.mode.eval")) << "layer norm has no running statistics";
    Document d = h.document();
    d.norm = NormKind::batch;
    h.show(d);
    EXPECT_TRUE(h.has_text("training: Z moves them"));
    h.choose("backward.mode.eval");
    EXPECT_EQ(h.document().backward.mode, Mode::eval);
    EXPECT_TRUE(h.shows("surgery", std::to_string(d.batch.updates) + " updates"));
    const Surgery s = h.backward().surgery(h.state().view.pinned_feature.value_or(0));
    for (const char* row : {"terms.gamma", "terms.mean", "terms.projection"})
        for (const double value : s.a)
            EXPECT_TRUE(h.shows(row, fixed_text(value, 4))) << row << ' ' << value;
    EXPECT_TRUE(h.has_text("No direction is lost: μ and σ are constants."));
    EXPECT_TRUE(h.has_text("μ and σ are constants: Y moves with Z"));
    EXPECT_TRUE(h.has_text(", in training"));
    EXPECT_TRUE(h.ticked("surgery"));
    h.choose("backward.broken.projection");
    EXPECT_TRUE(h.ticked("surgery")) << "no such term is there to be left out";
    h.key(Key::z, true);
    h.key(Key::z, true);
    h.settle();
    EXPECT_EQ(h.document().backward.mode, Mode::train) << "undone";
}

TEST(BackwardWorkspace, TheSeeSawSaysWhatScalingZDoes) {
    for (const auto& [example, said] :
         {std::pair{"studying", "Y stays, the gradient goes as 1/scale."},
          std::pair{"huge-offset", "ε is felt: Y nearly stays"},
          std::pair{"constant-row", "ε takes over: the gradient levels off."},
          std::pair{"nan-token", "A value that is not a number has no size."}})
        EXPECT_TRUE(Backwards({.example = example}).has_text(said)) << example;
}

TEST(BackwardWorkspace, TheJacobianNamesEpsilonWhereItIsFelt) {
    Backwards h({.example = "huge-offset"});
    EXPECT_TRUE(h.has_text("(scale) is felt through ε: "));
    h.choose("backward.broken.projection");
    EXPECT_FALSE(h.has_text("felt through ε")) << "the term that took it away is left out";
}

TEST(BackwardWorkspace, LargeContributionsCanBeSeenToAddUp) {
    Backwards h;
    Document d = h.document();
    Matrix<double> dy = *input_values(d, Input::dy);
    dy.row(0) << 1234567.25, -2345678.5, 0.4, 0.9, -5.5, 7e6;
    dy(1, 0) = 3e6;
    d.backward.dy = dy;
    h.state().view.pinned_token = 0;
    h.show(d);
    EXPECT_TRUE(h.shows("parameters", "= " + fixed_text(h.backward().dgamma()(0), 0) + ":"));
    const Matrix<double> parts = h.backward().contributions(Param::gamma, 0);
    for (const double part : parts.reshaped())
        EXPECT_TRUE(h.has_text(fixed_text(part, 0)) || h.has_text(fixed_text(part, 1))) << part;
    EXPECT_TRUE(h.shows("surgery", "1234567.3")) << "there is more room";
}

TEST(BackwardWorkspace, SmallContributionsCanBeSeenToAddUp) {
    Backwards h;
    Document d = h.document();
    Matrix<double> dy = Matrix<double>::Zero(d.token_count(), d.feature_count());
    dy.col(0) << 0.0082, 0.0061, -0.0176, 0.0066;
    d.backward.dy = dy;
    h.state().view.pinned_feature = 0;
    h.show(d);
    EXPECT_TRUE(h.shows("parameters", "= 0.0033:"));
    for (const char* term : {"0.0082", "0.0061", "−0.0176", "0.0066"})
        EXPECT_TRUE(h.shows("parameters.beta.shares", term)) << term;
}

TEST(BackwardWorkspace, AnInfiniteContributionIsShownAsOne) {
    Backwards h;
    h.state().view.pinned_token = 0;
    Document d = h.document();
    Matrix<double> dy = *input_values(d, Input::dy);
    dy(0, 0) = std::numeric_limits<double>::infinity();
    d.backward.dy = dy;
    const auto infinite = [&](AffinePer per) {
        d.affine_per = per;
        const auto n =
            static_cast<std::size_t>(affine_size(per, d.token_count(), d.feature_count()));
        d.gamma = std::vector<double>(n, 1.5);
        d.beta = std::vector<double>(n, 0.5);
        h.show(d);
        const Rect card = h.named("backward.parameters.gamma.shares").rect; // and beside it of dβ
        return std::ranges::count_if(h.log().texts, [&](const LoggedText& t) {
            return t.text.ends_with("∞") && t.rect.y > card.y && t.rect.x > card.x &&
                   t.rect.bottom() < card.bottom();
        });
    };
    for (const AffinePer per : {AffinePer::scalar, AffinePer::feature, AffinePer::token})
        EXPECT_EQ(infinite(per), 2) << static_cast<int>(per);
}

TEST(BackwardWorkspace, ThePublishedTableNamesWhatIsNoNumberInItsOwnToken) {
    Backwards h;
    Document d = h.document();
    Matrix<double> dy = *input_values(d, Input::dy);
    dy(0, 1) = dy(2, 3) = std::nan("");
    d.backward.dy = dy;
    h.state().view.pinned_token = 2;
    h.show(d);
    EXPECT_TRUE(h.shows("checks.published.badge", (*d.tokens)[2] + ", d3"));
}

TEST(BackwardWorkspace, WithoutASkipTheGradientIsThatOfTheSublayer) {
    Backwards h;
    EXPECT_TRUE(h.has("backward.add.dx"));
    EXPECT_TRUE(h.shows("see-saw", "‖dX‖"));
    Document d = h.document();
    d.residual = Residual::no_skip;
    h.show(d);
    EXPECT_FALSE(h.has("backward.add.dx"));
    EXPECT_TRUE(h.has("backward.add.df"));
    EXPECT_TRUE(h.shows("see-saw", "‖dF(X)‖, dashed"));
    EXPECT_FALSE(h.has_text("‖dX‖"));
}

TEST(BackwardWorkspace, RmsNormHasNoMuToUndo) {
    Backwards h;
    Document d = h.document();
    d.norm = NormKind::rms;
    h.show(d);
    h.choose("backward.learn.toward-z");
    EXPECT_TRUE(h.shows("learn", norm_entry(NormKind::rms).spread->takes));
    EXPECT_FALSE(h.shows("learn", norm_entry(NormKind::layer).spread->takes));
}

TEST(BackwardWorkspace, ASmallWindowExplainsTheGhostsOfTheSurgery) {
    for (const Size size : {Size{1024, 768}, Size{1600, 1000}}) {
        Backwards h({.window = size});
        EXPECT_TRUE(h.has_text("before the step")) << size.w;
        EXPECT_TRUE(h.has_text("taken next")) << size.w;
    }
}

TEST(BackwardWorkspace, AMeanThatIsOnlyRoundingIsZero) {
    Backwards h;
    Document d = *apply(h.document(), ResetParams{});
    d.backward.loss = LossKind::sum;
    h.become(d);
    double largest = 0;
    for (Index token = 0; token < 4; ++token) {
        h.state().view.pinned_token = token;
        h.settle();
        largest = std::max(largest, std::abs(h.backward().surgery(token).mean_ax));
        EXPECT_TRUE(std::ranges::any_of(h.log().texts, [](const auto& text) {
            return text.text == "mean(a⊙x) = 0"; // without hats
        })) << token;
    }
    EXPECT_GT(largest, 0) << "a sum of rounding to be shown";
}

TEST(BackwardWorkspace, RoundingResidueIsShownAsZero) {
    Backwards h({.example = "three-features"});
    EXPECT_TRUE(h.shows("see-saw", "‖dX‖"));
    h.choose("backward.loss.sum");
    EXPECT_LT(h.backward().largest_dz(), 1e-12);
    EXPECT_TRUE(h.shows("add", "‖dz‖ ≈ 0"));
    EXPECT_EQ(h.texts_in("backward.add.dx"), std::vector<std::string>{"0"});
    EXPECT_TRUE(h.has_text("dX is 0 at every scale"));
    EXPECT_FALSE(h.shows("see-saw", "‖dX‖")) << "no curve";
}

TEST(BackwardWorkspace, AReachedTargetIsNoWarning) {
    Backwards h;
    Document d = h.document();
    d.affine_per = AffinePer::token;
    d.gamma = d.beta = std::vector<double>(4, 0.5);
    d.backward.loss = LossKind::distance;
    h.show(d);
    const auto warned = [&] {
        return !h.vertices(theme(h.state().view.theme).error, h.named("backward.dy").rect).empty();
    };
    EXPECT_FALSE(h.backward().target_reached());
    ASSERT_TRUE(h.backward().vanishing()) << "a shift and a scaling is all that Z asks for";
    EXPECT_TRUE(h.shows("dy", *h.backward().vanishing()));
    EXPECT_TRUE(warned());
    const Affine<double> best = h.backward().best()->affine;
    d.gamma = std::vector<double>(best.gamma.begin(), best.gamma.end());
    d.beta = std::vector<double>(best.beta.begin(), best.beta.end());
    h.show(d);
    EXPECT_TRUE(h.backward().target_reached());
    EXPECT_TRUE(h.shows("dy", "The target is reached"));
    EXPECT_FALSE(warned());
    EXPECT_TRUE(h.shows("add", "‖dz‖ ≈ 0"));
    EXPECT_FALSE(h.shows("see-saw", "‖dX‖")) << "no curve";
}

TEST(BackwardWorkspace, BrokenNumbersAndTheirWordsAreThoseOfThePinnedToken) {
    Backwards h;
    h.state().view.pinned_token = 2;
    h.choose("backward.broken.mean");
    const std::string worst = entry_name(h.document(), named_entry(h.own_check()).entry);
    EXPECT_TRUE(worst.starts_with((*h.document().tokens)[2]));
    EXPECT_TRUE(h.shows("surgery", worst + ":"));
    EXPECT_TRUE(h.has_text("One direction leads nowhere: a stretch"));
    EXPECT_TRUE(h.has_text("/∂z · studying")) << "not elided";
    for (const std::string term : {"mean", "projection", "gamma", "none"}) {
        h.choose("backward.broken." + term);
        EXPECT_NEAR(h.backward().scale_curve().gradient(1), h.backward().dz_norm(), 1e-12) << term;
    }
    EXPECT_TRUE(h.has_text("Two directions lead nowhere"));
}

TEST(BackwardWorkspace, TheSeeSawSaysThatItHoldsDyOfALoss) {
    Backwards h;
    for (const auto& [loss, said] : {std::pair("given", false), std::pair("distance", true),
                                     std::pair("sum", false)}) { // the same dY at any Y
        h.choose(std::string("backward.loss.") + loss);
        EXPECT_EQ(h.has_text("dY stays"), said) << loss;
    }
}

TEST(BackwardWorkspace, TheSeeSawScalesWithoutTouchingTheGradients) {
    Backwards h;
    const std::uint64_t version = h.backward().dz_version();
    const NamedPart slider = h.named("backward.scale");
    h.drag({slider.rect.x + slider.rect.w / 2, slider.rect.y + slider.rect.h / 2},
           {slider.rect.right() - 20, slider.rect.y + slider.rect.h / 2});
    EXPECT_GT(h.document().backward.scale, 100);
    EXPECT_EQ(h.backward().dz_version(), version);
    h.key(Key::z, true);
    EXPECT_EQ(h.document().backward.scale, 1);
}

TEST(BackwardWorkspace, TheStripBelowHasTheGradientsOfTheCellUnderTheMouse) {
    Backwards h;
    h.choose("backward.loss.distance");
    const std::string dy = number_text(h.backward().dy()(0, 0), 7);
    const std::string dz = number_text(h.backward().dz()(0, 0), 7);
    EXPECT_FALSE(h.has_text(dy));
    EXPECT_FALSE(h.has_text(dz));
    const NamedPart cells = h.named("backward.dy.cells");
    h.move({cells.rect.x + 8, cells.rect.y + 8});
    h.frames(2);
    EXPECT_TRUE(h.has_text(dy));
    EXPECT_TRUE(h.has_text(dz));
    h.key(Key::n1);
    h.settle();
    EXPECT_FALSE(h.has_text(dz)) << "gradients belong to their workspace";
}

TEST(BackwardWorkspace, HoverLightsTheTokenInEveryPanel) {
    Backwards h;
    const NamedPart cells = h.named("backward.dy.cells");
    h.move({cells.rect.x + 10, cells.rect.bottom() - 4});
    h.frames(2);
    h.move({cells.rect.x + 12, cells.rect.y + 10});
    h.frames(2);
    EXPECT_EQ(h.state().view.hover.token, 0);
    EXPECT_TRUE(h.has_text("/∂z · I"));
}

TEST(BackwardWorkspace, TheLargestDocumentIsShownInItsOwnFrame) {
    Backwards h;
    h.become(blank_document(1031, 1017));
    h.frame();
    EXPECT_TRUE(h.has("backward.surgery"));
    h.become(*apply(h.document(), set<&BackwardSetup::loss>(LossKind::sum)));
    h.frame();
    EXPECT_EQ(h.state().memory.of<BackwardMemory>().backward.last()->dy()(7, 3), 1);
}

TEST(BackwardWorkspace, AtRestNothingIsComputedOrDrawnAnew) {
    Backwards h;
    h.settle();
    const Backward* const before = &h.backward();
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_EQ(&h.backward(), before);
    EXPECT_EQ(h.draw_digest(), drawn);
    EXPECT_FALSE(h.app().animating());
}

TEST(BackwardWorkspace, EveryExampleAndNormIsShown) {
    Backwards h;
    for (const Example& example : h.state().examples) {
        auto document = open_example(example);
        ASSERT_TRUE(document);
        for (const NormKind norm : k_norm_kinds) {
            document->norm = norm;
            for (const LossKind loss : {LossKind::given, LossKind::sum, LossKind::one_entry,
                                        LossKind::distance, LossKind::cross_entropy}) {
                document->backward.loss = loss;
                h.become(*document);
                h.frames(2);
            }
        }
    }
}

TEST(BackwardWorkspace, SaysHowLittleThePlaceOfEpsMattersWhereTheDigitsDoNotShowIt) {
    Backwards h;
    EXPECT_TRUE(h.has_text("ε inside or outside: "));
    Document d = h.document();
    d.eps = 0.5;
    h.show(d);
    EXPECT_FALSE(h.has_text("ε inside or outside: "));
}

TEST(BackwardWorkspace, ASumThatANaNIsPartOfIsNaN) {
    Backwards h({.example = "nan-token"});
    h.choose("backward.learn.toward-z");
    ASSERT_TRUE(std::isnan(h.backward().dgamma()(0)));
    EXPECT_TRUE(h.shows("parameters", "= NaN:"));
    EXPECT_FALSE(h.shows("parameters", "= 0:"));
}

TEST(BackwardWorkspace, AVarianceThatIsTooLargeForANumberIsSaidToBeThat) {
    Backwards h;
    Document d = h.document();
    d.x = Matrix<double>(1e200 * *d.x);
    h.show(d);
    const Backward& b = h.backward();
    const NotANumber own = *b.not_a_number_in(*h.state().view.pinned_token);
    EXPECT_NE(own, *b.not_a_number()) << "that of the first token";
    for (const char* panel : {"surgery", "jacobian"})
        EXPECT_TRUE(h.shows(panel, own.words(false))) << panel;
    EXPECT_TRUE(h.shows("see-saw", b.not_a_number()->words(false)));
    EXPECT_FALSE(b.vanishing());
    EXPECT_FALSE(b.dz_is_rounding());
}

TEST(BackwardWorkspace, AsPublishedShowsWhenAskedWhatItHasNoRoomFor) {
    for (const Index features : {3, 30}) {
        Backwards h({.window = Size{1024, 6000}});
        replace_document(h.state(), blank_document(2, features));
        h.settle();
        ASSERT_TRUE(h.has("backward.published.step"));
        const auto asks = [&](std::string_view side) {
            return std::ranges::any_of(
                h.all_of("backward.published.row-"),
                [&](const NamedPart& part) { return part.name.ends_with(side); });
        };
        EXPECT_EQ(asks(".published"), features == 30);
        EXPECT_EQ(asks(".corrected"), features == 30);
    }
}

TEST(BackwardWorkspace, AsPublishedSaysWhyATokenWithoutSpreadIsNaNThere) {
    Backwards h({.example = "constant-row"});
    ASSERT_TRUE(h.has("backward.published.step"));
    const auto said = [&](Index token) {
        h.state().view.pinned_token = token;
        h.settle();
        return h.has_text("The σ of this token is 0");
    };
    const Matrix<double> z = *h.document().x + *h.document().f;
    Index constant = 0, other = 0;
    for (Index t = 0; t < z.rows(); ++t)
        ((z.row(t).array() == z(t, 0)).all() ? constant : other) = t;
    ASSERT_NE(constant, other);
    EXPECT_TRUE(said(constant));
    EXPECT_FALSE(said(other));
}

TEST(BackwardWorkspace, SaysHowMuchOfAStretchEpsilonLeaves) {
    EXPECT_TRUE(Backwards().has_text("the second the other."));
    Backwards h({.example = "huge-offset"}); // σ² 9.5e-5 beside ε of 1e-5
    EXPECT_TRUE(h.has_text("but for 9 % of the stretch, which ε keeps."));
    Backwards tiny;
    ASSERT_TRUE(tiny.state().apply_edits({ScaleInput{1e-12}}));
    tiny.settle();
    EXPECT_TRUE(tiny.has_text("Their stretch stays: ε is far above σ²."));
    // The mean is as small as x̂ is, and no rounding error.
    const double mean = tiny.backward().surgery(*tiny.state().view.pinned_token).mean_ax;
    EXPECT_LT(std::abs(mean), 1e-9);
    EXPECT_TRUE(tiny.has_text(") = " + number_text(mean, 5)));
}

TEST(PublishedPanel, ShowsEveryTermOfItsReading) {
    Backwards h({.example = "backward-by-hand"});
    const Backward& b = h.backward();
    for (const PublishedTerm& term :
         read_published(h.document(), b.dy(), *h.state().view.pinned_token, b.lr()).terms)
        for (const std::string& text : {term.what, term.published, term.corrected})
            EXPECT_TRUE(h.shows("published", text)) << text;
}

TEST(PublishedPanel, ItsUpdateIsTakenWithTheReadersRate) {
    Backwards h({.example = "backward-by-hand"});
    h.click("backward.published.lr");
    h.type("1");
    h.key(Key::enter);
    h.settle();
    ASSERT_EQ(h.document().backward.lr, 1);
    h.choose("backward.published.step");
    EXPECT_NEAR((*h.document().gamma)[0], 1.5 - 0.364053, 1e-6);
    EXPECT_NEAR((*h.document().beta)[0], 0.3, 1e-12);
}

} // namespace
} // namespace normscope::testing
