#include "app/language/language.h"
#include "app/model/train/race_setup.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <tuple>
#include <vector>

namespace normscope::testing {
namespace {

std::set<std::string> names_on(const Harness& h) {
    std::set<std::string> names;
    for (const NamedPart& part : h.log().parts) names.insert(part.name);
    return names;
}

std::string words_of(const Harness& h) {
    std::string all;
    for (const LoggedText& t : h.log().texts) all += t.text + " ";
    return all;
}

void choose_language(Harness& h, const std::string& id) {
    h.click_and_settle("bar.view");
    h.move(h.center_of("menu.view.language"));
    h.settle();
    h.click("menu.view.language." + id);
    h.move({-1000, -1000}); // what is under the mouse has more to it
    h.settle();
}

TEST(ChosenLanguage, IsSpokenAtOnceAndNamesStay) {
    Harness h;
    EXPECT_TRUE(h.has_text("File"));
    const auto before = names_on(h);
    const Document document = h.document();
    choose_language(h, "de");
    EXPECT_TRUE(h.has_text("Datei"));
    EXPECT_FALSE(h.has_text("File"));
    for (const std::string& name : names_on(h)) EXPECT_TRUE(before.contains(name)) << name;
    for (const std::string& name : before) EXPECT_TRUE(h.has(name)) << name;
    EXPECT_EQ(h.document(), document);
    choose_language(h, "es");
    EXPECT_TRUE(h.has_text("Archivo"));
    choose_language(h, "en");
    EXPECT_TRUE(h.has_text("File"));
}

TEST(ChosenLanguage, AVerdictIsNoDirection) {
    for (const auto& [language, right, wrong] :
         {std::tuple("de", "richtig", "falsch"), {"es", "correcto", "incorrecto"}}) {
        Harness h({.window = {1600, 4000}, .language = language});
        h.state().view.workspace = *workspace_index("backward");
        h.state().view.of<BackwardView>().folds.open("published");
        h.settle();
        const auto is_there = [&](const std::string& word) {
            return std::ranges::find(h.log().texts, word, &LoggedText::text) != h.log().texts.end();
        };
        EXPECT_TRUE(is_there(right)) << language;
        EXPECT_TRUE(is_there(wrong)) << language;
        for (const char* word : {"right", "wrong", "unsafe", "nach rechts", "a la derecha"})
            EXPECT_FALSE(is_there(word)) << language << ": " << word;
    }
}

TEST(ChosenLanguage, OfTheCommandLineIsSpokenFromTheFirstFrame) {
    const Harness h({.language = "es"});
    EXPECT_TRUE(h.has_text("Archivo"));
}

TEST(ChosenLanguage, IsKept) {
    const Harness folder; // whose folder outlives both
    {
        Harness h({.persist = true, .dir = folder.dir()});
        choose_language(h, "de");
    }
    const Harness h({.persist = true, .dir = folder.dir()});
    EXPECT_TRUE(h.has_text("Datei"));
    EXPECT_EQ(h.state().language, "de");
}

TEST(ChosenLanguage, AsTheSystemIsThatOfTheEnvironment) {
    ::setenv("LC_ALL", "de_DE.UTF-8", 1);
    Harness h;
    choose_language(h, "system");
    ::unsetenv("LC_ALL");
    EXPECT_TRUE(h.has_text("Datei"));
}

TEST(ChosenLanguage, LeavesWhatAPersonTypedAlone) {
    Harness h;
    const auto renamed = apply(h.document(), Rename{Axis::feature, 0, "File"});
    ASSERT_TRUE(renamed);
    h.become(*renamed);
    choose_language(h, "de");
    EXPECT_TRUE(h.has_text("File"));
}

TEST(ChosenLanguage, IsThatOfWhatUndoSaysOfEarlierSteps) {
    SetStack deeper{StackConfig{}};
    deeper.stack.blocks = 24;
    deeper.stack.width = 32;
    const std::vector<Edit> edits{SetCells{Input::x, 0, 0, Matrix<double>::Constant(2, 2, 7)},
                                  Rename{Axis::token, 0, "Add"},
                                  set<&Document::norm, &Norm::kind>(NormKind::batch),
                                  ScaleInput{2},
                                  ResetParams{},
                                  Randomize{Distribution::normal, 5},
                                  deeper,
                                  AddLane{},
                                  Decode{1}};
    Harness h;
    const Document start = h.document();
    const auto after_all = [&] {
        History history(start);
        for (const Edit& edit : edits) {
            history.change(*apply(history.document(), edit), edit);
            history.settle(false);
        }
        return history;
    };
    const auto labels = [](History history) {
        std::vector<std::string> all;
        for (; history.can_undo(); history.undo()) all.insert(all.begin(), history.undo_label());
        return all;
    };
    const History made_in_english = after_all();
    const std::string renamed = "Rename “" + name_of(start, Axis::token, 0) + "” to “Add”";
    EXPECT_EQ(labels(made_in_english)[1], renamed);
    choose_language(h, "de");
    EXPECT_EQ(labels(made_in_english), labels(after_all()));
    EXPECT_NE(labels(made_in_english)[1], renamed);
}

TEST(ChosenLanguage, IsThatOfWhatTheLastEditMoved) {
    Harness h;
    ASSERT_TRUE(h.state().apply_edits({SetParam{Param::gamma, 0, 0, 3}}));
    h.settle();
    EXPECT_TRUE(h.has_text("values of Y moved"));
    choose_language(h, "de");
    EXPECT_FALSE(h.has_text("values of Y moved"));
}

TEST(ChosenLanguage, IsThatOfLanesAndOfWhatIsRefused) {
    Harness h({.language = "de"});
    h.key(Key::n6);
    h.settle();
    for (const bool on : {true, false}) {
        TrainConfig config = usual_config(Task::reverse);
        config.masked = on;
        RaceSetup race;
        race.common = usual_config(Task::reverse);
        race.common.masked = !on;
        EXPECT_EQ(lane_name(race, with_config(race, {}, config)), on ? "Maske" : "keine Maske");
    }
    const Document before = h.document();
    h.click("train.layers.value");
    h.key(Key::a, true);
    h.type("a");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.state().status_is_error);
    EXPECT_EQ(h.state().status.find("stays as it was"), std::string::npos) << h.state().status;
}

TEST(ChosenLanguage, IsThatOfTheLessonToo) {
    Harness h;
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut:2"));
    h.settle();
    h.click("lesson.choice-1");
    h.click_and_settle("lesson.check");
    ASSERT_FALSE(h.state().lesson->player.asks());
    choose_language(h, "de");
    EXPECT_EQ(h.state().lesson->player.lesson().title, "Die Abkürzung");
    EXPECT_NE(words_of(h).find("Die Abkürzung"), std::string::npos);
    EXPECT_FALSE(h.state().lesson->player.asks()) << "what was answered stays answered";
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut:2"));
    EXPECT_EQ(h.state().lesson->player.option, 1u) << "in the other language too";
}

TEST(ChosenLanguage, NamesTheKeysOfItsKeyboard) {
    Harness h({.language = "de"});
    EXPECT_EQ(chord_text({Key::y, true}), "Strg+Y");
    EXPECT_EQ(chord_text({Key::s, true, true}), "Strg+Umsch+S");
}

} // namespace
} // namespace normscope::testing
