#include "tests/ui/harness.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

std::ptrdiff_t texts(const Harness& h, const std::string& text) {
    return std::ranges::count(h.log().texts, text, &LoggedText::text);
}

TEST(AddNormWorkspace, WithoutASkipNoPlusStandsBetweenXAndTheSublayer) {
    Harness h;
    const auto plus = texts(h, "+");
    const auto editable = texts(h, "editable");
    ASSERT_EQ(texts(h, "not added"), 0);
    ASSERT_TRUE(h.state().apply_edits({SetResidual{Residual::no_skip}}));
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

TEST(AddNormWorkspace, SaysThatGammaBeginsAnewAndWhereItWent) {
    Harness h;
    const Document before = h.document();
    ASSERT_TRUE(begins_anew(before, AffinePer::scalar)) << "this example's γ are set";
    h.click("scalar");
    h.settle();
    EXPECT_EQ(h.document().gamma->size(), 1u);
    EXPECT_TRUE(h.state().status.ends_with("comes back with “feature”")) << h.state().status;
    h.click("feature", h.widgets("feature").size() - 1); // the first one chooses what is pooled
    h.settle();
    EXPECT_EQ(h.document(), before);
}

} // namespace
} // namespace normscope::testing
