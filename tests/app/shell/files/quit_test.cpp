#include "app/io/file.h"
#include "app/session/session_file.h"
#include "app/shell/files/autosave.h"
#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>

// What is asked when the program ends, and what is offered after it broke off.
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
    EXPECT_TRUE(fs::exists(h.dir() / "section-8-studying.normscope.json"));
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
    h.key_and_settle(Key::enter); // Go back to it
    EXPECT_EQ(h.document(), changed);
    h.app().request_quit();
    h.settle();
    h.click_and_settle("dialog.discard");
    EXPECT_TRUE(h.app().wants_quit());
}

TEST(Quit, AsksOfEachDocumentThatWasLeftByItsName) {
    Harness h;
    const auto change = [&](const std::string& fader) {
        const Point middle = h.center_of("add-norm.gamma." + fader);
        h.drag(middle, {middle.x, middle.y - 20});
    };
    change("d1");
    save_to(h.state(), h.dir() / ("lesson" + std::string(k_session_suffix)));
    h.settle();
    change("d2");
    const Document first = h.document();
    h.click_and_settle("bar.example");
    h.click("menu.example.evenly-spaced");
    change("d1");
    const std::string second = h.document().title;
    h.click_and_settle("bar.example");
    h.click("menu.example.one-to-four");
    h.app().request_quit();
    h.settle();
    EXPECT_TRUE(h.has_text(second + " had changes") || h.has_text(second + "” had changes"));
    h.click_and_settle("dialog.discard");
    ASSERT_FALSE(h.app().wants_quit());
    EXPECT_TRUE(h.has_text("“lesson” had changes")) << "by its file";
    h.key_and_settle(Key::enter); // Go back to it
    EXPECT_EQ(h.document(), first);
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
    const fs::path copy = leave_copy(first.dir(), "999999999-1", {lost, {}, {}, false}, 1);
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

TEST(Recovery, TheNewestComesFirstAndEachIsNamed) {
    Document older = blank_document(3, 7);
    older.title = "The older one";
    Document newer = blank_document(2, 5);
    newer.title = "The newer one";
    Harness first({.persist = true});
    const fs::path old_copy = leave_copy(first.dir(), "999999998", {older, {}, {}, false}, 9);
    const fs::path new_copy = leave_copy(first.dir(), "999999999", {newer, {}, {}, false}, 3);
    Harness h({.persist = true, .dir = first.dir()});
    EXPECT_TRUE(h.has_text("“The newer one” was not saved"));
    EXPECT_TRUE(h.has_text("One older than it is there too."));
    h.click_and_settle("dialog.discard");
    EXPECT_FALSE(fs::exists(new_copy));
    EXPECT_TRUE(fs::exists(old_copy)) << "nobody threw that away";
    EXPECT_TRUE(h.has_text("“The older one” was not saved"));
    h.key_and_settle(Key::enter); // Bring it back
    EXPECT_EQ(h.document(), older);
    EXPECT_TRUE(h.state().dialogs.empty());
}

TEST(Recovery, WorkThatWasBroughtBackKnowsItsFile) {
    Harness first({.persist = true});
    const fs::path file = first.dir() / ("lesson" + std::string(k_session_suffix));
    std::ofstream(file, std::ios::binary) << write_session(blank_document(2, 2));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(5));
    Document lost = blank_document(3, 7);
    lost.title = "Not its name";
    for (const bool saved_since : {false, true}) {
        leave_copy(first.dir(), "999999999", {lost, file.string(), {}, false}, saved_since ? 9 : 3);
        Harness h({.persist = true, .dir = first.dir()});
        EXPECT_TRUE(h.has_text("“lesson” was not saved"));
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
    leave_copy(first.dir(), "999999999", {lost, {}, {}, false}, 1);
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
