#include "app/io/file.h"
#include "app/session/session_file.h"
#include "app/shell/files/autosave.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>

// The question when the program ends, and the offer after it broke off.
namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

TEST(Quit, AsksOnlyWhenSomethingWouldBeLost) {
    Harness h;
    h.app().request_quit();
    h.settle();
    EXPECT_TRUE(h.app().wants_quit());
}

TEST(Quit, OffersToSave) {
    Harness h;
    h.click("add-norm.gamma.d1");
    h.key(Key::del);
    h.key_and_settle(Key::q, true);
    ASSERT_FALSE(h.app().wants_quit());
    EXPECT_TRUE(h.has_text("changes that are not saved"));
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_FALSE(h.app().wants_quit());

    h.app().request_quit();
    h.settle();
    h.key_and_settle(Key::enter); // Save
    ASSERT_EQ(h.state().dialogs.size(), 1u) << "a name is needed";
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.app().wants_quit());
    EXPECT_TRUE(fs::exists(h.dir() / "a-sentence-with-and.normscope.json"));
}

TEST(Quit, RemembersWhatAnotherDocumentTookThePlaceOf) {
    Harness h;
    h.click("add-norm.gamma.d1");
    h.key(Key::del);
    const Document changed = h.document();
    h.click_and_settle("bar.example");
    h.click("menu.example.evenly-spaced");
    h.app().request_quit();
    h.settle();
    ASSERT_FALSE(h.app().wants_quit());
    h.click_and_settle("dialog.go-0");
    EXPECT_EQ(h.document(), changed);
    h.app().request_quit();
    h.settle();
    h.click_and_settle("dialog.discard");
    EXPECT_TRUE(h.app().wants_quit());
}

TEST(Quit, TwoDocumentsOfOneTitleAreToldApartByTheirLastChange) {
    Harness h;
    h.click("add-norm.gamma.d1");
    h.key_and_settle(Key::del);
    const std::string first = h.state().history.undo_label();
    h.click_and_settle("bar.example");
    h.click_and_settle("menu.example.evenly-spaced");
    h.state().apply_edits({SetParam{Param::beta, 1, 1, 2}});
    h.settle();
    const std::string second = h.state().history.undo_label();
    ASSERT_NE(first, second);
    ask_quit(h.state());
    h.settle();
    EXPECT_TRUE(h.has_text(first));
    EXPECT_TRUE(h.has_text(second));
}

TEST(Quit, AListThatHasNoRoomSaysHowManyMoreThereAre) {
    Harness h;
    constexpr int k_left = 40;
    for (int i = 0; i < k_left; ++i) {
        Document left = h.document();
        left.title = "Left " + std::to_string(i);
        h.state().files.left_unsaved.push_back({left, std::make_shared<KeptFile>()});
    }
    ask_quit(h.state());
    h.settle();
    const Rect buttons = h.named("dialog.save").rect;
    int shown = 0;
    for (const LoggedText& t : h.log().texts) {
        if (!t.text.starts_with("Left ")) continue;
        ++shown;
        EXPECT_LT(t.rect.bottom(), buttons.y) << t.text;
    }
    EXPECT_GT(shown, 5);
    EXPECT_LT(shown, k_left);
    EXPECT_TRUE(h.has_text("and " + std::to_string(k_left - shown) + " more"));
    h.click_and_settle("dialog.discard");
    EXPECT_TRUE(h.app().wants_quit());
}

// One document has a file and was left with changes, the other one is on the screen.
class QuitTwo : public ::testing::Test {
  protected:
    Harness h{{.persist = true}};
    fs::path file = h.dir() / ("lesson" + std::string(k_session_suffix));
    Document first, second;

    void change(const std::string& fader) {
        const Point middle = h.center_of("add-norm.gamma." + fader);
        h.drag(middle, {middle.x, middle.y - 20});
    }
    void SetUp() override {
        change("d1");
        h.save_to(file);
        h.settle();
        change("d2");
        first = h.document();
        h.click_and_settle("bar.example");
        h.click_and_settle("menu.example.evenly-spaced");
        change("d1");
        second = h.document();
    }
    void quit() {
        h.key_and_settle(Key::q, true);
        ASSERT_EQ(h.state().dialogs.size(), 1u);
    }
    static Document saved_in(const fs::path& path) {
        const auto bytes = read_file(path);
        EXPECT_TRUE(bytes) << path;
        return read_session(bytes.value_or(""), path.string()).value_or(blank_document(1, 1));
    }
    std::size_t copies() {
        h.app().keep_unsaved_work();
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(h.dir() / "state"))
            count += entry.path().extension() == ".copy" ? 1 : 0;
        return count;
    }
};

TEST_F(QuitTwo, OneDialogListsWhatIsUnsaved) {
    quit();
    EXPECT_TRUE(h.has_text("2 documents have changes that are not saved."));
    EXPECT_TRUE(h.has_text("~/lesson.normscope.json"));
    EXPECT_TRUE(h.has_text(second.title));
    EXPECT_TRUE(h.has_text("It has no file yet"));
    h.click_and_settle("dialog.discard");
    EXPECT_TRUE(h.app().wants_quit()) << "it is answered once";
}

TEST_F(QuitTwo, NothingIsGivenUpBeforeTheProgramEnds) {
    for (const char* way : {"dialog.cancel", "dialog.go-1"}) {
        quit();
        h.click_and_settle(way);
        EXPECT_FALSE(h.app().wants_quit());
        EXPECT_TRUE(h.app().window_title().starts_with("• ")) << way;
        EXPECT_EQ(unsaved_work(h.state()).size(), 2u) << way;
        EXPECT_EQ(copies(), 2u) << way;
    }
    EXPECT_EQ(h.document(), first) << "the one that was gone to";
    quit();
    h.click("dialog.discard");
    EXPECT_FALSE(h.state().history.saved());
    EXPECT_EQ(h.state().files.left_unsaved.size(), 1u);
}

TEST_F(QuitTwo, SavesAllOneAfterTheOther) {
    quit();
    h.key_and_settle(Key::enter); // Save all
    ASSERT_EQ(h.state().dialogs.size(), 1u) << "a name is needed";
    EXPECT_TRUE(h.has_text("Save “" + second.title + "” as"));
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.app().wants_quit());
    EXPECT_EQ(saved_in(file), first);
    EXPECT_EQ(saved_in(h.dir() / "2-4-6-8.normscope.json"), second);
}

TEST_F(QuitTwo, SavesOneAndAsksAboutTheOther) {
    quit();
    h.click_and_settle("dialog.save-1");
    EXPECT_FALSE(h.app().wants_quit());
    EXPECT_EQ(saved_in(file), first);
    EXPECT_TRUE(h.has_text("This document has changes that are not saved."));
    EXPECT_TRUE(h.has_text(second.title));
    h.key_and_settle(Key::escape);
    EXPECT_EQ(unsaved_work(h.state()).size(), 1u);
    EXPECT_EQ(copies(), 1u);
}

TEST_F(QuitTwo, StaysWhereTheNameOfOneIsCancelled) {
    quit();
    h.key_and_settle(Key::enter); // Save all
    h.key_and_settle(Key::escape);
    EXPECT_FALSE(h.app().wants_quit());
    EXPECT_EQ(unsaved_work(h.state()).size(), 2u);

    quit();
    h.key_and_settle(Key::enter);
    h.app().request_quit(); // while a name is asked for
    h.settle();
    EXPECT_TRUE(h.has_text("2 documents have changes that are not saved."));
    h.key_and_settle(Key::escape);
    h.save_to(h.dir() / ("other" + std::string(k_session_suffix)));
    h.settle();
    EXPECT_FALSE(h.app().wants_quit()) << "that it was about to is forgotten";
}

TEST_F(QuitTwo, ALessonGoesOnWhereItIsCancelled) {
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut"));
    h.settle();
    quit();
    EXPECT_TRUE(h.has_text("2 documents have changes that are not saved."));
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(h.state().lesson);
    quit();
    h.key_and_settle(Key::enter); // Save all
    h.key_and_settle(Key::enter); // the name
    EXPECT_TRUE(h.app().wants_quit());
    EXPECT_EQ(saved_in(h.dir() / "2-4-6-8.normscope.json"), second) << "not the lesson's";
}

TEST_F(QuitTwo, TheDocumentThatWaitsForALessonIsSavedAsItWasLookedAt) {
    h.state().view.workspace = 1;
    h.state().view.pinned_feature = 2;
    h.settle();
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut"));
    h.settle();
    quit();
    h.key_and_settle(Key::enter); // Save all
    h.key_and_settle(Key::enter); // the name
    const fs::path path = h.dir() / "2-4-6-8.normscope.json";
    const auto bytes = read_file(path);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const auto saved = read_copy_settings(*bytes, path.string());
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_EQ(saved->view.workspace, workspace_table()[1].id);
    EXPECT_EQ(saved->view.feature, 2);
    EXPECT_EQ(saved->view.lesson, "");
}

TEST_F(QuitTwo, TheMenuGoesFromOneUnsavedDocumentToTheOther) {
    for (const Document* wanted : {&first, &second}) {
        h.click_and_settle("bar.file");
        h.click_and_settle("menu.file.unsaved");
        h.click_and_settle("menu.file.unsaved.0");
        EXPECT_EQ(h.document(), *wanted);
        EXPECT_EQ(h.state().history.kept()->path, wanted == &first ? file : fs::path());
        EXPECT_EQ(unsaved_work(h.state()).size(), 2u);
    }
}

// A copy as an earlier version left it, so many minutes ago.
fs::path leave_copy(const fs::path& dir, const std::string& owner, const SessionCopy& copy,
                    int minutes_ago) {
    const fs::path path = dir / "state" / ("autosave-" + owner + std::string(k_session_suffix));
    fs::create_directories(path.parent_path());
    std::string session = write_session(copy.document);
    if (!copy.file.empty()) session.insert(1, "\"file\": \"" + copy.file + "\",");
    std::ofstream(path, std::ios::binary) << session;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes_ago));
    return path;
}

TEST(Recovery, UnsavedWorkOfARunThatBrokeOffIsOfferedAgain) {
    Document lost = blank_document(3, 7);
    lost.title = "Lost";
    Harness first({.persist = true});
    const fs::path copy = leave_copy(first.dir(), "999999999-1", {lost, {}, {}}, 1);
    Harness h({.persist = true, .dir = first.dir()});
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    h.key_and_settle(Key::enter); // Bring it back
    EXPECT_EQ(h.document(), lost);
    EXPECT_FALSE(h.state().history.saved());
    h.app().keep_unsaved_work();
    EXPECT_TRUE(fs::exists(copy));
    EXPECT_FALSE(hold(copy)) << "it is this window's copy now";
    h.key_and_settle(Key::z, true);
    EXPECT_EQ(h.document(), lost) << "nothing comes before it";
    EXPECT_FALSE(h.state().history.saved());
    h.state().history.mark_saved();
    h.frame();
    h.app().keep_unsaved_work();
    EXPECT_FALSE(fs::exists(copy)) << "it is not needed any more";
}

TEST(Recovery, OneDialogListsWhatCanBeBroughtBack) {
    Document older = blank_document(3, 7);
    older.title = "The older one";
    Document newer = blank_document(2, 5);
    newer.title = "The newer one";
    Harness first({.persist = true});
    const fs::path old_copy = leave_copy(first.dir(), "999999998", {older, {}, {}}, 9);
    const fs::path new_copy = leave_copy(first.dir(), "999999999", {newer, {}, {}}, 3);
    Harness h({.persist = true, .dir = first.dir()});
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_TRUE(h.has_text("NormScope ended without asking before 2 documents were saved."));
    EXPECT_TRUE(h.has_text("The newer one"));
    EXPECT_TRUE(h.has_text("The older one"));
    h.click_and_settle("dialog.discard-0");
    EXPECT_FALSE(fs::exists(new_copy));
    EXPECT_TRUE(fs::exists(old_copy)) << "nobody threw that away";
    EXPECT_FALSE(h.has_text("The newer one"));
    h.key_and_settle(Key::enter); // Bring it back
    EXPECT_EQ(h.document(), older);
    EXPECT_TRUE(h.state().dialogs.empty());
}

TEST(Recovery, TheCopiesAreListedOnce) {
    Harness first({.persist = true});
    for (const int i : {0, 1})
        leave_copy(first.dir(), "99999999" + std::to_string(i), {blank_document(2 + i, 5), {}, {}},
                   i + 1);
    Harness h({.persist = true, .dir = first.dir()});
    Document late = blank_document(3, 7);
    late.title = "The late one";
    leave_copy(first.dir(), "999999992", {late, {}, {}}, 1);
    h.click_and_settle("dialog.discard-1");
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_FALSE(h.has_text("The late one"));
    h.click_and_settle("dialog.discard-0");
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ(Autosave::left_behind(h.dir() / "state").size(), 1u) << "the next start offers it";
}

TEST(Recovery, EachComesBackAsADocumentOfItsOwn) {
    for (const bool all_at_once : {true, false}) {
        Harness first({.persist = true});
        std::vector<Document> lost;
        for (const int i : {0, 1, 2}) {
            lost.push_back(blank_document(2 + i, 5));
            lost.back().title = "Work " + std::to_string(i);
            leave_copy(first.dir(), "99999999" + std::to_string(i), {lost[i], {}, {}}, i + 1);
        }
        Harness h({.persist = true, .dir = first.dir()});
        if (all_at_once) {
            h.key_and_settle(Key::enter); // Bring all back
        } else {
            h.click_and_settle("dialog.bring-back-2");
            EXPECT_EQ(h.document(), lost[2]);
            h.click_and_settle("dialog.bring-back-1");
            h.key_and_settle(Key::enter); // Bring it back
        }
        EXPECT_TRUE(h.state().dialogs.empty());
        EXPECT_EQ(h.document(), lost[0]) << "the newest is on the screen";
        const std::vector<Unsaved> unsaved = unsaved_work(h.state());
        ASSERT_EQ(unsaved.size(), 3u);
        for (const std::size_t i : {0, 1, 2}) {
            EXPECT_EQ(unsaved[i].document, lost[i]);
            EXPECT_TRUE(i == 0 || unsaved[i].kept != unsaved[0].kept);
        }
        h.app().keep_unsaved_work();
        EXPECT_TRUE(Autosave::left_behind(h.dir() / "state").empty()) << "all are this window's";
        for (std::size_t i = 0; i < 2; ++i) h.key_and_settle(Key::z, true);
        EXPECT_EQ(unsaved_work(h.state()).size(), 3u) << "undo leaves none behind";
    }
}

TEST(Recovery, WhatNobodyDecidedAboutIsOfferedAtTheNextStart) {
    Harness first({.persist = true});
    Document lost = blank_document(3, 7);
    leave_copy(first.dir(), "999999999", {lost, {}, {}}, 1);
    for (int start = 0; start < 2; ++start) {
        Harness h({.persist = true, .dir = first.dir()});
        ASSERT_EQ(h.state().dialogs.size(), 1u);
        h.click_and_settle("dialog.later");
        EXPECT_TRUE(h.state().dialogs.empty());
    }
}

TEST(Recovery, WorkThatWasBroughtBackKnowsItsFile) {
    Harness first({.persist = true});
    const fs::path file = first.dir() / ("lesson" + std::string(k_session_suffix));
    std::ofstream(file, std::ios::binary) << write_session(blank_document(2, 2));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(5));
    Document lost = blank_document(3, 7);
    lost.title = "Not its name";
    for (const bool saved_since : {false, true}) {
        leave_copy(first.dir(), "999999999", {lost, file.string(), {}}, saved_since ? 9 : 3);
        Harness h({.persist = true, .dir = first.dir()});
        EXPECT_TRUE(h.has_text("~/lesson.normscope.json"));
        h.key_and_settle(Key::enter); // Bring it back
        EXPECT_EQ(h.document(), lost);
        EXPECT_FALSE(h.state().history.saved());
        EXPECT_EQ(h.state().history.kept()->path, saved_since ? fs::path() : file)
            << "what was saved since is not written over";
        h.state().history.mark_saved();
    }
}

TEST(Recovery, ADocumentOpenedOverItLeavesAWayBack) {
    Document lost = blank_document(3, 7);
    lost.title = "Lost";
    Harness first({.persist = true});
    leave_copy(first.dir(), "999999999", {lost, {}, {}}, 1);
    const fs::path file = first.dir() / ("given" + std::string(k_session_suffix));
    std::ofstream(file, std::ios::binary) << write_session(blank_document(2, 2));

    Harness h({.persist = true, .dir = first.dir()});
    h.key_and_settle(Key::enter);                       // Bring it back
    open_request(h.state(), {file, OpenAs::ask, true}); // as of a large file, read meanwhile
    h.settle();
    ASSERT_EQ(h.document().token_count(), 2);
    h.key_and_settle(Key::z, true);
    EXPECT_EQ(h.document(), lost);
    EXPECT_FALSE(h.state().history.saved());
}

TEST(Recovery, ACopyIsKeptWhenNobodyDecidedAndGoesWhenSomebodyDid) {
    Harness dir_owner;
    const fs::path state = dir_owner.dir() / "state";
    {
        Harness h({.persist = true, .dir = dir_owner.dir()});
        h.click("add-norm.gamma.d1");
        h.key(Key::del);
    }
    std::size_t copies = 0;
    for (const auto& entry : fs::directory_iterator(state)) copies += entry.is_regular_file();
    EXPECT_EQ(copies, 1u);
    {
        Harness h({.persist = true, .dir = dir_owner.dir()});
        h.state().dialogs.clear();
        h.settle();
        h.click("add-norm.gamma.d1");
        h.key(Key::del);
        h.key_and_settle(Key::q, true);
        h.click_and_settle("dialog.discard");
        ASSERT_TRUE(h.app().wants_quit());
    }
    copies = 0;
    for (const auto& entry : fs::directory_iterator(state)) copies += entry.is_regular_file();
    EXPECT_EQ(copies, 1u) << "the one that nobody decided about";
}

} // namespace
} // namespace normscope::testing
