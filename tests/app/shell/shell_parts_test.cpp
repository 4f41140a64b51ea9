#include "app/shell/files/figure.h"
#include "app/shell/files/folder_table.h"
#include "app/shell/files/user_files.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <fstream>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

TEST(RecentFiles, SurvivesWhatIsNotItsOwn) {
    Harness h;
    for (const char* content :
         {"", "{", "[1,2]", R"({"files": 3, "folder": []})",
          R"({"files": [1, null, "relative", "/a/b"], "folder": "/nowhere"})", "\xff\xfe"}) {
        std::ofstream(h.dir() / "recent.json") << content;
        RecentFiles recent;
        recent.load(h.dir());
        EXPECT_LE(recent.paths().size(), 1u) << content;
        EXPECT_TRUE(recent.folder().empty()) << content;
    }
}

TEST(RecentFiles, KeepsTheNewestTenOnceEach) {
    Harness h;
    RecentFiles recent;
    recent.load(h.dir() / "config");
    for (int i = 0; i < 12; ++i) recent.add(h.dir() / std::to_string(i));
    recent.add(h.dir() / "7");
    RecentFiles again;
    again.load(h.dir() / "config");
    ASSERT_EQ(again.paths().size(), 10u);
    EXPECT_EQ(again.paths()[0], h.dir() / "7");
    EXPECT_EQ(again.paths()[1], h.dir() / "11");
    EXPECT_EQ(again.folder(), h.dir());
}

TEST(UserFolders, AreThoseThatTheDesktopNames) {
    Harness h;
    const UserDirs dirs{h.dir(), h.dir() / "config" / "normscope", {}};
    EXPECT_FALSE(user_folder(dirs, "XDG_DESKTOP_DIR"));
    fs::create_directories(h.dir() / "config");
    std::ofstream(h.dir() / "config" / "user-dirs.dirs")
        << "# made by xdg-user-dirs-update\nXDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\n"
           "XDG_DOCUMENTS_DIR=\"/srv/Texte \\\"neu\\\"/\"\nXDG_DOWNLOAD_DIR=\"$HOME/\"\n"
           "XDG_MUSIC_DIR=relative\nXDG_VIDEOS_DIR=\"\n";
    EXPECT_EQ(user_folder(dirs, "XDG_DESKTOP_DIR"), h.dir() / "Schreibtisch");
    EXPECT_EQ(user_folder(dirs, "XDG_DOCUMENTS_DIR"), "/srv/Texte \"neu\"");
    EXPECT_EQ(user_folder(dirs, "XDG_DOWNLOAD_DIR"), h.dir()) << "there is none";
    EXPECT_FALSE(user_folder(dirs, "XDG_MUSIC_DIR"));
    EXPECT_FALSE(user_folder(dirs, "XDG_VIDEOS_DIR"));
    EXPECT_FALSE(user_folder(dirs, "XDG_PICTURES_DIR"));
}

TEST(FolderList, SortsAsPeopleCount) {
    std::vector<FolderEntry> entries;
    for (const char* name : {"b", "a10", "A2", "a2b", "a02"})
        entries.push_back({name, false, 0, {}});
    entries.push_back({"zoo", true, 0, {}});
    sort_folder(entries, FolderOrder::name, false);
    std::vector<std::string> names;
    for (const auto& e : entries) names.push_back(e.name);
    EXPECT_EQ(names.front(), "zoo") << "folders first";
    EXPECT_EQ(names.back(), "b");
    EXPECT_EQ(names[4], "a10");
}

TEST(FolderList, FiltersInEitherCaseAndHidesHiddenNames) {
    EXPECT_TRUE(passes_filter("Data.csv", "data"));
    EXPECT_FALSE(passes_filter("Data.csv", "npy"));
    EXPECT_FALSE(passes_filter(".secret", ""));
    EXPECT_TRUE(is_usual_kind("DATA.CSV"));
    EXPECT_TRUE(is_usual_kind("a.normscope.json"));
    EXPECT_TRUE(is_usual_kind("weights.SafeTensors"));
    EXPECT_FALSE(is_usual_kind("csv"));
    EXPECT_TRUE(passes_filter(".secret", ".s"));
    EXPECT_EQ(size_in_words(999), "999 B");
    EXPECT_EQ(size_in_words(1500), "1.5 kB");
    EXPECT_EQ(path_in_words("/home/me/data", "/home/me"), "~/data");
    EXPECT_EQ(path_in_words("/home/me2", "/home/me"), "/home/me2");
}

// Every widget that Tab comes to is scrolled into view, in all that scrolls.
TEST(Focus, TabBringsItsWidgetIntoView) {
    for (const Key workspace : {Key::n1, Key::n2, Key::n3, Key::n4}) {
        Harness h({.window = {1024, 768}});
        h.key_and_settle(workspace);
        const auto focused = [&]() -> const NamedPart* {
            for (const NamedPart& w : h.log().parts)
                if (w.id == h.state().ui.focus) return &w;
            return nullptr;
        };
        const std::size_t stops = h.state().ui.order.size();
        ASSERT_GT(stops, 10u);
        for (const bool back : {false, true})
            for (std::size_t i = 0; i <= stops; ++i) {
                h.key(Key::tab, false, back);
                h.frames(2);
                const NamedPart* const w = focused();
                ASSERT_TRUE(w) << i;
                EXPECT_GE(w->rect.y, w->clip.y - 1) << w->name;
                EXPECT_LE(std::min(w->rect.bottom(), w->rect.y + w->clip.h / 2),
                          w->clip.bottom() + 1)
                    << w->name;
            }
    }
}

TEST(Page, EachWorkspaceIsScrolledToWhereItWasLeft) {
    Harness h({.window = Size{1024, 768}});
    const auto top = [&](const char* panel) { return h.named(panel).rect.y; };
    const auto open = [&](Key key) { h.key_and_settle(key); };
    open(Key::n3);
    const float backward = top("backward.add");
    open(Key::n2);
    const float norms = top("batch-vs-layer.batch-size");
    open(Key::n3);
    h.move({1000, 700});
    for (int i = 0; i < 2; ++i) {
        ImGui::GetIO().MouseWheel = -1;
        h.frame();
    }
    h.settle();
    const float left = top("backward.add");
    ASSERT_LT(left, backward);
    open(Key::n2);
    EXPECT_EQ(top("batch-vs-layer.batch-size"), norms);
    open(Key::n3);
    EXPECT_EQ(top("backward.add"), left);
    ImGui::GetIO().MouseWheel = -1;
    h.frame();
    open(Key::n2);
    ImGui::GetIO().MouseWheel = -1; // goes to the page that is there
    h.frame();
    h.settle();
    EXPECT_LT(top("batch-vs-layer.batch-size"), norms);
}

TEST(Page, IsScrolledByKeysWhereNoWidgetHasTheKeyboard) {
    Harness h({.window = Size{1024, 768}});
    const auto head = [&] { return h.named("add-norm.gamma.all").rect.y; };
    const float top = head();
    h.key_and_settle(Key::page_down);
    const float below = head();
    EXPECT_LT(below, top - 300);
    h.key_and_settle(Key::page_up);
    EXPECT_EQ(head(), top);
    h.key_and_settle(Key::end);
    EXPECT_LT(head(), below);
    h.key_and_settle(Key::home);
    EXPECT_EQ(head(), top);
    h.state().ui.focus = h.named("add-norm.gamma.d1").id;
    h.key_and_settle(Key::page_down); // the fader's
    EXPECT_EQ(head(), top);
    const Document before = h.document();
    h.key_and_settle(Key::page_down, true);
    EXPECT_EQ(head(), below);
    EXPECT_EQ(h.document(), before);
}

TEST(Page, IsScrolledByKeysAfterAButtonWasClicked) {
    Harness h({.window = Size{1024, 768}});
    const auto head = [&] { return h.named("add-norm.gamma.all").rect.y; };
    h.click_and_settle("add-norm.before-after.pool.token");
    ASSERT_NE(h.state().ui.focus, 0u);
    const float top = head();
    h.key_and_settle(Key::page_down);
    EXPECT_LT(head(), top - 300);
    h.key_and_settle(Key::home);
    EXPECT_EQ(head(), top);
}

TEST(Page, IsScrolledByTheWheelOverAMatrixThatIsZoomedOut) {
    Harness h({.window = Size{1024, 768}, .example = "activations"});
    const auto head = [&] { return h.named("add-norm.gamma.strip").rect.y; };
    const float top = head();
    const auto wheel = [&](float by, float y = 150) { // Y stands there once the page is scrolled
        h.move({900, y});
        ImGui::GetIO().MouseWheel = by;
        h.frame();
        h.settle();
    };
    wheel(-1, 230);
    EXPECT_LT(head(), top);
    const float scrolled = head();
    wheel(2); // zooms in
    EXPECT_EQ(head(), scrolled);
    EXPECT_GT(h.state().view.viewport.zoom, 1);
    wheel(-2); // and out again
    EXPECT_EQ(head(), scrolled);
    EXPECT_EQ(h.state().view.viewport.zoom, 1);
    wheel(-1);
    EXPECT_LT(head(), scrolled);
}

// Each letter of a drawing is a use of a glyph; those beyond its edge are left out.
std::size_t letters(const std::string& svg) {
    std::size_t n = 0;
    for (std::size_t at = svg.find("<use"); at != std::string::npos; at = svg.find("<use", at + 1))
        ++n;
    return n;
}

// The last numbers of a figure that is much smaller than its own size are in it all the same.
TEST(Figure, ASmallPictureShrinksWhatItShows) {
    Harness h;
    FigureRequest request;
    request.document = h.document();
    request.figure = "worked-steps";
    const auto whole = render_figure(request, FigureFormat::svg);
    ASSERT_TRUE(whole) << whole.error().message;
    for (const Size size : {Size{0, 400}, Size{0, 600}, Size{160, 0}}) {
        request.size = size;
        const auto small = render_figure(request, FigureFormat::svg);
        ASSERT_TRUE(small) << small.error().message;
        EXPECT_GE(letters(*small) * 20, letters(*whole) * 19) << size.w << " " << size.h;
    }
    request.scale = 2;
    request.size = {320, 0};
    const auto scaled = render_figure(request, FigureFormat::svg);
    ASSERT_TRUE(scaled) << scaled.error().message;
    EXPECT_GE(letters(*scaled) * 20, letters(*whole) * 19) << "the numbers are not elided";
}

TEST(Figure, EveryFigureOfEveryWorkspaceIsDrawnInEveryFormat) {
    Harness h;
    FigureRequest request;
    request.document = h.document();
    // Every figure is drawn four times, and those of the stack measure it each time.
    request.document.flow.stack.blocks = 3;
    request.document.flow.stack.width = 16;
    request.document.flow.stack.tokens = 8;
    request.document.flow.seeds = 2;
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        request.view.workspace = w;
        std::vector<std::string> ids{"workspace"};
        for (const FigureEntry& f : workspace_table()[w].figures) ids.emplace_back(f.id);
        for (const std::string& id : ids) {
            request.figure = id;
            std::string last;
            for (const auto& [format, magic] :
                 {std::pair(FigureFormat::png, "\x89PNG"), std::pair(FigureFormat::pdf, "%PDF"),
                  std::pair(FigureFormat::svg, "<?xml")}) {
                const auto bytes = render_figure(request, format);
                ASSERT_TRUE(bytes) << id << ": " << bytes.error().message;
                EXPECT_TRUE(bytes->starts_with(magic)) << id;
                last = *bytes;
            }
            EXPECT_EQ(*render_figure(request, FigureFormat::svg), last)
                << "the same drawing gives the same bytes";
        }
    }
    request.view.workspace = 0;
    request.figure = "nonsense";
    EXPECT_NE(render_figure(request, FigureFormat::png).error().message.find("before-after"),
              std::string::npos);
    h.frame(); // its own context is untouched
}

TEST(Figure, ATableIsAsHighAsItsRows) {
    FigureRequest request;
    request.view.workspace = *workspace_index("backward");
    request.figure = "published";
    for (const char* example : {"studying", "backward-by-hand"}) {
        Harness h({.example = example});
        request.document = h.document();
        request.size = {};
        const auto own = render_figure(request, FigureFormat::svg);
        request.size.h = 1400;
        const auto high = render_figure(request, FigureFormat::svg);
        ASSERT_TRUE(own && high);
        EXPECT_EQ(letters(*own), letters(*high)) << example;
    }
}

TEST(Figure, AWholeWorkspaceOfAnyHeightIsDrawnToItsEnd) {
    Harness h;
    FigureRequest request;
    request.document = h.document();
    request.view.workspace = *workspace_index("backward"); // its panels are as high as the window
    request.figure = "workspace";
    const auto own = render_figure(request, FigureFormat::svg);
    request.size = {0, 3000};
    const auto high = render_figure(request, FigureFormat::svg);
    ASSERT_TRUE(own && high);
    EXPECT_GE(letters(*own) * 100, letters(*high) * 98);
}

TEST(Figure, AWholeWorkspaceFitsIntoWhatIsAskedOrIsRefused) {
    Harness h;
    FigureRequest request;
    request.document = h.document();
    request.figure = "workspace";
    request.size = {1024, 768};
    const auto asked = render_figure(request, FigureFormat::svg);
    ASSERT_TRUE(asked) << asked.error().message;
    request.scale = 0.5f; // all of it, with room to spare
    const auto small = render_figure(request, FigureFormat::svg);
    ASSERT_TRUE(small) << small.error().message;
    EXPECT_GT(letters(*asked), 500u);
    EXPECT_GE(letters(*asked), letters(*small) * 3 / 4)
        << "no more than lines of the worked steps and the axes of low cards are left out";
    request.scale = 1;
    request.size = {400, 300};
    const auto refused = render_figure(request, FigureFormat::svg);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("leave out the height"), std::string::npos);
}

} // namespace
} // namespace normscope::testing
