#include "app/model/flow/flow_setup.h"

#include "app/language/catalogue.h"
#include "app/language/language.h"
#include "app/model/flow/flow_stories.h"
#include "tests/app/model/edited.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::edited;

class StackNames : public ::testing::Test {
  protected:
    void SetUp() override {
        german.words["With a skip"] = "Mit Skip";
        german.words["no norm"] = "keine Norm";
        german.words["no skip"] = "kein Skip";
        german.words["{} blocks"] = "{} Blöcke";
        german.words["{}, no skip"] = "{}, kein Skip";
        german.words["Mine"] = "Meiner";
        speak(&german);
    }
    void TearDown() override { speak(nullptr); }

    Catalogue german;
};

TEST_F(StackNames, AStoryGivesANameThatIsKeptInEnglishAndSaidInTheLanguage) {
    const Document d = edited(blank_document(2, 3), TellStory{"vanishing"});
    EXPECT_EQ(d.flow.pinned->front().name, "With a skip");
    EXPECT_EQ(stack_names(d.flow).front(), "Mit Skip");
    EXPECT_EQ(listed_names(edited(d, set<&FlowSetup::linked_affine>(true)).flow)[0],
              "Mit Skip, β 0");
}

TEST_F(StackNames, ThoseThatTheProgramMakesOfSettingsToo) {
    Document d = blank_document(2, 3);
    d = edited(d, PinStack{});
    d = edited(d, PinStack{});
    EXPECT_EQ(stack_names(d.flow)[0], "Post-LN encoder, 12 Blöcke");
    EXPECT_EQ(stack_names(d.flow)[1], "Post-LN encoder, 12 Blöcke (2)");
    StackConfig stack = d.flow.stack;
    stack.norm = k_without_norm;
    stack.skip = Residual::no_skip;
    stack.beta = 0.5;
    d = edited(edited(d, SetStack{stack}), PinStack{});
    EXPECT_EQ(stack_names(d.flow)[2], "Keine Norm, kein Skip, β 0.5");
    for (const PinnedStack& pin : *d.flow.pinned) EXPECT_EQ(pin.name, "") << "nobody typed one";
}

TEST_F(StackNames, WhatAPersonTypedStaysAsItWasTyped) {
    Document d = edited(blank_document(2, 3), TellStory{"vanishing"});
    for (const char* typed : {"Mine", "No skip (mine)", "With a skip, mine", "No skip, 4"}) {
        d = edited(d, RenamePin{0, typed});
        EXPECT_EQ(stack_names(d.flow).front(), typed);
    }
    FlowSetup own = default_flow();
    own.pinned = std::vector{PinnedStack{"With a skip", own.stack}};
    EXPECT_EQ(stack_names(own).front(), "With a skip") << "a name of a story, but not its stack";
}

} // namespace
} // namespace normscope
