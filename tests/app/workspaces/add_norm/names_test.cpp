#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

// The names of tokens and features beside and above the cells of Add & Norm.
namespace normscope::testing {
namespace {

// The place of a feature's name above a card's cells.
Point feature_name(Harness& h, Index feature, Tensor card) {
    auto left = static_cast<int>(card);
    for (const LoggedText& t : h.log().texts)
        if (t.text == (*h.document().features)[static_cast<std::size_t>(feature)] && left-- == 0)
            return t.rect.center();
    throw std::runtime_error("no such name on the screen");
}

Point token_name(Harness& h, Index token) {
    for (const LoggedText& t : h.log().texts)
        if (t.text == (*h.document().tokens)[static_cast<std::size_t>(token)])
            return t.rect.center();
    throw std::runtime_error("no such name on the screen");
}

void type_name(Harness& h, const std::string& name) {
    h.settle();
    ASSERT_TRUE(h.state().view.renaming) << "no editor has appeared";
    h.type(name);
    h.key(Key::enter);
    h.settle();
    EXPECT_FALSE(h.state().view.renaming);
    EXPECT_FALSE(h.state().view.menu);
}

TEST(Names, EnterEndsARenameAndDoesNotPressTheLastButtonToo) {
    Harness h;
    h.click("add-norm.try.randomize");
    h.settle();
    ASSERT_NE(h.state().history.undo_label().find("Randomize"), std::string::npos);
    const Matrix<double> x = *h.document().x;
    h.double_click(token_name(h, 1));
    type_name(h, "was ");
    EXPECT_EQ((*h.document().tokens)[1], "was") << "without the space";
    EXPECT_EQ(*h.document().x, x);
    EXPECT_NE(h.state().history.undo_label().find("Rename"), std::string::npos)
        << h.state().history.undo_label();
}

class NamesOfACard : public ::testing::TestWithParam<Tensor> {};

TEST_P(NamesOfACard, TheMenuOfAFeaturesNameRenamesIt) {
    Harness h;
    const Index last = h.document().feature_count() - 1;
    ASSERT_GE(last, h.document().token_count()) << "an index that no token has";
    for (const Index feature : {Index{1}, last}) {
        h.click(feature_name(h, feature, GetParam()), 1);
        h.settle();
        ASSERT_TRUE(h.state().view.menu);
        h.key(Key::enter); // "Rename feature…" is the first
        type_name(h, "new" + std::to_string(feature));
        EXPECT_EQ((*h.document().features)[static_cast<std::size_t>(feature)],
                  "new" + std::to_string(feature));
    }
}

TEST_P(NamesOfACard, ADoubleClickOnAFeaturesNameRenamesItThere) {
    Harness h;
    const Point at = feature_name(h, 2, GetParam());
    h.double_click(at);
    h.settle();
    ASSERT_NE(h.state().ui.text_edit, 0u);
    const auto edited = std::ranges::find(h.log().parts, h.state().ui.text_edit, &NamedPart::id);
    ASSERT_NE(edited, h.log().parts.end());
    EXPECT_TRUE(edited->rect.contains(at)) << "in the card that was clicked";
    type_name(h, "height");
    EXPECT_EQ((*h.document().features)[2], "height");
}

TEST_P(NamesOfACard, ACellsMenuRenamesItsFeatureAndItsToken) {
    for (const Axis axis : {Axis::feature, Axis::token}) {
        Harness h;
        h.click({feature_name(h, 3, GetParam()).x, token_name(h, 1).y}, 1);
        h.settle();
        ASSERT_TRUE(h.state().view.menu);
        h.key(Key::up); // from the first to the last: "Feature", above it "Token"
        if (axis == Axis::token) h.key(Key::up);
        h.key(Key::right);
        h.settle();
        h.key(Key::enter);
        type_name(h, "renamed");
        EXPECT_EQ((*h.document().features)[3] == "renamed", axis == Axis::feature);
        EXPECT_EQ((*h.document().tokens)[1] == "renamed", axis == Axis::token);
    }
}

std::string card_name(const ::testing::TestParamInfo<Tensor>& info) {
    constexpr const char* k_names[] = {"X", "F", "Z", "XHat", "Y"};
    return k_names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Cards, NamesOfACard,
                         ::testing::Values(Tensor::x, Tensor::f, Tensor::z, Tensor::x_hat,
                                           Tensor::y),
                         card_name);

TEST(Names, RenamingATokenPinsIt) {
    for (const Index before : {0, 2}) {
        Harness h;
        h.state().view.pinned_token = before;
        h.settle();
        h.double_click(token_name(h, 2));
        type_name(h, "third");
        EXPECT_EQ(h.state().view.pinned_token, 2);
    }
}

TEST(Names, LettersAreThereWhileANameIsTyped) {
    Harness h;
    h.double_click(token_name(h, 1));
    h.settle();
    h.type("日本");
    h.frame();
    EXPECT_NE(h.app().extra_text().find("日本"), std::string::npos);
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().tokens)[1], "日本");
}

TEST(Names, EscLeavesANameAsItWas) {
    Harness h;
    const Document before = h.document();
    h.double_click(feature_name(h, 1, Tensor::z));
    h.settle();
    h.type("oops");
    h.key(Key::escape);
    h.settle();
    EXPECT_FALSE(h.state().view.renaming);
    EXPECT_EQ(h.document(), before);
}

TEST(Names, OfThousandsOfTokensAreWhole) {
    for (const Index tokens : {Index{512}, k_max_tokens}) {
        Harness h;
        replace_document(h.state(), blank_document(tokens, 64));
        for (std::size_t w = 0; w < 2; ++w) {
            h.state().view.workspace = w;
            h.state().view.viewport = {static_cast<float>(tokens) / 8,
                                       static_cast<float>(tokens - 8), 0};
            h.settle();
            const std::string end = std::to_string(tokens / 100); // "t5", "t40"
            bool seen = false;
            for (const LoggedText& t : h.log().texts) {
                if (!t.text.starts_with("t" + end)) continue;
                EXPECT_EQ(t.text.find("…"), std::string::npos) << t.text;
                seen = true;
            }
            EXPECT_TRUE(seen) << "the last rows are in view, in workspace " << w;
        }
    }
}

} // namespace
} // namespace normscope::testing
