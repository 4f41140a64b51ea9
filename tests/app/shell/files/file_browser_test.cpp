#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <array>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <set>

// Scripted hands that walk through folders in the file browser.
namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

void fill(const fs::path& folder, int files) {
    fs::create_directories(folder);
    for (int i = 0; i < files; ++i)
        std::ofstream(folder / (folder.filename().string() + std::to_string(i) + ".csv"))
            << "1,2\n";
}

struct Ask {
    const char* name;
    std::function<void(App::State&)> open;
};
const std::array k_asks{
    Ask{"open", ask_open},
    Ask{"save", ask_save_as},
    Ask{"export a matrix", [](App::State& s) { ask_export_matrix(s, Tensor::y); }},
    Ask{"export a figure", [](App::State& s) { ask_export_figure(s, "workspace"); }},
};

// ~/up: 3 files. ~/up/mid: 60. ~/up/mid/low: 90 and the way down again, two folders smaller each.
class Browser : public ::testing::Test {
  protected:
    Browser() {
        fill(h.dir() / "up", 3);
        fill(low().parent_path(), 60);
        fill(low(), 90);
        fill(low() / "a", 60);
        fill(low() / "a" / "b", 3);
    }
    fs::path low() { return h.dir() / "up" / "mid" / "low"; }

    void begin(const Ask& ask) {
        h.state().files.recent.visited(low());
        ask.open(h.state());
        h.settle();
        ASSERT_TRUE(h.has_text("~/up/mid/low")) << ask.name;
    }
    void end() {
        h.key_and_settle(Key::escape);
        ASSERT_TRUE(h.state().dialogs.empty());
    }
    // The row with this text.
    Point row(const std::string& text) {
        for (const LoggedText& t : h.log().texts)
            if (t.text == text) return t.rect.center();
        ADD_FAILURE() << "no row " << text;
        return {};
    }
    void expect_in(const std::string& folder, const std::string& file, const Ask& ask) {
        h.settle();
        EXPECT_TRUE(h.has_text(folder) && h.has_text(file)) << ask.name << ": " << folder;
    }
    void walk_up(const Ask& ask, const std::function<void()>& up) {
        begin(ask);
        up();
        expect_in("~/up/mid", "mid0.csv", ask);
        EXPECT_FALSE(h.has_text("~/up/mid/low"));
        up();
        expect_in("~/up", "up0.csv", ask);
        EXPECT_FALSE(h.has_text("~/up/mid"));
        end();
    }

    Harness h;
};

TEST_F(Browser, InAPageANameAloneIsAsked) {
    h.state().services.page = "http://localhost/";
    h.state().files.recent.visited(low());
    ask_save_as(h.state());
    h.settle();
    EXPECT_FALSE(h.has_text("~/up/mid/low"));
    const std::array names{(low() / "mine").string(), std::string("up/mine"), std::string("mine")};
    for (const std::string& name : names) {
        h.key(Key::a, true);
        h.type(name);
        h.key_and_settle(Key::enter);
        EXPECT_EQ(h.has_text("Only a name: the browser chooses the folder"),
                  &name != &names.back());
    }
    EXPECT_TRUE(fs::exists(h.dir() / "mine.normscope.json"));
    EXPECT_TRUE(h.has_text("Saved mine.normscope.json"));
}

TEST_F(Browser, GoesUpFromALargeFolderByTheButton) {
    for (const Ask& ask : k_asks) walk_up(ask, [&] { h.click("dialog.up"); });
}

TEST_F(Browser, GoesUpFromALargeFolderByAltUp) {
    for (const Ask& ask : k_asks) walk_up(ask, [&] { h.key(Key::up, false, false, true); });
}

TEST_F(Browser, GoesUpFromALargeFolderByBackspace) {
    walk_up(k_asks[0], [&] { h.key(Key::backspace); });
}

TEST_F(Browser, GoesDownFromALargeFolderByDoubleClick) {
    for (const Ask& ask : k_asks) {
        begin(ask);
        h.double_click(row("a/"));
        expect_in("~/up/mid/low/a", "a0.csv", ask);
        h.frames(20); // another double-click, not a third and a fourth click
        h.double_click(row("b/"));
        expect_in("~/up/mid/low/a/b", "b0.csv", ask);
        EXPECT_EQ(h.state().dialogs.size(), 1u) << "nothing is written";
        end();
    }
}

TEST_F(Browser, GoesDownFromALargeFolderByEnterOnAFolder) {
    for (const Ask& ask : k_asks) {
        begin(ask);
        h.key(Key::down);
        EXPECT_TRUE(h.has_text("Open")) << "what Enter does";
        h.key(Key::enter);
        expect_in("~/up/mid/low/a", "a0.csv", ask);
        h.key(Key::down);
        h.key(Key::enter);
        expect_in("~/up/mid/low/a/b", "b0.csv", ask);
        end();
    }
}

TEST_F(Browser, LeavesALargeFolderForAPlaceEvenWhenScrolled) {
    for (const Ask& ask : k_asks) {
        begin(ask);
        for (int i = 0; i < 9; ++i) h.key(Key::page_down);
        EXPECT_TRUE(h.has_text("low89.csv")) << ask.name;
        h.click("dialog.places.home");
        expect_in("~", "up/", ask);
        EXPECT_FALSE(h.has_text("~/up"));
        h.click("dialog.places.home");
        expect_in("~", "up/", ask);
        end();
    }
}

TEST_F(Browser, SortsALargeFolderWhileItIsShown) {
    begin(k_asks[0]);
    h.click_and_settle("dialog.by-name");
    EXPECT_LT(row("low89.csv").y, row("low88.csv").y);
    h.click_and_settle("dialog.by-size");
    EXPECT_TRUE(h.has_text("Size ▴"));
    h.click("dialog.up");
    expect_in("~/up/mid", "mid0.csv", k_asks[0]);
    end();
}

TEST_F(Browser, SavesUnderTheNameThatIsTypedAfterAFolderWasLit) {
    begin(k_asks[1]);
    h.click(row("a/"));
    h.type("mine");
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ(h.state().history.kept()->path.parent_path(), low());
    EXPECT_TRUE(fs::exists(h.state().history.kept()->path)) << h.state().status;
}

// The steps of a text that is there no more are not undone in the one that took its place: older
// releases of ImGui have nothing to undo, newer ones go back to a name that was there.
TEST_F(Browser, ANameThatWasSetFromOutsideIsNotUndoneIntoAnother) {
    const std::string suffix(k_session_suffix), typed = "a name that is longer than the other one";
    const std::set<std::string> names{document_name(h.state()) + suffix, typed + suffix,
                                      "low5.csv" + suffix};
    const auto saved_as = [&] {
        for (int i = 0; i < 50; ++i) h.key(Key::z, true);
        h.key_and_settle(Key::enter);
        if (!h.state().dialogs.empty()) h.key_and_settle(Key::enter); // it exists: replaced
        return h.state().history.kept()->path.filename().string();
    };
    begin(k_asks[1]);
    h.type(typed);
    h.click(row("low5.csv"));
    EXPECT_TRUE(names.contains(saved_as()));
    begin(k_asks[1]); // a field of the same name
    EXPECT_TRUE(names.contains(saved_as()));
}

TEST_F(Browser, ASecondClickWhereSaveWasReplacesNothing) {
    const fs::path there = low() / "low5.csv";
    ask_export_matrix(h.state(), Tensor::y);
    h.settle();
    h.type(there.string());
    h.frames(3);
    const auto before = fs::file_size(there);
    const Point save = h.center_of("dialog.accept");
    h.click_and_settle(save);
    ASSERT_FALSE(h.state().dialogs.empty());
    EXPECT_FALSE(h.named("dialog.accept").rect.contains(save));
    h.click_and_settle(save);
    ASSERT_FALSE(h.state().dialogs.empty());
    EXPECT_EQ(fs::file_size(there), before);
}

TEST_F(Browser, OffersTheDesktopByTheNameThatItHasThere) {
    fs::create_directories(h.dir() / "Schreibtisch");
    fs::create_directories(h.dir() / "Downloads");
    std::ofstream(h.dir() / "user-dirs.dirs") << "XDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\n";
    ask_open(h.state());
    h.settle();
    EXPECT_TRUE(h.has("dialog.places.downloads"));
    EXPECT_FALSE(h.has("dialog.places.documents"));
    h.click_and_settle("dialog.places.desktop");
    EXPECT_TRUE(h.has_text("~/Schreibtisch"));
}

} // namespace
} // namespace normscope::testing
