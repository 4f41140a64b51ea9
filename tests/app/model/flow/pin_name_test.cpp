#include "app/model/flow/flow_setup.h"

#include "app/language/catalogue.h"
#include "app/language/language.h"
#include "app/model/flow/flow_stories.h"
#include "tests/app/model/edited.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::edited;

class SpokenNames : public ::testing::Test {
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

TEST_F(SpokenNames, AStoryGivesANameThatIsKeptInEnglishAndSaidInTheLanguage) {
    const Document d = edited(blank_document(2, 3), TellStory{"vanishing"});
    const PinnedStack& pin = d.flow.pinned->front();
    EXPECT_EQ(pin.name, "With a skip");
    EXPECT_EQ(spoken_name(pin), "Mit Skip");
    EXPECT_EQ(listed_name(pin, true), "Mit Skip, β 0");
}

TEST_F(SpokenNames, ThoseThatTheProgramMakesOfSettingsToo) {
    Document d = blank_document(2, 3);
    d = edited(d, PinStack{});
    d = edited(d, PinStack{});
    EXPECT_EQ((*d.flow.pinned)[0].name, "Post-LN encoder, 12 blocks") << "as English as a session";
    EXPECT_EQ((*d.flow.pinned)[1].name, "Post-LN encoder, 12 blocks (2)");
    EXPECT_EQ(spoken_name((*d.flow.pinned)[0]), "Post-LN encoder, 12 Blöcke");
    EXPECT_EQ(spoken_name((*d.flow.pinned)[1]), "Post-LN encoder, 12 Blöcke (2)");
    StackConfig stack = d.flow.stack;
    stack.norm = k_without_norm;
    stack.skip = Residual::no_skip;
    stack.beta = 0.5;
    d = edited(edited(d, SetStack{stack}), PinStack{});
    EXPECT_EQ(d.flow.pinned->back().name, "No norm, no skip, β 0.5");
    EXPECT_EQ(spoken_name(d.flow.pinned->back()), "Keine Norm, kein Skip, β 0.5");
}

TEST_F(SpokenNames, WhatAPersonTypedStaysAsItWasTyped) {
    Document d = edited(blank_document(2, 3), TellStory{"vanishing"});
    for (const char* typed : {"Mine", "No skip (mine)", "With a skip, mine", "No skip, 4"}) {
        d = edited(d, RenamePin{0, typed});
        EXPECT_EQ(spoken_name(d.flow.pinned->front()), typed);
    }
    PinnedStack own{"With a skip", default_flow().stack};
    EXPECT_EQ(spoken_name(own), "With a skip") << "a name of a story, but not its stack";
}

} // namespace
} // namespace normscope
