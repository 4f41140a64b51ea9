// Large files: what is read, written and asked.
#include "app/io/csv.h"
#include "app/io/file.h"
#include "app/io/load.h"
#include "app/io/npy.h"
#include "app/session/session_file.h"
#include "app/shell/files/figure.h"
#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

class LargeFiles : public ::testing::Test {
  protected:
    // A dialog asks for the part of a file of 1,500 tokens of 2,000 features.
    void ask_for_part() {
        const fs::path path = h.dir() / "big.npy";
        ASSERT_TRUE(write_file_atomically(path, write_npy(big)));
        open_path(h.state(), path, OpenAs::x);
        h.settle();
        ASSERT_EQ(h.state().dialogs.size(), 1u);
    }
    void type_into(const std::string& field, const std::string& number) {
        h.click_and_settle(field);
        h.type(number);
        h.key_and_settle(Key::enter);
    }

    const Matrix<double> big = Matrix<double>::NullaryExpr(1500, 2000, [](Index t, Index d) {
        return 1e4 * static_cast<double>(t) + static_cast<double>(d);
    });
    Harness h;
};

TEST_F(LargeFiles, ALargeMatrixIsExported) {
    replace_document(h.state(),
                     *apply(blank_document(397, 431), Randomize{Distribution::normal, 3}));
    h.settle();
    for (const char* format : {"csv", "npy"}) {
        ask_export_matrix(h.state(), Tensor::y);
        h.settle();
        h.click(std::string("dialog.format.") + format);
        h.click("dialog.accept");
        EXPECT_EQ(h.app().complaint(), "");
        h.settle();
        EXPECT_NE(h.state().status.find("Exported "), std::string::npos) << h.state().status;
    }
    const MatrixView shown = h.state().derived->view(Tensor::y);
    int files = 0;
    for (const auto& entry : fs::directory_iterator(h.dir())) {
        const auto table = load_table(entry.path());
        ASSERT_TRUE(table) << table.error().message;
        ++files;
        for (Index i = 0; i < 397; i += 7)
            for (Index j = 0; j < 431; j += 11)
                EXPECT_EQ(static_cast<float>(table->values(i, j)), static_cast<float>(shown(i, j)));
    }
    EXPECT_EQ(files, 2);
}

TEST_F(LargeFiles, ALargeMatrixIsOneStep) {
    const Matrix<double> x =
        *apply(blank_document(397, 431), Randomize{Distribution::normal, 3})->x;
    const Document before = h.document();
    set_input(h.state(), {h.dir() / "x.npy"}, {x, {}, {}}, Input::x);
    h.settle();
    EXPECT_EQ(*h.document().x, x);
    EXPECT_TRUE(h.has_text("x.npy is X: 397 tokens of 431 features")) << h.state().status;
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LargeFiles, OfALargerMatrixTheFirstPartIsOffered) {
    const Document before = h.document();
    ask_for_part();
    EXPECT_TRUE(h.has_text("Shown: tokens 0 to 523"));
    h.key_and_settle(Key::escape);
    EXPECT_EQ(h.document(), before);
    ask_for_part();
    h.click_and_settle("dialog.open");
    EXPECT_EQ(*h.document().x, big.topRows(524));
    h.key_and_settle(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LargeFiles, OfALargerMatrixAnyPartIsOpened) {
    ask_for_part();
    type_into("dialog.tokens-first", "1400");
    type_into("dialog.features-first", "7");
    type_into("dialog.features-count", "30");
    EXPECT_TRUE(h.has_text("Shown: tokens 1400 to 1499"))
        << "no more than there are";
    h.click_and_settle("dialog.open");
    EXPECT_EQ(*h.document().x, big.block(1400, 7, 100, 30));
}

TEST_F(LargeFiles, APartThatIsTooLargeIsNotOpened) {
    ask_for_part();
    type_into("dialog.tokens-count", "1000");
    EXPECT_TRUE(h.has_text("These are 2000000 values"));
    h.click_and_settle("dialog.open");
    EXPECT_EQ(h.state().dialogs.size(), 1u);
    type_into("dialog.features-count", "5");
    h.click_and_settle("dialog.open");
    EXPECT_EQ(*h.document().x, big.block(0, 0, 1000, 5));
}

// An earlier version may have saved so large a session. The whole stays in its file.
TEST_F(LargeFiles, OfALargerSessionAPartIsOpened) {
    Document large = blank_document(1025, 1024);
    large.x = Matrix<double>(big.topLeftCorner(1025, 1024));
    const fs::path path = h.dir() / "large.normscope.json";
    const std::string bytes = write_session(large);
    ASSERT_TRUE(write_file_atomically(path, bytes));
    open_path(h.state(), path);
    h.settle();
    h.click_and_settle("dialog.open");
    EXPECT_EQ(*h.document().x, big.topLeftCorner(1024, 1024));
    EXPECT_TRUE(h.state().history.kept()->path.empty());
    EXPECT_EQ(*read_file(path), bytes);
}

TEST_F(LargeFiles, ALargeMatrixIsCopied) {
    replace_document(h.state(),
                     *apply(blank_document(397, 431), Randomize{Distribution::normal, 3}));
    h.settle();
    ImGui::SetClipboardText("");
    h.click("add-norm.card-x.cells");
    h.key(Key::a, true);
    h.key(Key::c, true);
    const auto copied = parse_block(ImGui::GetClipboardText());
    ASSERT_TRUE(copied) << copied.error().message;
    EXPECT_EQ(copied->values, *h.document().x);
}

TEST_F(LargeFiles, WhatTakesLongIsSaidBeforeItIsDone) {
    bool done = false;
    do_next(h.state(), "Opening big.csv…", [&](App::State&) { done = true; });
    EXPECT_EQ(h.state().status, "Opening big.csv…");
    EXPECT_FALSE(done);
    EXPECT_TRUE(h.app().animating());
    h.frame();
    EXPECT_TRUE(done);
    EXPECT_EQ(h.state().status, "");
}

TEST_F(LargeFiles, WhatWaitsComesAfterTheQuestionThatIsOpen) {
    bool done = false;
    h.app().request_quit();
    h.state().apply_edits({Rename{Axis::token, 0, "changed"}});
    h.settle();
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    do_next(h.state(), "Opening big.csv…", [&](App::State&) { done = true; });
    h.frames(3);
    EXPECT_FALSE(done);
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(done);
}

TEST_F(LargeFiles, NoWayOfOpeningWaitsForAPipe) {
    for (const char* name : {"pipe.csv", "pipe.normscope.json"}) {
        const fs::path pipe = h.dir() / name;
        ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
        const auto expect_refused = [&](Harness& by) {
            by.settle();
            EXPECT_EQ(by.app().complaint(), pipe.string() + ": is a pipe: expected a file.");
            by.state().status.clear();
        };
        h.app().files_dropped({pipe.string()});
        expect_refused(h);
        for (const OpenAs as : {OpenAs::ask, OpenAs::x, OpenAs::f}) {
            open_path(h.state(), pipe, as); // recent files, import
            expect_refused(h);
        }
        h.key_and_settle(Key::o, true);
        h.type(name);
        h.key(Key::enter);
        expect_refused(h);
    }
}

TEST(LargeFilesAtStart, APipeIsRefused) {
    const Harness home;
    const fs::path pipe = home.dir() / "pipe.csv";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    Harness h({.file = pipe});
    EXPECT_EQ(h.app().complaint(), pipe.string() + ": is a pipe: expected a file.");
}

TEST_F(LargeFiles, TheSameFigureIsWrittenFromTheWindowAsByTheCommandLine) {
    FigureRequest figure;
    figure.document = h.document();
    figure.view = h.state().view;
    figure.scale = 2;
    ask_export_figure(h.state(), "workspace");
    h.settle();
    h.key_and_settle(Key::enter);
    const auto written = read_file(h.dir() / "a-sentence-with-and-workspace.png");
    ASSERT_TRUE(written) << h.state().status;
    EXPECT_TRUE(*written == *render_figure(figure, FigureFormat::png));
}

} // namespace
} // namespace normscope::testing
