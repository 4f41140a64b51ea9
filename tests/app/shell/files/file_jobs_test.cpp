// Files that are read and written on a worker while the screen goes on.
#include "app/io/csv.h"
#include "app/io/file.h"
#include "app/io/load.h"
#include "app/shell/files/figure.h"
#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

// Work that is at 43 % until it is stopped.
Result<void> never_done(const Progress& progress) {
    for (;;) {
        if (const auto go_on = progress.at(0.43); !go_on) return go_on;
        std::this_thread::yield();
    }
}

class FileJobs : public ::testing::Test {
  protected:
    void until_it_takes_long() {
        while (!h.has("status.stop")) {
            h.frame();
            std::this_thread::yield();
        }
    }
    Harness h;
};

TEST_F(FileJobs, ALargeMatrixIsExportedWhileTheScreenGoesOn) {
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

TEST_F(FileJobs, ALargeMatrixIsSetWhileTheScreenGoesOn) {
    const Matrix<double> x =
        *apply(blank_document(397, 431), Randomize{Distribution::normal, 3})->x;
    const auto set = [&] { set_input(h.state(), {h.dir() / "x.npy"}, {x, {}, {}}, Input::x); };
    const Document before = h.document();
    set();
    EXPECT_TRUE(h.state().files.errand.busy());
    EXPECT_EQ(h.document(), before);
    h.state().apply_edits({Rename{Axis::token, 0, "changed"}});
    const Document changed = h.document();
    h.settle();
    EXPECT_EQ(h.document(), changed);
    EXPECT_EQ(h.app().complaint(), "x.npy was not opened: the document has changed since");
    set();
    h.settle();
    EXPECT_EQ(*h.document().x, x);
    EXPECT_TRUE(h.has_text("x.npy is X: 397 tokens of 431 features")) << h.state().status;
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), changed);
}

TEST_F(FileJobs, AFileThatIsBeingWrittenIsStoppedAndStaysAsItWas) {
    const fs::path path = h.dir() / "a.csv";
    ASSERT_TRUE(write_file_atomically(path, "old"));
    std::stop_source stop;
    bool made = false;
    const Progress progress{stop.get_token(), [&](double share) {
                                if (made && share < 1) stop.request_stop();
                            }};
    const auto written = write_made({path}, AtLink::refuse, progress,
                                    [&](const Progress& making) -> Result<std::string> {
                                        EXPECT_TRUE(making.at(0.5));
                                        made = true;
                                        return std::string(100, 'x');
                                    });
    EXPECT_FALSE(written);
    EXPECT_EQ(*read_file(path), "old");
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(h.dir())) files.insert(entry.path().filename());
    EXPECT_EQ(files, std::set<fs::path>{"a.csv"}) << "nothing is left beside it";
}

TEST_F(FileJobs, ALargeMatrixIsCopiedWhileTheScreenGoesOn) {
    replace_document(h.state(),
                     *apply(blank_document(397, 431), Randomize{Distribution::normal, 3}));
    h.settle();
    ImGui::SetClipboardText("");
    h.click("add-norm.card-x.cells");
    h.key(Key::a, true);
    h.key(Key::c, true);
    EXPECT_TRUE(h.app().working());
    h.settle();
    const auto copied = parse_block(ImGui::GetClipboardText());
    ASSERT_TRUE(copied) << copied.error().message;
    EXPECT_EQ(copied->values, *h.document().x);
}

TEST_F(FileJobs, WritingSaysHowFarItIsAndIsStopped) {
    h.state().files.being_written = {h.dir() / "big.csv", std::nullopt, nullptr};
    h.state().files.writing.start("Writing big.csv", never_done);
    until_it_takes_long();
    EXPECT_TRUE(h.has_text("Writing big.csv… 43 %"));
    EXPECT_TRUE(h.app().working());
    const Document before = h.document();
    h.click("add-norm.gamma.d1");
    h.key(Key::del);
    EXPECT_NE(h.document(), before) << "the screen goes on";
    h.click_and_settle("status.stop");
    EXPECT_FALSE(h.state().files.busy());
    EXPECT_EQ(h.state().status, "Stopped: " + (h.dir() / "big.csv").string() + " is as it was");
    EXPECT_FALSE(h.state().status_is_error);
    EXPECT_FALSE(h.has("status.stop"));
}

TEST_F(FileJobs, OpeningIsStoppedAndTheDocumentStays) {
    const Document before = h.document();
    h.state().files.being_opened = {h.dir() / "big.csv"};
    h.state().files.opening.start(
        "Opening big.csv", [](const Progress& progress) -> Result<FileContent> {
            (void)never_done(progress);
            return SessionCopy{blank_document(2, 3), {}, {}, true}; // too late
        });
    until_it_takes_long();
    h.click_and_settle("status.stop");
    EXPECT_EQ(h.document(), before);
    EXPECT_NE(h.state().status.find("big.csv was not opened"), std::string::npos);
}

TEST_F(FileJobs, AnExceptionWhileOpeningIsToldAndTheProgramGoesOn) {
    const Document before = h.document();
    h.state().files.being_opened = {h.dir() / "big.csv"};
    h.state().files.opening.start(
        "Opening big.csv", [](const Progress&) -> Result<FileContent> { throw std::bad_alloc(); });
    h.settle();
    EXPECT_TRUE(h.app().complaint().starts_with("Opening big.csv: there is not enough memory"))
        << h.app().complaint();
    EXPECT_EQ(h.document(), before);
}

TEST_F(FileJobs, NoWayOfOpeningWaitsForAPipe) {
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

TEST(FileJobsAtStart, APipeIsRefused) {
    const Harness home;
    const fs::path pipe = home.dir() / "pipe.csv";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    Harness h({.file = pipe});
    EXPECT_EQ(h.app().complaint(), pipe.string() + ": is a pipe: expected a file.");
}

TEST_F(FileJobs, AnErrandIsDoneOnTheScreensThreadUnlessItIsStopped) {
    const auto screen = std::this_thread::get_id();
    std::thread::id worked, done;
    const auto begin = [&](const Job<Command>::Work& work) {
        run_errand(h.state(), Where::on_a_worker, "Drawing a.png", work);
    };
    begin([&](const Progress&) -> Result<Command> {
        worked = std::this_thread::get_id();
        return [&](App::State&) { done = std::this_thread::get_id(); };
    });
    begin([](const Progress&) -> Result<Command> { return fail("another"); });
    EXPECT_EQ(h.app().complaint(), "Drawing a.png goes on: try again in a moment");
    h.settle();
    EXPECT_NE(worked, screen);
    EXPECT_EQ(done, screen);

    done = {};
    begin([&](const Progress& progress) -> Result<Command> {
        (void)never_done(progress);
        return [&](App::State&) { done = std::this_thread::get_id(); };
    });
    until_it_takes_long();
    h.click_and_settle("status.stop");
    EXPECT_EQ(done, std::thread::id());
    EXPECT_EQ(h.state().status, "Stopped: Drawing a.png");
}

TEST_F(FileJobs, TheSameFigureIsWrittenFromTheWindowAsByTheCommandLine) {
    FigureRequest figure;
    figure.document = h.document();
    figure.view = h.state().view;
    figure.scale = 2;
    ask_export_figure(h.state(), "workspace");
    h.settle();
    h.key_and_settle(Key::enter);
    const auto written = read_file(h.dir() / "section-8-studying-workspace.png");
    ASSERT_TRUE(written) << h.state().status;
    EXPECT_TRUE(*written == *render_figure(figure, FigureFormat::png));
}

TEST_F(FileJobs, QuittingWaitsForAnExport) {
    h.state().files.being_written = {h.dir() / "big.csv", std::nullopt, nullptr};
    h.state().files.writing.start("Writing big.csv",
                                  [](const Progress&) { return Result<void>(); });
    h.app().request_quit();
    h.settle();
    EXPECT_TRUE(h.app().wants_quit());
}

} // namespace
} // namespace normscope::testing
