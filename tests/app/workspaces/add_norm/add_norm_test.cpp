#include "app/model/document.h"
#include "app/shell/files/file_commands.h"
#include "app/words/add_norm_words.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace normscope::testing {
namespace {

std::ptrdiff_t texts(const Harness& h, const std::string& text) {
    return std::ranges::count(h.log().texts, text, &LoggedText::text);
}

// Replaces what a field holds.
void type_over(Harness& h, const std::string& field, const std::string& text) {
    h.click(field);
    h.settle();
    h.key(Key::a, true);
    h.type(text);
    h.key(Key::enter);
    h.settle();
}

// The status line says that something is refused, and says these numbers.
void expect_refusal(const Harness& h, const std::string& numbers) {
    EXPECT_TRUE(h.state().status_is_error) << numbers;
    EXPECT_NE(h.state().status.find(numbers), std::string::npos) << h.state().status;
}

TEST(AddNormWorkspace, WithoutASkipNoPlusStandsBetweenXAndTheSublayer) {
    Harness h;
    const auto plus = texts(h, "+");
    const auto editable = texts(h, "editable");
    ASSERT_EQ(texts(h, "not added"), 0);
    ASSERT_TRUE(h.state().apply_edits({set<&Document::residual>(Residual::no_skip)}));
    h.settle();
    EXPECT_EQ(texts(h, "+"), plus - 1);
    EXPECT_EQ(texts(h, "not added"), 1);
    EXPECT_EQ(texts(h, "editable"), editable - 1) << "F(X)'s is left";
    EXPECT_EQ(texts(h, "Z = F(X)"), 1);
}

TEST(AddNormWorkspace, ABatchOfOneSaysInSentencesWhatCanBeDoneHere) {
    Harness h({.example = "batch-of-one"});
    std::string words;
    for (const LoggedText& t : h.log().texts)
        if (t.role == TextRole::small) words += t.text + " ";
    EXPECT_NE(words.find("Batch norm in training: more than one value"), std::string::npos);
    EXPECT_NE(words.find("or choose another norm."), std::string::npos) << words;
    EXPECT_EQ(words.find("eval"), std::string::npos) << "there is no such thing in Add & Norm";
}

TEST(AddNormWorkspace, PlayedStepsStandBesideTheCellsTheyLightUp) {
    const Size window{1024, 768};
    Harness h({.window = window});
    h.state().view.reduce_motion = true;
    const auto in_sight = [&](const std::string& part) {
        return std::ranges::any_of(h.log().texts, [&](const LoggedText& t) {
            return t.text.find(part) != std::string::npos && t.rect.y >= t.clip.y &&
                   t.rect.bottom() <= t.clip.bottom();
        });
    };
    h.click("add-norm.cards.play");
    h.settle();
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    h.move({cells.center().x, cells.y + 5});
    h.settle();
    ASSERT_EQ(h.state().view.hover.token, 0);
    EXPECT_TRUE(in_sight("Worked steps · studying")) << "played for whom they were shown";
    for (int step = 1; step <= 5; ++step) {
        EXPECT_TRUE(in_sight("Step " + std::to_string(step) + " of 5"));
        for (const std::string part : {"1 Add", "2 Mean", "3 Variance", "4 Normalize", "5 Scale",
                                       "Play · studying", "Z = X + F(X)"})
            EXPECT_TRUE(in_sight(part)) << part;
        h.key(Key::space);
        h.settle();
    }
    EXPECT_FALSE(h.state().view.of<AddNormView>().playing);
    EXPECT_FALSE(in_sight("Step 5 of 5"));
}

TEST(AddNormWorkspace, SpaceWalksThroughTheStepsAndPressesNothing) {
    Harness h;
    h.state().view.reduce_motion = true;
    h.click("add-norm.cards.play");
    h.click("add-norm.try.randomize");
    const Document before = h.state().document();
    h.key(Key::space);
    h.settle();
    EXPECT_EQ(h.state().view.of<AddNormView>().playing, 1);
    EXPECT_EQ(h.state().document(), before) << "the button was clicked last";
    // An edit that Esc takes back is one thing, the end of the steps another.
    h.double_click(h.named("add-norm.card-x.cells").rect.center());
    ASSERT_NE(h.state().ui.text_edit, 0U);
    h.key(Key::escape);
    h.settle();
    EXPECT_EQ(h.state().ui.text_edit, 0U);
    EXPECT_EQ(h.state().view.of<AddNormView>().playing, 1);
    // A menu has the keys while it is open.
    h.click(h.named("add-norm.card-x.cells").rect.center(), 1);
    h.settle();
    ASSERT_TRUE(h.state().view.menu);
    h.key(Key::right);
    h.key(Key::escape);
    h.settle();
    EXPECT_FALSE(h.state().view.menu);
    EXPECT_EQ(h.state().view.of<AddNormView>().playing, 1);
    h.key(Key::escape);
    h.settle();
    EXPECT_FALSE(h.state().view.of<AddNormView>().playing);
}

TEST(AddNormWorkspace, ASmallWindowShowsThePlayedStepAboveTheCards) {
    Harness h({.window = {1024, 768}, .scale = 1.5f});
    h.state().view.reduce_motion = true;
    h.state().view.of<AddNormView>().playing = 0;
    h.settle();
    const std::array<std::string, 5> lines = {"1.80 + 1.36 = 3.16", "μ = Σ z / 6", "σ² = Σ (z",
                                              "(3.16 − 1.30) / 1.52", "y = γ"};
    for (int step = 1; step <= 5; ++step) {
        const auto seen = [&](const std::string& part) {
            return std::ranges::any_of(h.log().texts, [&](const LoggedText& t) {
                return t.text.find(part) != std::string::npos && t.rect.y >= t.clip.y &&
                       t.rect.bottom() <= t.clip.bottom();
            });
        };
        EXPECT_TRUE(seen("Step " + std::to_string(step) + " of 5"));
        for (std::size_t i = 0; i < lines.size(); ++i)
            EXPECT_EQ(seen(lines[i]), static_cast<int>(i) + 1 == step) << lines[i];
        EXPECT_TRUE(seen("Play · studying"));
        h.key(Key::space);
        h.settle();
    }
}

TEST(AddNormWorkspace, ALongFeatureNameLeavesTheOthersTheirs) {
    Harness h;
    const auto d5 = texts(h, "d5");
    ASSERT_TRUE(h.state().apply_edits({Rename{Axis::feature, 2, "a rather long feature name"}}));
    h.settle();
    EXPECT_EQ(texts(h, "d5"), d5);
    EXPECT_EQ(texts(h, "d1"), d5);
}

TEST(AddNormWorkspace, ArrowsWalkThroughTheStepsAndDoNotLeaveThem) {
    Harness h;
    h.click("add-norm.cards.play");
    h.state().ui.focus_visible = false; // the arrows are no button's
    for (int i = 0; i < 7; ++i) h.key(Key::right);
    EXPECT_EQ(h.state().view.of<AddNormView>().playing, 4);
    h.key(Key::left);
    EXPECT_EQ(h.state().view.of<AddNormView>().playing, 3);
}

TEST(AddNormWorkspace, AStepsLineStaysWhereItIsUnderTheMouse) {
    // Four features, which are as many lines as there are.
    Harness h({.window = {1600, 1300}, .example = "evenly-spaced"});
    for (const std::string line : {"line-1", "line-2"}) {
        h.move(h.center_of("add-norm.worked-steps.add." + line));
        h.settle();
        const std::uint64_t drawn = h.draw_digest();
        for (int i = 0; i < 4; ++i) {
            h.frame();
            EXPECT_EQ(h.draw_digest(), drawn) << line;
        }
        EXPECT_EQ(h.state().view.hover.feature, line.back() - '1');
    }
}

TEST(AddNormWorkspace, XHatKeepsItsDecimalsBesideAYFarAway) {
    Harness h;
    Document d = h.document();
    d.gamma = std::vector<double>(6, 1e9);
    h.become(d);
    h.settle();
    EXPECT_TRUE(h.has_text("1.48")) << "x\u0302[am, d3]";
}

TEST(AddNormWorkspace, ThePinnedFeatureHasItsLineInTheSteps) {
    Harness h; // six features: the fifth one's line is left out
    EXPECT_FALSE(h.has_text("0.40 + 0.20 = 0.60"));
    h.state().view.pinned_token = 2;
    h.state().view.pinned_feature = 4;
    h.settle();
    EXPECT_TRUE(h.has_text("0.40 + 0.20 = 0.60"));
}

TEST(AddNormWorkspace, SaysThatGammaBeginsAnewAndWhereItWent) {
    Harness h;
    const Document before = h.document();
    ASSERT_TRUE(begins_anew(before, AffinePer::scalar, Param::gamma)) << "this example's γ are set";
    h.click("add-norm.affine.scalar");
    h.settle();
    EXPECT_EQ(h.document().gamma->size(), 1u);
    EXPECT_TRUE(h.state().status.ends_with("comes back with “feature”")) << h.state().status;
    h.click("add-norm.affine.feature");
    h.settle();
    EXPECT_EQ(h.document(), before);
}

TEST(AddNorm, SaysWhoseStandardDeviationIsZero) {
    Harness h;
    Document d = h.document();
    Matrix<double> x = *d.x;
    x.row(1).setConstant(2);
    d.x = x;
    d.f = Matrix<double>(Matrix<double>::Zero(x.rows(), x.cols()));
    d.eps = 1e-50;
    const std::string group = "σ² of token “" + (*d.tokens)[1] + "” is 0";
    h.become(d);
    h.settle();
    EXPECT_TRUE(h.has_text(group + ", and ε = 1e-50 is 0 in float32")) << h.state().status;
    d.precision = Precision::float64;
    h.become(d);
    h.settle();
    EXPECT_FALSE(h.has_text(group));
    d.eps = 0;
    h.become(d);
    h.settle();
    EXPECT_TRUE(h.has_text(group + ", and so is ε"));
}

TEST(AddNorm, SaysWhereFloat32OverflowedAndTheWayOut) {
    Harness h({.example = "overflow"});
    EXPECT_TRUE(h.has_text("float32 overflowed in σ² of token"));
    EXPECT_TRUE(h.has_text("switch Precision to float64 (workspaces 2 and 3"));
    const std::string note = overflow_note(*h.state().derived).value();
    const std::string place = h.document().tokens->front() + ", " + h.document().features->front();
    const NamedPart cells = h.named("add-norm.card-x.cells");
    h.move({cells.rect.x + 8, cells.rect.y + 8});
    h.settle();
    EXPECT_TRUE(h.has_text(note)) << "whatever is hovered";
    EXPECT_TRUE(h.has_text(place)) << "beside it";
    Document d = h.document();
    d.precision = Precision::float64;
    h.become(d);
    h.settle();
    EXPECT_FALSE(h.has_text(note));
    EXPECT_FALSE(overflow_note(*Harness({.example = "nan-token"}).state().derived))
        << "a NaN that was there before is none of float32's";
}

// What undoes the norm for the pinned token, as the check says for which tokens it is undone.
std::string undoing_of_pinned(Harness& h) {
    const auto token = static_cast<std::size_t>(h.state().view.pinned_token.value_or(0));
    return undoing_words(h.document()) + " of “" + (*h.document().tokens)[token] + "”";
}

TEST(AddNorm, SpeaksOfOtherTokensOnlyWhereThereAreSome) {
    for (const auto& [example, others] : {std::pair("studying", true), {"evenly-spaced", false}}) {
        Harness h({.example = example});
        ASSERT_EQ(h.document().token_count() > 1, others) << example;
        EXPECT_TRUE(h.has_text(undoing_of_pinned(h))) << example;
        EXPECT_EQ(h.has_text("another μ and σ: theirs is not"), others) << example;
    }
}

TEST(AddNorm, ARangeUpsideDownIsRefused) {
    Harness h;
    const Document before = h.document();
    type_over(h, "add-norm.gamma.range-high", "-5");
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.state().status_is_error);
}

TEST(AddNorm, ARangeThatWouldLeaveValuesOutReachesThemAndSaysSo) {
    Harness h; // γ[d3] is 1.8
    type_over(h, "add-norm.gamma.range-high", "1.2");
    EXPECT_EQ(h.document().gamma_range.hi, 2);
    EXPECT_TRUE(h.has_text("−1 to 2"));
    EXPECT_FALSE(h.state().status_is_error);
    const Document before = h.document();
    type_over(h, "add-norm.gamma.range-high", "1.5");
    EXPECT_EQ(h.document(), before);
    expect_refusal(h, "−1 to 2");
}

TEST(AddNorm, AShapeIsTypedInOneStep) {
    Harness h;
    const Document before = h.document();
    type_over(h, "add-norm.tokens", "40");
    EXPECT_EQ(h.document().token_count(), 40);
    EXPECT_EQ(h.document().tokens->back(), "t39");
    EXPECT_EQ(h.state().history.undo_label(), "Shape: 40 tokens");
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
    for (const auto& [refused, names] : {std::pair("2.5", "2.5"), {"5000", "1 to 4096"}}) {
        type_over(h, "add-norm.tokens", refused);
        EXPECT_EQ(h.document(), before) << refused;
        expect_refusal(h, names);
    }
}

TEST(AddNorm, GroupsAreSetBesideTheNormThatHasThem) {
    Harness h; // six features
    EXPECT_FALSE(h.has("add-norm.groups"));
    h.click("add-norm.norm.group");
    h.frames(2);
    EXPECT_EQ(h.document().norm, (Norm{NormKind::group, 2}));
    EXPECT_TRUE(h.has_text("G = 2"));
    EXPECT_TRUE(h.has_text("studying, d0–d2")) << "whose steps are worked";
    type_over(h, "add-norm.groups", "3");
    EXPECT_EQ(h.document().norm.groups, 3);
    EXPECT_EQ(h.state().history.undo_label(), "Groups → 3");
    const Document three = h.document();
    for (const auto& [refused, names] : {std::pair("4", "3 or 6"), {"2.5", "2.5"}}) {
        type_over(h, "add-norm.groups", refused);
        EXPECT_EQ(h.document(), three) << refused;
        expect_refusal(h, names);
    }
    h.key(Key::z, true);
    EXPECT_EQ(h.document().norm, (Norm{NormKind::group, 2}));
    h.key(Key::z, true);
    EXPECT_EQ(h.document().norm, NormKind::layer);
}

TEST(AddNorm, StatisticsShowTheSpreadOfLargeValues) {
    Harness h({.window = {1600, 1200}, .example = "huge-offset"});
    // Nothing else writes them so: cells and steps have other decimals.
    EXPECT_EQ(texts(h, "9999.990"), 1);
    EXPECT_EQ(texts(h, "10000.000"), 1);
    EXPECT_EQ(texts(h, "10000.010"), 1);
}

TEST(AddNorm, TheChartsBeforeTheNormHaveOneScaleAndThoseAfterItAnother) {
    Harness h;
    const auto unit = [&](const char* card) {
        float zero = 0, two = 0;
        const Rect chart = h.named(std::string("add-norm.") + card + ".distribution").rect;
        for (const LoggedText& text : h.log().texts) {
            if (!chart.contains(text.rect.center())) continue;
            if (text.text == "0") zero = text.rect.center().x;
            if (text.text == "2") two = text.rect.center().x;
        }
        EXPECT_GT(zero, 0) << card;
        EXPECT_GT(two, zero) << card;
        return two - zero;
    };
    for (const char* card : {"card-f", "card-z"}) EXPECT_NEAR(unit(card), unit("card-x"), 2);
    EXPECT_NEAR(unit("card-y"), unit("card-x-hat"), 2);
}

TEST(AddNorm, SaysOfWhatOverflowedThatNothingBringsItBack) {
    Harness h({.example = "overflow"});
    EXPECT_TRUE(h.has_text("does not hold what its Z was"));
    EXPECT_FALSE(h.has_text(undoing_of_pinned(h)));
    h.click("add-norm.precision.float64");
    h.settle();
    EXPECT_TRUE(h.has_text(undoing_of_pinned(h)));
}

TEST(AddNorm, OffersToUndoANormWhereThereIsOne) {
    Harness h;
    EXPECT_TRUE(h.has("add-norm.try.undo-norm"));
    EXPECT_FALSE(h.has_text(" = Z"));
    h.click("add-norm.norm.none");
    h.settle();
    EXPECT_TRUE(h.has_text(" = Z")) << "x\u0302, in the legend of Before and after";
    EXPECT_FALSE(h.has("add-norm.try.undo-norm"));
}

TEST(AddNormWorkspace, TheShapeHasRoomForLargeNumbers) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        replace_document(h.state(), blank_document(1024, 1024));
        h.settle();
        EXPECT_EQ(h.named("add-norm.features.more").rect.w, h.named("add-norm.tokens.more").rect.w);
    }
}

TEST(AddNormWorkspace, ABatchOfOneCannotBeUndone) {
    Harness h({.example = "batch-of-one"});
    EXPECT_TRUE(h.has_text("A batch of one has no statistics"));
    const Derived& derived = *h.state().derived;
    EXPECT_FALSE(derived.gives_back(0, derived.max_abs_difference(0)));
}

TEST(AddNormWorkspace, SaysWhichOfGammaAndBetaBeginsAnew) {
    Harness h;
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), 2.0); // β differs from feature to feature
    h.become(d);
    h.settle();
    h.click("add-norm.affine.scalar");
    h.settle();
    EXPECT_EQ((*h.document().gamma)[0], 2);
    EXPECT_TRUE(h.state().status.starts_with("β per scalar begins at 0")) << h.state().status;
}

} // namespace

} // namespace normscope::testing
