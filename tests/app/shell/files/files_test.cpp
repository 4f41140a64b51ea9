#include "app/io/file.h"
#include "app/io/load.h"
#include "app/io/npy.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

fs::path write(const fs::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

void raise_a_fader(Harness& h) {
    const Point from = h.center_of("add-norm.gamma.d1");
    h.drag(from, {from.x, from.y - 20});
}

TEST(Files, ACsvWithAnotherShapeBecomesX) {
    Harness h;
    h.app().files_dropped({write(h.dir() / "a.csv", "token,p,q\nu,1,2\nv,3,4\nw,5,6\n").string()});
    h.settle();
    EXPECT_EQ(h.document().token_count(), 3);
    EXPECT_EQ((*h.document().x)(2, 1), 6);
    EXPECT_EQ((*h.document().tokens)[1], "v");
    h.key(Key::z, true);
    EXPECT_EQ(h.document().token_count(), 4);
}

TEST(Files, ASessionIsNoMatrixToImport) {
    Harness h;
    h.save_to(h.dir() / "a.normscope.json");
    h.settle();
    h.click("add-norm.gamma.d1");
    h.key(Key::del); // γ[1] is 1 again
    const Document before = h.document();
    open_path(h.state(), h.dir() / "a.normscope.json", OpenAs::x);
    h.settle();
    EXPECT_EQ(h.document(), before);
    EXPECT_NE(h.state().status.find("is a session, not a matrix"), std::string::npos);
    open_path(h.state(), h.dir() / "a.normscope.json");
    h.settle();
    EXPECT_FALSE(h.document() == before);
}

TEST(Files, SaysWhatAnImportOfAnotherShapeReplaces) {
    Harness h;
    open_path(h.state(), write(h.dir() / "f.csv", "1,2\n3,4\n"), OpenAs::f);
    h.settle();
    ASSERT_TRUE(h.document().x->isZero(0));
    EXPECT_NE(h.state().status.find("X, of 4×6, does not fit and is 0 now"), std::string::npos)
        << h.state().status;
    open_path(h.state(), write(h.dir() / "g.csv", "1,2,3\n3,4,5\n"), OpenAs::x);
    h.settle();
    EXPECT_NE(h.state().status.find("F(X), of 2×2, does not fit"), std::string::npos);
    open_path(h.state(), write(h.dir() / "h.csv", "1,2,3\n3,4,5\n"), OpenAs::f);
    h.settle();
    EXPECT_EQ(h.state().status.find("does not fit"), std::string::npos);
}

TEST(Files, TheDocumentIsCalledAsTheFileOfX) {
    Harness h;
    const std::string before = h.document().title;
    for (const char* name : {"first", "second.part"}) {
        h.app().files_dropped(
            {write(h.dir() / (std::string(name) + ".csv"), "1,2\n3,4\n").string()});
        h.settle();
        if (!h.state().dialogs.empty()) h.click("dialog.open"); // as X, which is chosen
        h.settle();
        EXPECT_EQ(h.document().title, name);
        EXPECT_NE(h.app().window_title().find(name), std::string::npos);
    }
    h.app().files_dropped({write(h.dir() / "f.csv", "5,6\n7,8\n").string()});
    h.settle();
    EXPECT_EQ(h.document().title, "second.part") << "F(X) beside the X that is there";
    ask_export_matrix(h.state(), Tensor::x_hat);
    h.settle();
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_EQ(h.state().dialogs.back()->title(), "Export x\u0302");
    h.key_and_settle(Key::escape);
    while (h.state().history.can_undo()) h.key(Key::z, true);
    EXPECT_EQ(h.document().title, before);
}

TEST(Files, AMatrixOfTheSameShapeIsAskedAbout) {
    Harness h;
    const fs::path path = h.dir() / "same.npy";
    write(path, write_npy(Matrix<double>(Matrix<double>::Constant(4, 6, 2.5))));
    h.app().files_dropped({path.string()});
    h.settle();
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    h.click("dialog.input.f");
    h.click_and_settle("dialog.open");
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ((*h.document().f)(3, 5), 2.5);
    EXPECT_NE((*h.document().x)(3, 5), 2.5);
}

TEST(Files, AFileCalledFIsFOfX) {
    Harness h;
    const fs::path path = h.dir() / "f.npy";
    write(path, write_npy(Matrix<double>(Matrix<double>::Constant(4, 6, 2.5))));
    h.app().files_dropped({path.string()});
    h.settle();
    EXPECT_EQ((*h.document().f)(0, 0), 2.5);
}

TEST(Files, OfAStackASliceIsAskedFor) {
    Harness h;
    h.app().files_dropped({std::string(NORMSCOPE_GOLDEN_DIR) + "/../app/io/data/stack_f4.npy"});
    h.settle();
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_TRUE(h.has_text("Slice, 0 to"));
    h.click("dialog.slice");
    h.click_and_settle("dialog.open");
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ(h.state().history.can_undo(), true);
}

TEST(Files, OfAnArchiveAnArrayIsAskedFor) {
    Harness h;
    h.app().files_dropped({std::string(NORMSCOPE_GOLDEN_DIR) + "/../app/io/data/several.npz"});
    h.settle();
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_TRUE(h.has_text("It holds 3 arrays."));
    h.click_and_settle("dialog.array-0");
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ(h.document().token_count(), 3);
    EXPECT_EQ((*h.document().x)(0, 0), -7 / 8.0);
}

TEST(Files, AFileWaitsUntilAQuestionIsAnswered) {
    Harness h;
    const fs::path same = h.dir() / "same.npy", other = h.dir() / "other.csv";
    const fs::path session = h.dir() / "last.normscope.json";
    write(same, write_npy(Matrix<double>(Matrix<double>::Constant(4, 6, 2.5))));
    write(other, "1,2\n3,4\n");
    write(session, write_session(blank_document(2, 3)));
    const Document before = h.document();
    h.app().files_dropped({same.string(), other.string(), session.string()});
    h.settle();
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    EXPECT_EQ(h.document(), before) << "nothing takes the place of what is asked about";
    EXPECT_TRUE(h.has_text("is opened once the question is answered")) << h.state().status;
    EXPECT_FALSE(h.app().animating()) << "what waits moves nothing";
    h.click("dialog.input.f");
    h.click_and_settle("dialog.open");
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ(h.document().token_count(), 2);
    EXPECT_EQ(h.document().feature_count(), 3);
    h.key_and_settle(Key::z, true);
    EXPECT_EQ((*h.document().x)(1, 1), 4) << "in the order in which they came";
    h.key_and_settle(Key::z, true);
    EXPECT_EQ((*h.document().f)(3, 5), 2.5);
}

TEST(Files, ControlCharactersInNamesAreShownEscaped) {
    Harness h;
    const fs::path path = h.dir() / "x.csv";
    write(path, "token,\"a\nb\"\n\"c\td\",1\nthe,2\n");
    h.app().files_dropped({path.string()});
    h.settle();
    ASSERT_EQ(h.document().features->front(), "a\nb");
    EXPECT_TRUE(h.has_text("a\\nb"));
    EXPECT_TRUE(h.has_text("c\\td"));
    EXPECT_FALSE(h.has_text("c\td"));
}

TEST(Files, AWrongFileIsOneSentenceAndChangesNothing) {
    Harness h;
    const Document before = h.document();
    h.app().files_dropped({write(h.dir() / "bad.csv", "1,2\n3\n").string()});
    h.settle();
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.state().status_is_error);
    EXPECT_NE(h.state().status.find("bad.csv"), std::string::npos);
    h.app().files_dropped({(h.dir() / "missing.npy").string()});
    h.settle();
    EXPECT_NE(h.state().status.find("missing.npy"), std::string::npos);
}

TEST(Files, AMessageAboutAFileGoesWithItsUndo) {
    Harness h;
    const Document before = h.document();
    h.app().files_dropped({write(h.dir() / "ok.csv", "1,2,3\n4,5,7\n").string()});
    h.settle();
    ASSERT_TRUE(h.has_text("ok.csv is X: 2 tokens of 3 features"));
    h.key_and_settle(Key::z, true);
    ASSERT_EQ(h.document(), before);
    EXPECT_EQ(h.state().status, "");
    h.state().say("Saved somewhere");
    h.key_and_settle(Key::y, true);
    EXPECT_EQ(h.state().status, "") << "by redo as well";
    h.app().files_dropped({(h.dir() / "missing.npy").string()});
    h.settle();
    h.key_and_settle(Key::z, true);
    ASSERT_EQ(h.document(), before);
    EXPECT_NE(h.state().status.find("missing.npy"), std::string::npos) << "an error stays";
}

TEST(Files, TheBrowserFindsByTypingAndOpensByEnter) {
    Harness h({.persist = true});
    write(h.dir() / "alpha.csv", "1,2,3\n4,5,7\n");
    write(h.dir() / "beta.csv", "1,2\n");
    h.key_and_settle(Key::o, true);
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    h.type("alp");
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ((*h.document().x)(1, 2), 7);
    ASSERT_EQ(h.state().files.recent.paths().size(), 1u);
    EXPECT_EQ(h.state().files.recent.paths()[0].filename(), "alpha.csv");
}

TEST(Files, ASystemThatAsksForFilesItselfHandsThemOver) {
    Harness h;
    std::function<void(std::filesystem::path)> hand_over;
    h.state().services.choose_file = [&](auto take) { hand_over = std::move(take); };
    h.key_and_settle(Key::o, true);
    EXPECT_TRUE(h.state().dialogs.empty());
    ASSERT_TRUE(hand_over);
    hand_over(write(h.dir() / "x.csv", "4,5\n"));
    h.settle();
    EXPECT_EQ((*h.document().x)(0, 0), 4);
}

TEST(Files, TheBrowserOpensTheNameThatWasTypedWhole) {
    Harness h;
    write(h.dir() / "a_x.csv", "1,2\n");
    write(h.dir() / "x.csv", "4,5\n");
    h.key_and_settle(Key::o, true);
    h.type("x.csv");
    h.key_and_settle(Key::enter);
    EXPECT_EQ((*h.document().x)(0, 0), 4);
}

TEST(Files, TheBrowserGoesIntoFoldersAndSaysWhatIsNotThere) {
    Harness h;
    fs::create_directories(h.dir() / "sub");
    write(h.dir() / "sub" / "x.csv", "8,9\n");
    h.key_and_settle(Key::o, true);
    h.type("nothing-like-this");
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.has_text("is not in /"));
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(h.state().dialogs.empty());
    h.key_and_settle(Key::o, true);
    h.type("sub/");
    h.settle();
    h.type("x");
    h.key_and_settle(Key::enter);
    EXPECT_EQ((*h.document().x)(0, 1), 9);
}

TEST(Files, SavingAsksForANameOnceAndOpensAgainTheSame) {
    Harness h;
    h.click("add-norm.gamma.d1");
    h.key(Key::del);
    const Document saved = h.document();
    EXPECT_TRUE(h.app().window_title().starts_with("• "));
    h.key_and_settle(Key::s, true);
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    h.key_and_settle(Key::enter);
    ASSERT_TRUE(h.state().dialogs.empty()) << h.state().status;
    const fs::path path = h.state().history.kept()->path;
    ASSERT_TRUE(path.string().ends_with(k_session_suffix)) << path;
    EXPECT_FALSE(h.app().window_title().starts_with("• "));
    const auto read = read_session(*read_file(path), path.string());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, saved);

    h.click("add-norm.gamma.d2");
    h.key(Key::del);
    h.key_and_settle(Key::s, true);
    EXPECT_TRUE(h.state().dialogs.empty()) << "the second time it knows the file";
    EXPECT_TRUE(h.state().history.saved());

    h.click_and_settle("bar.example");
    h.click("menu.example.evenly-spaced");
    h.app().files_dropped({path.string()});
    h.settle();
    EXPECT_EQ(h.document(), *read_session(*read_file(path), ""));
    EXPECT_EQ(h.state().history.kept()->path, path);
}

TEST(Files, SaveAsBeginsWithTheNameThatTheSessionHas) {
    Harness h;
    const fs::path path = write(h.dir() / ("Übung 1" + std::string(k_session_suffix)),
                                write_session(blank_document(3, 7)));
    h.app().files_dropped({path.string()});
    h.settle();
    EXPECT_TRUE(h.has_text("Übung 1")) << "in the bar";
    h.click("add-norm.gamma.d1");
    h.key(Key::del);
    h.key_and_settle(Key::s, true, true);
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.has_text("exists. Replace it?"));
    h.click_and_settle("dialog.accept");
    EXPECT_EQ(*read_session(*read_file(path), ""), h.document());
}

TEST(Files, UndoAndRedoGoFromFileToFile) {
    Harness h;
    const std::string suffix(k_session_suffix);
    const fs::path a = write(h.dir() / ("a" + suffix), write_session(blank_document(3, 7)));
    const fs::path b = write(h.dir() / ("b" + suffix), write_session(blank_document(2, 5)));
    const auto open = [&](const fs::path& file) {
        h.app().files_dropped({file.string()});
        h.settle();
    };
    const auto path = [&] { return h.state().history.kept()->path; };
    open(a);
    EXPECT_EQ(path(), a);
    raise_a_fader(h);
    h.key_and_settle(Key::s, true);
    const Document kept = h.document();
    ASSERT_TRUE(h.state().history.saved());
    open(b);
    EXPECT_EQ(path(), b);
    EXPECT_TRUE(h.app().window_title().starts_with("b")) << h.app().window_title();

    h.key(Key::z, true);
    EXPECT_EQ(h.document(), kept);
    EXPECT_EQ(path(), a);
    EXPECT_TRUE(h.state().history.saved());
    h.key(Key::z, true);
    EXPECT_FALSE(h.state().history.saved()) << "its file is as it was after the edit";
    h.key(Key::z, true);
    EXPECT_TRUE(path().empty()) << "so that Save does not write an example over a";
    EXPECT_TRUE(h.state().history.saved());

    for (int i = 0; i < 3; ++i) h.key(Key::y, true);
    EXPECT_EQ(path(), b);
    EXPECT_TRUE(h.state().history.saved());
    raise_a_fader(h);
    h.key_and_settle(Key::s, true);
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_EQ(*read_session(*read_file(b), ""), h.document());
    EXPECT_EQ(*read_session(*read_file(a), ""), kept);
}

TEST(Files, ASessionThatComesBackIsSavedToItsFile) {
    Harness h;
    const std::string suffix(k_session_suffix);
    const fs::path a = write(h.dir() / ("a" + suffix), write_session(blank_document(3, 7)));
    h.app().files_dropped({a.string()});
    h.settle();
    raise_a_fader(h);
    const Document left = h.document();
    h.click_and_settle("bar.example");
    h.click("menu.example.evenly-spaced");
    h.key_and_settle(Key::q, true);
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    h.click_and_settle("dialog.go-0");
    EXPECT_EQ(h.document(), left);
    EXPECT_FALSE(h.state().history.saved());
    h.key_and_settle(Key::s, true);
    EXPECT_TRUE(h.state().history.saved());
    EXPECT_EQ(*read_session(*read_file(a), ""), left);
}

TEST(Files, AnotherMatrixIsSeenWhole) {
    Harness h;
    h.state().view.viewport = {3, 1, 2};
    std::string csv; // 4 of 6, as the document
    for (int row = 0; row < 4; ++row) csv += "1,2,3,4,5,6\n";
    h.app().files_dropped({write(h.dir() / "x.csv", csv).string()});
    h.settle();
    EXPECT_EQ(h.state().view.viewport, MatrixViewport{}) << "though it has the same shape";
}

TEST(Files, AnExistingFileIsReplacedOnlyWhenSaidTwice) {
    Harness h;
    write(h.dir() / "a-sentence-with-and.normscope.json", "precious");
    h.key_and_settle(Key::s, true, true);
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.has_text("exists. Replace it?"));
    EXPECT_EQ(*read_file(h.dir() / "a-sentence-with-and.normscope.json"), "precious");
    h.click_and_settle("dialog.accept");
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_NE(*read_file(h.dir() / "a-sentence-with-and.normscope.json"), "precious");
}

TEST(Files, AMatrixIsExportedAsItIsShown) {
    Harness h;
    ask_export_matrix(h.state(), Tensor::y);
    h.settle();
    h.click("dialog.format.npy");
    h.click_and_settle("dialog.accept");
    const auto y = load_table(h.dir() / "a-sentence-with-and-y.npy");
    ASSERT_TRUE(y) << y.error().message;
    const MatrixView shown = h.state().derived->view(Tensor::y);
    for (Index i = 0; i < shown.rows(); ++i)
        for (Index j = 0; j < shown.cols(); ++j) EXPECT_EQ(y->values(i, j), shown(i, j));
}

TEST(Files, ANameThatIsOfferedIsReplacedByTypingInEveryDialog) {
    Harness h({.persist = true});
    h.key_and_settle(Key::o, true);
    h.type("ab"); // the caret now stands behind the second letter
    h.key_and_settle(Key::escape);
    while (!h.state().dialogs.empty()) h.key(Key::escape), h.settle();
    h.key_and_settle(Key::s, true);
    ASSERT_EQ(h.state().dialogs.size(), 1u);
    h.type("mine");
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_NE(h.app().window_title().find("mine"), std::string::npos) << h.app().window_title();
    EXPECT_EQ(h.app().window_title().find("section"), std::string::npos);
}

TEST(Files, TabGoesFromTheNameToTheButtonsAndBack) {
    Harness h;
    ask_export_figure(h.state(), "workspace");
    h.settle();
    const ImGuiID name = h.state().dialog_ui.focus;
    EXPECT_NE(name, 0u);
    h.key_and_settle(Key::tab);
    EXPECT_NE(h.state().dialog_ui.focus, name);
    h.key(Key::right); // the formats: PNG, SVG
    h.key_and_settle(Key::tab, false, true);
    EXPECT_EQ(h.state().dialog_ui.focus, name);
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(read_file(h.dir() / "a-sentence-with-and-workspace.svg")) << h.state().status;
}

TEST(Files, TheBrowserOpensWhereItWasLastUsed) {
    Harness h;
    fs::create_directory(h.dir() / "figures");
    ask_export_figure(h.state(), "workspace");
    h.settle();
    h.key(Key::a, true);
    h.type("figures/a.png");
    h.key_and_settle(Key::enter);
    ASSERT_TRUE(fs::exists(h.dir() / "figures" / "a.png")) << h.state().status;
    EXPECT_EQ(h.state().files.recent.folder(), h.dir() / "figures");
}

TEST(Files, AFigureIsExportedFromTheMenu) {
    Harness h;
    ask_export_figure(h.state(), "workspace");
    h.settle();
    h.click("dialog.format.svg");
    h.click_and_settle("dialog.accept");
    const auto svg = read_file(h.dir() / "a-sentence-with-and-workspace.svg");
    ASSERT_TRUE(svg) << h.state().status;
    EXPECT_TRUE(svg->starts_with("<?xml"));
    h.frames(2); // the screen goes on
}

TEST(Files, SavingTakesTheNumberThatIsBeingTyped) {
    Harness h;
    const fs::path path = h.dir() / ("typed" + std::string(k_session_suffix));
    h.save_to(path);
    h.state().history.kept()->path = path;
    h.settle();
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    h.click(Point{cells.x + 10, cells.y + 10});
    h.type("7.25");
    h.key_and_settle(Key::s, true);
    EXPECT_EQ((*h.document().x)(0, 0), 7.25);
    EXPECT_TRUE(h.state().history.saved());
    const auto saved = read_session(*read_file(path), "typed");
    ASSERT_TRUE(saved);
    EXPECT_EQ((*saved->x)(0, 0), 7.25);

    h.type("8.5");
    h.key_and_settle(Key::q, true);
    EXPECT_FALSE(h.app().wants_quit());
    ASSERT_EQ(h.state().dialogs.size(), 1u) << "it is asked about";
    EXPECT_EQ((*h.document().x)(0, 0), 8.5);
    h.key_and_settle(Key::escape);

    h.click(Point{cells.x + 10, cells.y + 10});
    h.type("9");
    h.app().request_quit(); // the window's own button
    h.settle();
    EXPECT_EQ((*h.document().x)(0, 0), 9);
    EXPECT_EQ(h.state().dialogs.size(), 1u);
}

TEST(Files, TheFirstDocumentHasNothingToUndo) {
    const Harness first;
    const fs::path session = write(first.dir() / ("a" + std::string(k_session_suffix)),
                                   write_session(blank_document(2, 3)));
    const fs::path matrix = write(first.dir() / "x.csv", "1,2,3\n4,5,7\n");
    const fs::path other = write(first.dir() / "other.csv", "1,2\n");
    for (const fs::path& file : {session, matrix}) {
        Harness h({.file = file});
        h.settle();
        ASSERT_EQ(h.document().feature_count(), 3) << file;
        EXPECT_FALSE(h.state().history.can_undo()) << file;
        EXPECT_TRUE(h.state().history.saved()) << file;
        h.app().files_dropped({other.string()});
        h.settle();
        EXPECT_TRUE(h.state().history.can_undo()) << "dropped later";
    }
}

TEST(Files, AMatrixSaysWhichSettingsItKeptAndOnePressTakesTheUsualOnes) {
    Harness h;
    const fs::path path = write(h.dir() / "x.csv", "1,2,3\n4,5,7\n");
    open_path(h.state(), path, OpenAs::x);
    h.settle();
    EXPECT_TRUE(h.has_text("kept: Layer norm, ε 1e-5, γ and β per feature"));
    EXPECT_FALSE(h.has("status.action")) << "these are the usual ones";
    h.state().apply_edits({set<&Document::norm, &Norm::kind>(NormKind::rms),
                           set<&Document::eps>(0.5), set<&Document::affine_per>(AffinePer::token)});
    h.settle();
    open_path(h.state(), path, OpenAs::x);
    h.settle();
    EXPECT_TRUE(h.has_text("kept: RMS norm, ε 0.5, γ and β per token"));
    const Document kept = h.document();
    h.click_and_settle("status.action");
    EXPECT_TRUE(has_usual_settings(h.document()));
    EXPECT_EQ(h.document().x, kept.x);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), kept);
}

TEST(Files, ASessionIsLookedAtAsItWasSaved) {
    const fs::path path = fs::path(::testing::TempDir()) /
                          ("looked" + std::to_string(::getpid()) + std::string(k_session_suffix));
    Harness h;
    h.key(Key::n3);
    h.state().view.pinned_token = 1;
    h.state().view.pinned_feature = 4;
    h.settle();
    h.save_to(path);
    h.settle();
    Harness again({.file = path});
    again.settle();
    const View& view = again.state().view;
    EXPECT_EQ(view.workspace, workspace_index("backward"));
    EXPECT_EQ(view.pinned_token, 1);
    EXPECT_EQ(view.pinned_feature, 4);
    EXPECT_TRUE(again.state().history.saved()) << "how it is looked at is no change";

    // An older session says nothing of it.
    write(path, write_session(h.document()));
    again.key_and_settle(Key::n2);
    open_path(again.state(), path);
    again.settle();
    EXPECT_EQ(view.workspace, workspace_index("batch-vs-layer"));
    EXPECT_FALSE(view.pinned_token);
    fs::remove(path);
}

} // namespace
} // namespace normscope::testing
