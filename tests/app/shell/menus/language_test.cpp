#include "app/language/language.h"
#include "app/shell/lessons/lessons.h"
#include "tests/app/shell/harness.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

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

} // namespace
} // namespace normscope::testing
