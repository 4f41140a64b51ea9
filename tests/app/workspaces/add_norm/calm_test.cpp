// Pixels that an edit does not concern stand still, and a page shows few controls.

#include "app/charts/number_format.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

const Theme& k_light = theme(ThemeKind::light);

// The pixels of a card's cells and dots: corners of the rectangles in the cells' colours, and
// everything in the colour of its dots.
std::vector<Point> pixels(const Harness& h, Tensor which, double limit) {
    const auto at = static_cast<std::size_t>(which);
    const std::string card = "add-norm." + std::string(k_card_ids[at]);
    const MatrixView values = h.state().derived->view(which);
    std::vector<Point> all;
    for (Index r = 0; r < values.rows(); ++r)
        for (Index c = 0; c < values.cols(); ++c) {
            const auto found =
                h.vertices(heat_color(k_light, values(r, c), limit), h.named(card + ".cells").rect);
            EXPECT_FALSE(found.empty()) << card << " " << r << ", " << c;
            all.insert(all.end(), found.begin(), found.end());
        }
    const Color dots = k_light.of(static_cast<Stage>(which)).with_alpha(0.85f);
    const auto found = h.vertices(dots, h.named(card + ".distribution").rect);
    EXPECT_FALSE(found.empty());
    all.insert(all.end(), found.begin(), found.end());
    return all;
}

void expect_same(const std::vector<Point>& a, const std::vector<Point>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(distance(a[i], b[i]), 0.05f);
}

double limit_now(const Harness& h, std::string_view name) {
    return h.state().view.scales.at(name).now->hi;
}

TEST(CalmCards, AddingToAllOfXMovesNoPixelOfY) {
    Harness h({.example = "three-features"});
    const auto before = pixels(h, Tensor::y, limit_now(h, "add-norm.y"));
    const Matrix<double> x = *h.document().x;
    for (const double add : {1.0, 3.9, -4.6, 40.0}) {
        ASSERT_TRUE(h.state().apply_edits({SetCells{Input::x, 0, 0, (x.array() + add).matrix()}}));
        h.frames(2);
        expect_same(pixels(h, Tensor::y, limit_now(h, "add-norm.y")), before);
        h.settle();
        expect_same(pixels(h, Tensor::y, limit_now(h, "add-norm.y")), before);
    }
}

TEST(CalmCards, NoColourAndNoAxisMovesWhileANumberIsDragged) {
    Harness h({.example = "three-features"});
    const double limit = limit_now(h, "add-norm.before");
    const Extent axis = *h.state().view.scales.at("add-norm.axis-before").now;
    const auto before = pixels(h, Tensor::f, limit);
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    const Point at{cells.x + 20, cells.center().y};
    h.move(at);
    h.frame();
    h.press();
    h.frame();
    for (int i = 1; i <= 40; ++i) {
        h.move({at.x + static_cast<float>(40 * i), at.y});
        h.frame();
    }
    ASSERT_GT((*h.document().x)(0, 0), 2 * limit);
    EXPECT_EQ(limit_now(h, "add-norm.before"), limit);
    EXPECT_EQ(*h.state().view.scales.at("add-norm.axis-before").now, axis);
    expect_same(pixels(h, Tensor::f, limit), before);
    h.release();
    h.frames(5);
    EXPECT_EQ(limit_now(h, "add-norm.before"), limit) << "the eye has time";
    h.settle();
    EXPECT_GE(limit_now(h, "add-norm.before"), (*h.document().x)(0, 0));
}

TEST(CalmCards, ASmallEditChangesNoColourButThatOfItsValues) {
    Harness h;
    const double limit = limit_now(h, "add-norm.before");
    const auto before = pixels(h, Tensor::x, limit);
    ASSERT_TRUE(h.state().apply_edits({FillCells{Input::f, 1, 1, 1, 1, 1.9}}));
    h.settle();
    EXPECT_EQ(limit_now(h, "add-norm.before"), limit);
    expect_same(pixels(h, Tensor::x, limit), before);
}

TEST(CalmCards, AGhostsRangeDoesNotStayAfterAnotherEdit) {
    Harness h;
    for (const double value : {1e38, 1e-7}) {
        ASSERT_TRUE(h.state().apply_edits({FillCells{Input::x, 0, 0, 1, 1, value}}));
        h.settle();
    }
    EXPECT_LT(h.state().view.scales.at("add-norm.all").now->hi, 20);
}

TEST(CalmCards, AnotherDocumentHasItsScalesAtOnce) {
    Harness h;
    Document d = blank_document(2, 3);
    d.x = Matrix<double>(Matrix<double>::Constant(2, 3, 700));
    replace_document(h.state(), d);
    h.frames(2);
    EXPECT_EQ(limit_now(h, "add-norm.before"), 1000);
}

// Two decimals at least.
bool has(const std::vector<std::string>& texts, double value) {
    return std::ranges::any_of(texts, [&](const std::string& text) {
        return text == fixed_text(value, 2) || text == fixed_text(value, 3);
    });
}

TEST(CalmCards, EveryRowOfZHasItsMeanAndSpreadBesideIt) {
    Harness h;
    const Derived& derived = *h.state().derived;
    const auto beside = h.texts_in("add-norm.card-z.statistics");
    for (Index t = 0; t < 4; ++t) {
        EXPECT_TRUE(has(beside, derived.mean(t))) << t;
        EXPECT_TRUE(has(beside, 1 / derived.rstd(t))) << t;
    }
}

TEST(CalmCards, ColumnsHaveTheirMeansUnderBatchNorm) {
    Harness h;
    ASSERT_TRUE(h.state().apply_edits({set<&Document::norm, &Norm::kind>(NormKind::batch)}));
    h.settle();
    const auto below = h.texts_in("add-norm.card-z.statistics");
    EXPECT_TRUE(has(below, h.state().derived->mean(2)));
    EXPECT_TRUE(h.has_text("μ"));
}

TEST(CalmCards, EachGroupHasItsOwnMeanAndSaysWhichItIs) {
    Harness h;
    ASSERT_TRUE(h.state().apply_edits({set<&Document::norm, &Norm::kind>(NormKind::group)}));
    h.settle();
    const StatisticSets sets = h.state().derived->sets();
    ASSERT_EQ(sets.groups, 2);
    EXPECT_TRUE(h.has_text("d0–d2"));
    EXPECT_TRUE(h.has_text("d3–d5"));
    const auto beside = h.texts_in("add-norm.card-z.statistics");
    for (Index set = 0; set < 8; ++set)
        EXPECT_TRUE(has(beside, h.state().derived->mean(set))) << set;
}

TEST(CalmPage, NoWorkspaceShowsMoreThanTwentyFiveControlsBeforeMoreIsPressed) {
    Harness h({.unfolded = false});
    for (std::size_t i = 0; i < workspace_table().size(); ++i) {
        h.state().view.workspace = i;
        h.settle();
        const std::string_view id = workspace_table()[i].id;
        EXPECT_LE(controls_within(h.log(), id), 25u) << id;
    }
}

TEST(CalmPage, MoreBringsWhatIsSeldomChanged) {
    Harness h({.unfolded = false});
    EXPECT_FALSE(h.has("add-norm.eps"));
    EXPECT_FALSE(h.has("add-norm.undo-check"));
    h.click_and_settle("add-norm.setup.more");
    EXPECT_TRUE(h.has("add-norm.eps"));
    EXPECT_FALSE(h.has("add-norm.try.reset"));
    h.click_and_settle("add-norm.setup.try");
    EXPECT_TRUE(h.has("add-norm.try.reset"));
    EXPECT_TRUE(h.has("add-norm.undo-check"));
    h.click_and_settle("add-norm.setup.more");
    EXPECT_FALSE(h.has("add-norm.eps"));
}

TEST(CalmPage, PlayAndGeometryAreInSightInASmallWindow) {
    Harness h({.window = {1024, 768}, .unfolded = false});
    for (const char* name : {"add-norm.cards.play", "add-norm.view.geometry"})
        EXPECT_GT(h.named(name).in_sight().h, 20) << name;
}

TEST(CalmPage, FitsTheWindowOfALaptop) {
    Harness h({.unfolded = false});
    EXPECT_GT(h.named("add-norm.setup.more").in_sight().h, 20);
    EXPECT_LT(h.content_height(), 1000);
}

TEST(CalmPage, WithLargeTextAllCardsAreInSightWithZAndWhatBecomesOfItSideBySide) {
    for (const Size window : {Size{1600, 1000}, Size{1920, 1080}}) {
        Harness h({.window = window, .scale = 2, .unfolded = false});
        const float y = h.named("add-norm.card-z").rect.y;
        EXPECT_EQ(h.named("add-norm.card-x-hat").rect.y, y);
        EXPECT_EQ(h.named("add-norm.card-y").rect.y, y);
        for (const char* card : {"card-x", "card-f", "card-z", "card-x-hat", "card-y"}) {
            const NamedPart& part = h.named(std::string("add-norm.") + card);
            EXPECT_EQ(part.in_sight().h, part.rect.h) << card;
        }
    }
}

// A hyphen before a digit, but in an exponent and within a word.
bool has_hyphen_for_minus(const std::string& text) {
    for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; ++at) {
        const bool digit = at + 1 < text.size() && std::isdigit(text[at + 1]);
        const bool within = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1]));
        if (digit && !within) return true;
    }
    return false;
}

TEST(CalmPage, EveryMinusSignIsTheSame) {
    Harness h;
    EXPECT_TRUE(h.has_text("−0.30"));
    for (std::size_t i = 0; i < workspace_table().size(); ++i) {
        h.state().view.workspace = i;
        h.settle();
        for (const LoggedText& t : h.log().texts)
            EXPECT_FALSE(has_hyphen_for_minus(t.text)) << t.text;
    }
}

} // namespace
} // namespace normscope::testing
