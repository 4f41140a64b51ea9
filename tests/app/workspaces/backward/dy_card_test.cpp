// dY in the Backward workspace: typed, or made by a loss.
#include "app/charts/number_format.h"
#include "app/workspaces/backward/panels.h"
#include "tests/app/workspaces/backward/backwards.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace normscope::testing {
namespace {

TEST(DyCard, ASeedThatCannotBeIsRefusedInASentence) {
    Backwards h;
    h.choose("backward.loss.cross-entropy");
    const Document before = h.document();
    for (const char* bad : {"-5", "1.5", "99999999999999999999"}) {
        h.click("backward.head-seed");
        h.key(Key::a, true);
        h.type(bad);
        h.key(Key::enter);
        h.settle();
        EXPECT_EQ(h.document(), before) << bad;
        EXPECT_TRUE(h.state().status_is_error) << bad;
        EXPECT_NE(h.state().status.find(bad), std::string::npos) << h.state().status;
        h.click("status.dismiss");
        h.settle();
    }
    h.click("backward.head-seed");
    h.key(Key::a, true);
    h.type("7");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.document().backward.head_seed, 7u);
}

TEST(DyCard, TheMenuOfACellOfDySetsItToZeroAndCopiesAComputedOne) {
    Backwards h;
    const Document before = h.document();
    const Rect cells = h.named("backward.dy.cells").rect;
    const Point first{cells.x + 10, cells.y + 10};
    ASSERT_NE(h.backward().dy()(0, 0), 0);
    h.click(first, 1);
    h.settle();
    ASSERT_TRUE(h.state().view.menu);
    for (int i = 0; i < 4; ++i) h.key(Key::down); // Cut, Copy, both, and Paste; Fill is off
    h.key(Key::enter);
    h.settle();
    EXPECT_FALSE(h.state().view.menu);
    EXPECT_EQ(h.backward().dy()(0, 0), 0);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);

    h.choose("backward.loss.sum");
    const Rect computed = h.named("backward.dy.cells").rect;
    h.click(Point{computed.x + 10, computed.y + 10}, 1);
    h.settle();
    ASSERT_TRUE(h.state().view.menu);
    const Document chosen = h.document();
    h.key(Key::enter);
    h.settle();
    EXPECT_STREQ(ImGui::GetClipboardText(), "1\n");
    EXPECT_EQ(h.document(), chosen);
}

TEST(DyCard, TheMenuOfACellOfDyAddsATokenAndRenamesNone) {
    Backwards h;
    const Index tokens = h.document().token_count();
    const Rect cells = h.named("backward.dy.cells").rect;
    h.click(Point{cells.x + 10, cells.y + 10}, 1);
    h.settle();
    h.key(Key::up); // from the first to the last: "Feature", above it "Token"
    h.key(Key::up);
    h.key(Key::right);
    h.settle();
    h.key(Key::enter); // "Add a token above": nothing here shows an editor for a name
    h.settle();
    EXPECT_FALSE(h.state().view.renaming);
    EXPECT_EQ(h.document().token_count(), tokens + 1);
}

TEST(DyCard, ACellOfDyIsTypedAndUndone) {
    Backwards h;
    const Document before = h.document();
    const NamedPart cells = h.named("backward.dy.cells"); // dY is the first card
    h.click(Point{cells.rect.x + 10, cells.rect.y + 10});
    h.type("2.5");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.backward().dy()(0, 0), 2.5);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(DyCard, AHugeDyOfOneTokenLeavesTheNumbersOfTheOthers) {
    Backwards h;
    h.state().view.pinned_token = 3;
    h.settle();
    const Surgery s = h.backward().surgery(3);
    ASSERT_TRUE(h.shows("terms.dz", fixed_text(s.dz[0], 4)));
    const NamedPart cells = h.named("backward.dy.cells");
    h.click(Point{cells.rect.x + 10, cells.rect.y + 10});
    h.type("1e30");
    h.key(Key::enter);
    h.key(Key::escape); // lets the cell go
    h.move({-1000, -1000});
    h.state().view.pinned_token = 3;
    h.settle();
    EXPECT_TRUE(h.shows("terms.gamma", fixed_text(s.a[0], 4)));
    EXPECT_TRUE(h.shows("terms.dz", fixed_text(s.dz[0], 4)));
    EXPECT_TRUE(h.shows("parameters.beta.shares", "1e30")) << "what the first token adds to dβ";
    for (Index d = 1; d < 6; ++d) {
        const double sum = h.backward().dbeta()(d);
        ASSERT_GT(std::abs(sum), 0.05);
        EXPECT_TRUE(h.shows("parameters.beta.bars", fixed_text(sum, 1))) << d << ": " << sum;
    }
}

TEST(DyCard, DraggingACellOfDyIsOneStep) {
    Backwards h;
    const Document before = h.document();
    const NamedPart cells = h.named("backward.dy.cells");
    const Point at{cells.rect.x + 10, cells.rect.y + 10};
    h.drag(at, {at.x + 60, at.y}, 30);
    EXPECT_NE(h.document(), before);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo());
}

TEST(DyCard, TheSumOfYSaysWhyItsGradientVanishes) {
    Backwards h({.example = "three-features"});
    h.choose("backward.loss.sum");
    EXPECT_EQ(h.document().backward.loss, LossKind::sum);
    ASSERT_TRUE(h.backward().vanishing());
    EXPECT_TRUE(h.shows("dy", *h.backward().vanishing()));
}

// The numbers after the last `word` of the line that has it.
std::vector<double> numbers_after(const Harness& h, const std::string& word) {
    for (const LoggedText& t : h.log().texts) {
        const std::size_t at = t.text.find(word);
        if (at == std::string::npos) continue;
        std::string numbers = t.text.substr(at + word.size());
        constexpr std::string_view k_minus = "−";
        for (std::size_t m; (m = numbers.find(k_minus)) != std::string::npos;)
            numbers.replace(m, k_minus.size(), "-");
        std::istringstream in(numbers);
        return {std::istream_iterator<double>(in), {}};
    }
    return {};
}

TEST(DyCard, CrossEntropyCanBeComputedAgain) {
    Backwards h;
    h.choose("backward.loss.cross-entropy");
    EXPECT_TRUE(h.has_text("point at a cell for its p and W"));
    const NamedPart cells = h.named("backward.dy.cells");
    h.move({cells.rect.x + 8, cells.rect.y + 8});
    h.frames(2);
    const std::vector<double> p = numbers_after(h, ", p "), w = numbers_after(h, "W[d0] ");
    ASSERT_EQ(p.size(), 5u);
    ASSERT_EQ(w.size(), 5u);
    double dy = 0;
    for (std::size_t c = 0; c < 5; ++c) {
        const bool right = h.has_text("class " + std::to_string(c) + ", p");
        dy += (p[c] - (right ? 1 : 0)) * w[c] / 4;
    }
    EXPECT_NEAR(dy, h.backward().dy()(0, 0), 5e-4) << "from three decimals";
}

TEST(DyCard, ALossCanBeComputedAgain) {
    Backwards h;
    for (const auto& [loss, formula] :
         {std::pair{"sum", "L = Σ Y"}, std::pair{"cross-entropy", "L = mean −log p(class)"},
          std::pair{"distance", "L = mean (Y − T)²"}}) {
        h.choose(std::string("backward.loss.") + loss);
        const std::string value = number_text(*h.backward().loss(), 5);
        EXPECT_TRUE(h.shows("dy", std::string(formula) + " = " + value)) << value;
    }
    EXPECT_TRUE(h.shows("dy", "dY = 2 (Y − T) / 24"));
    const double dy = h.backward().dy()(0, 0);
    EXPECT_TRUE(h.shows("dy.cells", fixed_text(dy, 2))) << dy;
    EXPECT_TRUE(h.shows("parameters.beta.shares", fixed_text(dy, 3))) << dy;
    EXPECT_FALSE(h.has_text("×1e-")) << "one notation on one screen";
    const NamedPart cells = h.named("backward.dy.cells");
    h.move({cells.rect.x + 8, cells.rect.y + 8});
    h.frames(2);
    EXPECT_TRUE(h.shows("dy", "Y " + number_text(h.backward().y(0, 0), 5)));
    EXPECT_TRUE(h.shows("dy", "T " + number_text(h.backward().target()(0, 0), 5)));
    EXPECT_TRUE(h.shows("surgery", "a = γ ⊙ dY"));
}

TEST(DyCard, AMadeUpDyAndTheNormAreSaid) {
    Backwards h;
    Document d = h.document();
    d.backward.dy = Matrix<double>();
    h.show(d);
    EXPECT_TRUE(h.has_text("example numbers"));
    EXPECT_TRUE(h.has_text("Layer · γ, β per feature"));
}

TEST(DyCard, SaysWhatIsLeftBesideAZeroByConstruction) {
    Backwards h;
    Document d = h.document();
    d.affine_per = AffinePer::token;
    d.gamma = d.beta = std::vector<double>(4, 0.5);
    d.backward.loss = LossKind::distance;
    h.show(d);
    EXPECT_GT(h.backward().largest_dz(), 1e-9);
    EXPECT_NE(h.backward().vanishing()->find("up to what ε leaves (largest "), std::string::npos);
    d.backward.loss = LossKind::sum;
    h.show(d);
    ASSERT_TRUE(h.backward().vanishing());
    EXPECT_EQ(h.backward().vanishing()->find("up to"), std::string::npos)
        << "no more than rounding";
}

TEST(DyCard, ADistanceBetweenLargeNumbersIsChecked) {
    Backwards h({.example = "overflow"});
    h.choose("backward.learn.toward-z");
    ASSERT_GT(h.backward().dy().cwiseAbs().maxCoeff(), 1e18);
    ASSERT_TRUE(h.backward().checks().dy);
    EXPECT_TRUE(h.backward().checks().dy->agrees(1e-6));
    EXPECT_TRUE(h.ticked("checks.dy"));
}

} // namespace
} // namespace normscope::testing
