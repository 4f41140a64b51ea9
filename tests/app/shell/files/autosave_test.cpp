#include "app/shell/files/autosave.h"

#include "app/io/file.h"
#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

// The copies of unsaved work: when they come, when they go, and what they hold.
namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

// The documents in the copies of a folder, by title.
std::map<std::string, Document> copies_in(const fs::path& folder) {
    std::map<std::string, Document> copies;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const auto bytes = read_file(entry.path());
        if (!bytes) continue; // gone meanwhile
        if (const auto copy = read_session_copy(*bytes, "copy"))
            copies[copy->document.title] = copy->document;
    }
    return copies;
}

// A deadline, not a measurement.
template<class Condition>
bool comes_true(Condition&& condition) {
    for (int i = 0; i < 1200; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
}

// Another folder with the same files, as if the program had been killed.
fs::path as_after_a_kill(const Harness& h, const std::string& name) {
    const fs::path dir = h.dir() / name;
    fs::create_directory(dir);
    fs::copy(h.dir() / "state", dir / "state");
    return dir;
}

Work work_of(const Document& document, const std::shared_ptr<KeptFile>& kept) {
    return {kept, {document, {}, {}}};
}

void change_fader(Harness& h, const std::string& fader) {
    const Point middle = h.center_of("add-norm.gamma." + fader);
    h.drag(middle, {middle.x, middle.y - 20});
}

void open_example(Harness& h, const std::string& id) {
    h.click_and_settle("bar.example");
    h.click_and_settle("menu.example." + id);
}

TEST(Autosave, ComesByItselfWhileAFaderIsHeld) {
    Harness h({.persist = true});
    const Point middle = h.center_of("add-norm.gamma.d1");
    h.move(middle);
    h.frame();
    h.press();
    for (const float up : {10.0f, 30.0f}) {
        h.move({middle.x, middle.y - up});
        h.frame();
        EXPECT_TRUE(comes_true([&] {
            const auto copies = copies_in(h.dir() / "state");
            return copies.contains(h.document().title) &&
                   copies.at(h.document().title) == h.document();
        })) << up;
    }
    h.release();
}

TEST(Autosave, EveryDocumentWithUnsavedChangesHasACopyUntilItIsSavedOrTheProgramLeaves) {
    const Harness folder({.persist = true});
    const fs::path state = folder.dir() / "state";
    {
        Harness h({.persist = true, .dir = folder.dir()});
        change_fader(h, "d1");
        const Document first = h.document();
        open_example(h, "evenly-spaced");
        change_fader(h, "d0");
        const Document second = h.document();
        open_example(h, "one-to-four");
        h.app().keep_unsaved_work();
        const auto copies = copies_in(state);
        ASSERT_EQ(copies.size(), 2u);
        EXPECT_EQ(copies.at(first.title), first);
        EXPECT_EQ(copies.at(second.title), second);

        h.key_and_settle(Key::z, true); // back to the second
        ASSERT_EQ(h.document(), second);
        h.save_to(h.dir() / ("second" + std::string(k_session_suffix)));
        h.settle();
        h.app().keep_unsaved_work();
        EXPECT_EQ(copies_in(state).size(), 1u);
        h.app().request_quit();
        h.settle();
        h.click_and_settle("dialog.discard");
        ASSERT_TRUE(h.app().wants_quit());
        EXPECT_EQ(copies_in(state).size(), 1u) << "it has not left yet";
    }
    EXPECT_TRUE(copies_in(state).empty());
}

TEST(Autosave, AReplacedDocumentComesBackAfterAKill) {
    Harness h({.persist = true});
    change_fader(h, "d1");
    const Document first = h.document();
    open_example(h, "evenly-spaced");
    change_fader(h, "d0");
    const Document second = h.document();
    h.app().keep_unsaved_work();
    const fs::path dir = as_after_a_kill(h, "next");
    Harness next({.persist = true, .dir = dir});
    ASSERT_EQ(next.state().dialogs.size(), 1u);
    EXPECT_TRUE(next.has_text(first.title) && next.has_text(second.title)) << "both are offered";
    next.key_and_settle(Key::enter); // Bring all back
    EXPECT_TRUE(next.document() == first || next.document() == second);
    EXPECT_TRUE(next.state().dialogs.empty());
    next.app().keep_unsaved_work();
    EXPECT_EQ(copies_in(dir / "state").size(), 2u);
}

TEST(Autosave, UndoAwayFromAnUnsavedDocumentKeepsItsCopy) {
    Harness h({.persist = true});
    change_fader(h, "d1");
    const Document first = h.document();
    Document second = blank_document(2, 3);
    second.title = "Second";
    replace_document(h.state(), second); // in no file yet
    h.settle();
    h.key_and_settle(Key::z, true);
    ASSERT_EQ(h.document(), first);
    h.app().keep_unsaved_work();
    EXPECT_EQ(copies_in(h.dir() / "state").size(), 2u);
    h.app().request_quit();
    h.settle();
    EXPECT_TRUE(h.has_text("Second") && h.has_text(first.title)) << "both are asked about";
    h.click_and_settle("dialog.discard");
    EXPECT_TRUE(h.app().wants_quit());
}

// Autosave by itself, in the folder of an app that has none.
class AutosaveAlone : public ::testing::Test {
  protected:
    AutosaveAlone() {
        autosave.begin(folder, [] {});
    }

    Harness h;
    const fs::path folder = h.dir() / "state";
    const std::shared_ptr<KeptFile> kept = std::make_shared<KeptFile>();
    Autosave autosave;
};

TEST_F(AutosaveAlone, ACopyIsItsUsersAloneAndLeftAloneWhileItsProgramRuns) {
    autosave.note({work_of(blank_document(3, 7), kept)});
    autosave.flush();
    ASSERT_EQ(copies_in(folder).size(), 1u);
    for (const auto& entry : fs::directory_iterator(folder)) {
        struct stat status {};
        ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0600U) << entry.path();
    }
    EXPECT_TRUE(Autosave::left_behind(folder).empty());
    EXPECT_EQ(copies_in(folder).size(), 1u) << "and not removed";
    autosave.end(true);
    EXPECT_EQ(Autosave::left_behind(folder).size(), 1u);
}

TEST_F(AutosaveAlone, GoesWithItsDocument) {
    Document d = blank_document(1024, 1024); // the largest
    autosave.note({work_of(d, kept)});
    autosave.flush();
    d = *normscope::apply(d, SetCells{Input::x, 5, 6, Matrix<double>::Ones(2, 2)});
    autosave.note({work_of(d, kept)});
    autosave.flush();
    EXPECT_EQ(copies_in(folder).at(d.title), d);
    EXPECT_EQ(Autosave::left_behind(as_after_a_kill(h, "changed") / "state").size(), 1u);
    autosave.note({}); // it is saved
    autosave.flush();
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(AutosaveAlone, ACopyInAnUnknownFormatStays) {
    fs::create_directories(folder);
    const fs::path path = folder / "autosave-1-0.copy";
    std::ofstream(path) << "NScopy9\nnobody knows";
    std::ofstream(folder / "autosave-1-1.copy"); // killed before anything was written
    const auto left = Autosave::left_behind(folder);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].path, path);
    EXPECT_FALSE(left[0].head.is_known);
    EXPECT_TRUE(fs::exists(path));
    EXPECT_FALSE(fs::exists(folder / "autosave-1-1.copy"));

    Harness next({.persist = true, .dir = h.dir()});
    ASSERT_EQ(next.state().dialogs.size(), 1u);
    EXPECT_TRUE(next.has_text("Unsaved work of another version"));
    next.click_and_settle("dialog.close");
    EXPECT_TRUE(next.state().dialogs.empty());
    EXPECT_TRUE(fs::exists(path));
}

// A copy by an earlier version comes back once, and is a session from then on.
TEST_F(AutosaveAlone, ACopyOfRecordsIsBroughtBack) {
    fs::create_directories(folder);
    const fs::path path = folder / "autosave-1-0.copy";
    fs::copy_file(std::string(NORMSCOPE_GOLDEN_DIR) + "/records.copy", path);
    Harness next({.persist = true, .dir = h.dir()});
    EXPECT_TRUE(next.has_text("work")) << "the name of its file";
    next.key_and_settle(Key::enter);
    EXPECT_EQ((*next.document().x)(0, 0), -7.25);
    EXPECT_EQ(next.state().history.kept()->path, "/home/ada/work.normscope.json");
    next.app().keep_unsaved_work();
    EXPECT_EQ(*read_session(*read_file(path), "copy"), next.document());
}

TEST_F(AutosaveAlone, ACopyThatIsAdoptedStaysUntilItsDocumentIsNoted) {
    fs::create_directories(folder);
    auto left = create_held(folder, "autosave-", ".copy", 0600);
    ASSERT_TRUE(left);
    const fs::path path = left->path;
    const auto other = std::make_shared<KeptFile>();
    autosave.adopt(kept, std::move(*left));
    autosave.note({work_of(blank_document(3, 7), other)});
    autosave.flush();
    EXPECT_TRUE(fs::exists(path));
    autosave.note({work_of(blank_document(2, 5), kept)});
    autosave.flush();
    EXPECT_EQ(read_session_copy(*read_file(path), "copy")->document, blank_document(2, 5));
}

TEST_F(AutosaveAlone, ComesBackWhereSomebodyRemovedIt) {
    Document d = blank_document(3, 7);
    autosave.note({work_of(d, kept)});
    autosave.flush();
    fs::remove_all(folder);
    d.title = "Changed";
    autosave.note({work_of(d, kept)});
    autosave.flush();
    EXPECT_EQ(copies_in(folder).at("Changed"), d);
}

TEST(Autosave, SaysOnceThatItCannotWrite) {
    for (const bool home : {true, false}) {
        Harness h;
        std::ofstream(h.dir() / "file") << "in the way";
        const auto kept = std::make_shared<KeptFile>();
        int woken = 0;
        Autosave autosave;
        autosave.begin(home ? h.dir() / "file" / "state" : fs::path(), [&] { ++woken; });
        Document d = blank_document(3, 7);
        for (int i = 0; i < 3; ++i) {
            d.title += "x";
            autosave.note({work_of(d, kept)});
            autosave.flush();
        }
        const auto complaint = autosave.take_complaint();
        ASSERT_TRUE(complaint);
        EXPECT_NE(complaint->find(home ? "Not a directory" : "no home folder"), std::string::npos)
            << *complaint;
        EXPECT_FALSE(autosave.take_complaint());
        autosave.end(true);
        EXPECT_EQ(woken, 1);
    }
}

TEST(Autosave, ThatItCannotWriteStandsInTheStatusLine) {
    Harness h({.persist = true});
    fs::remove_all(h.dir() / "state");
    std::ofstream(h.dir() / "state") << "in the way";
    change_fader(h, "d1");
    h.app().keep_unsaved_work();
    h.frames(2);
    EXPECT_TRUE(h.has_text("There is no copy of what is not saved"));
}

// The changes of another window, written after the session was opened here.
class SavingShared : public ::testing::Test {
  protected:
    SavingShared() {
        EXPECT_TRUE(write_file_atomically(path, write_session(blank_document(2, 3))));
        open_path(h.state(), path);
        h.settle();
    }
    void change(const std::string& name) {
        h.state().apply_edits({Rename{Axis::token, 0, name}});
        h.settle();
    }
    void change_and_save(const std::string& name) {
        change(name);
        save(h.state());
        h.settle();
    }
    std::string title_in_file() const { return read_session(*read_file(path), "file")->title; }

    Harness h;
    const fs::path path = h.dir() / ("shared" + std::string(k_session_suffix));
};

TEST_F(SavingShared, AsksBeforeItReplacesWhatAnotherWindowSaved) {
    change_and_save("mine");
    EXPECT_TRUE(h.state().dialogs.empty()) << "nobody else was there";

    Document theirs = blank_document(2, 3);
    theirs.title = "Theirs";
    ASSERT_TRUE(write_file_atomically(path, write_session(theirs)));
    change_and_save("mine again");
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_TRUE(h.has_text("Replace the changes of another program?"));
    EXPECT_EQ(title_in_file(), "Theirs");
    h.key_and_settle(Key::escape);
    EXPECT_EQ(title_in_file(), "Theirs");
    save(h.state());
    h.settle();
    h.click_and_settle("dialog.replace");
    EXPECT_EQ(title_in_file(), "Untitled");
    change_and_save("once more");
    EXPECT_TRUE(h.state().dialogs.empty()) << "it was decided";
}

TEST_F(SavingShared, QuitsAfterTheQuestionOnlyWhenItWasAboutTo) {
    change("mine");
    ASSERT_TRUE(write_file_atomically(path, write_session(blank_document(3, 3))));
    for (const bool goes_on : {false, true}) {
        h.app().request_quit();
        h.settle();
        h.key_and_settle(Key::enter); // Save
        ASSERT_TRUE(h.has_text("Replace the changes of another program?"));
        if (goes_on)
            h.click("dialog.replace");
        else
            h.key(Key::escape);
        h.settle();
        EXPECT_EQ(h.app().wants_quit(), goes_on);
    }
}

TEST(Saving, AsksWhichFileIsMeantWhereALinkStands) {
    for (const bool replace : {false, true}) {
        Harness h;
        const fs::path real = h.dir() / ("real" + std::string(k_session_suffix));
        const fs::path link = h.dir() / ("link" + std::string(k_session_suffix));
        ASSERT_TRUE(write_file_atomically(real, "old"));
        fs::create_symlink(real, link);
        h.save_to(link);
        h.settle();
        ASSERT_TRUE(h.has_text("symbolic link"));
        EXPECT_EQ(*read_file(real), "old");
        h.click_and_settle(replace ? "dialog.replace-link" : "dialog.follow-link");
        EXPECT_EQ(fs::is_symlink(link), !replace);
        EXPECT_EQ(*read_file(real) == "old", replace);
        EXPECT_EQ(h.state().history.kept()->path, replace ? link : fs::canonical(real));
        h.state().apply_edits({Rename{Axis::token, 0, "mine"}});
        h.settle();
        save(h.state());
        h.settle();
        EXPECT_TRUE(h.state().dialogs.empty()) << "it was asked once";
    }
}

} // namespace
} // namespace normscope::testing
