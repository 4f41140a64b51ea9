#include "app/lessons/question.h"
#include "app/shell/files/file_commands.h"
#include "tests/app/shell/lessons/lesson_words.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

class LessonAnswers : public ::testing::Test {
  protected:
    Harness h;

    void begin_at(const std::string& lesson, const std::string& title) {
        begin(h, step_called(h, lesson, title));
    }
    const LessonPlayer& player() { return h.state().lesson->player; }
    std::vector<std::string> order() {
        std::vector<std::string> names;
        for (const std::size_t i : player().order)
            names.push_back(player().step().predict->items[i].text.substr(0, 4));
        return names;
    }
    using Names = std::vector<std::string>;
};

TEST_F(LessonAnswers, EnterTakesANumberAndChecksIt) {
    begin_at("centre-and-size", "The centre");
    h.click("lesson.number");
    h.type("1.88");
    h.key_and_settle(Key::tab);
    EXPECT_EQ(player().number, 1.88);
    EXPECT_TRUE(player().checked().empty()) << "Tab takes it alone";
    h.click("lesson.number");
    h.type("1.88");
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(player().answer().first_right);
}

TEST_F(LessonAnswers, EnterChecksAClickedCellAndThenGoesOn) {
    begin(h, "puzzle-epsilon:2");
    h.click_and_settle(h.named("add-norm.card-z.cells").cell(0, 0).center());
    EXPECT_FALSE(player().cell().empty());
    h.key_and_settle(Key::enter);
    EXPECT_FALSE(player().asks());
    ASSERT_EQ(player().at(), 1u) << "the answer is read first";
    h.key_and_settle(Key::enter);
    EXPECT_EQ(player().at(), 2u);
}

TEST_F(LessonAnswers, LinesAreDraggedToTheirPlaces) {
    begin_at("centre-and-size", "Far is not wide");
    EXPECT_EQ(order(), (Names{"wide", "far:", "lone"}));
    const Point wide = h.center_of("lesson.order-1");
    h.drag(wide, {wide.x, h.center_of("lesson.order-3").y + 5});
    h.settle();
    EXPECT_EQ(order(), (Names{"far:", "lone", "wide"}));
    EXPECT_LT(h.named("lesson.order-2").rect.y, h.named("lesson.order-3").rect.y);
    EXPECT_LT(h.named("lesson.order-3").rect.y, h.named("lesson.order-1").rect.y);
    h.click_and_settle("lesson.check");
    EXPECT_TRUE(says(h, "Right."));
    EXPECT_TRUE(player().answer().first_right);
}

TEST_F(LessonAnswers, LinesAreMovedByTheKeyboard) {
    begin_at("centre-and-size", "Far is not wide");
    while (h.focused() != "lesson.order-1") h.key(Key::tab);
    h.key_and_settle(Key::down);
    EXPECT_EQ(order(), (Names{"far:", "wide", "lone"}));
    EXPECT_EQ(h.focused(), "lesson.order-1") << "it keeps the keyboard";
    h.key_and_settle(Key::enter, false, false, true);
    EXPECT_TRUE(says(h, "Not this."));
    EXPECT_TRUE(h.has_text("→ 3")) << "where the line belongs";
    EXPECT_FALSE(h.named("lesson.check").enabled);
    h.key(Key::down);
    h.key_and_settle(Key::enter, false, false, true);
    EXPECT_TRUE(says(h, "Right."));
    EXPECT_EQ(player().answer().tries.size(), 2u) << "the first answer is kept";
    EXPECT_FALSE(player().answer().first_right);
    h.key(Key::right, false, false, true);
    h.key_and_settle(Key::left, false, false, true);
    EXPECT_EQ(order(), (Names{"far:", "lone", "wide"})) << "the answer is there again";
}

TEST_F(LessonAnswers, ACurveIsDrawnWithTheMouse) {
    begin_at("deep", "How it falls");
    const LessonPrediction& predict = *player().step().predict;
    EXPECT_FALSE(h.named("lesson.check").enabled);
    EXPECT_FALSE(h.named("gradient-flow.gradient-norms").in_sight().h < 1);
    const Rect plot = h.named("lesson.sketch").rect;
    const std::size_t parts = h.all_of("gradient-flow.").size();
    h.drag(sketch_place(predict, plot, 0, 1e-15), sketch_place(predict, plot, 2, 1e-8));
    h.settle();
    EXPECT_EQ(h.all_of("gradient-flow.").size(), parts) << "a drag opens no fold of the page";
    const float power = // so many pixels high
        sketch_place(predict, plot, 0, 1e-15).y - sketch_place(predict, plot, 0, 1e-14).y;
    const double pixel = 1.1 / static_cast<double>(power); // the mouse stands on whole ones
    EXPECT_NEAR(std::log10(player().heights[0]), -15, pixel);
    EXPECT_NEAR(std::log10(player().heights[1]), -11.5, pixel) << "passed by the mouse";
    EXPECT_TRUE(std::isnan(player().heights[3]));
    EXPECT_TRUE(says(h, "3 of 5 points"));
    EXPECT_FALSE(h.has_text("measured")) << "not before it is predicted";
    h.drag(sketch_place(predict, plot, 2, 1e-8), sketch_place(predict, plot, 4, 1));
    h.settle();
    h.click_and_settle("lesson.check");
    EXPECT_TRUE(says(h, "Right."));
    EXPECT_TRUE(h.has_text("measured")) << "over the sketch";
    EXPECT_TRUE(player().answer().first_right);
}

TEST_F(LessonAnswers, ACurveIsDrawnWithTheArrows) {
    begin_at("deep", "How it falls");
    while (h.focused() != "lesson.sketch") h.key(Key::tab);
    h.key(Key::down);
    const double first = player().heights[0];
    EXPECT_LT(first, 1e-8);
    EXPECT_GT(first, 1e-11) << "a step below the middle";
    for (int i = 1; i < 5; ++i) {
        h.key(Key::right);
        h.key(Key::down);
    }
    EXPECT_LT(player().heights[4], player().heights[3]) << "begins where its neighbour is";
    h.key_and_settle(Key::enter, false, false, true);
    EXPECT_TRUE(says(h, "Not this."));
    const std::vector<double> drawn = player().heights;
    begin(h, "shortcut");
    begin_at("deep", "How it falls");
    EXPECT_EQ(player().heights, drawn) << "kept";
}

TEST_F(LessonAnswers, ShowMeDoesTheActsBeforeOnesEyes) {
    begin(h, "shortcut:3");
    h.click("lesson.choice-1");
    h.click_and_settle("lesson.check");
    const std::size_t hints = player().step().task->hints.size();
    for (std::size_t i = 0; i < hints; ++i) h.click("lesson.hint");
    EXPECT_NE((*h.document().f)(0, 0), 0);
    h.click("lesson.hint");
    h.frames(5);
    EXPECT_EQ(player().shown_act, 0u);
    EXPECT_TRUE(says(h, "Watch the page: 1 of 3."));
    EXPECT_NE((*h.document().f)(0, 0), 0) << "the hand is on its way";
    frames_until(h, [&] { return player().shown_act != 0u; });
    EXPECT_EQ((*h.document().f)(0, 0), 0);
    EXPECT_NE((*h.document().f)(0, 1), 0) << "one act at a time";
    h.settle();
    EXPECT_TRUE(player().task_done());
    EXPECT_FALSE(h.state().lesson->show);
    EXPECT_EQ(h.document().f->cwiseAbs().maxCoeff(), 0);
    undo(h.state());
    h.settle();
    EXPECT_NE((*h.document().f)(0, 2), 0) << "each act is a step to undo";
}

TEST_F(LessonAnswers, ShowMeDoesNotWaitUnderReduceMotion) {
    const auto frames_of_show = [&](bool reduce) {
        h.state().view.reduce_motion = reduce;
        begin(h, "shortcut:3");
        h.state().lesson->player.go(2, h.document());
        if (player().asks()) {
            h.click("lesson.choice-1");
            h.click("lesson.check");
        }
        h.settle();
        ask_to_show(h);
        int frames = 0;
        for (; frames < 20000 && h.state().lesson->show; ++frames) h.frame();
        EXPECT_TRUE(player().task_done());
        h.settle(); // what was kept aside is there again
        h.state().progress.forget();
        h.click_and_settle("lesson.close");
        return frames;
    };
    EXPECT_LT(frames_of_show(true), 120);
    EXPECT_GT(frames_of_show(false), 240) << "the hand glides";
}

TEST_F(LessonAnswers, ShowMeSaysWhatItCannotDo) {
    Lesson lesson = *std::ranges::find(h.state().lessons, "gamma-and-beta", &Lesson::id);
    LessonStep& step = lesson.steps[0];
    step.predict.reset();
    step.task = LessonTask();
    step.task->done.emplace_back().subject = "tokens";
    step.task->done[0].is = "99";
    step.task->solution.emplace_back().target = "nowhere";
    ASSERT_TRUE(begin_lesson(h.state(), lesson, 0));
    h.settle();
    h.click_and_settle("lesson.hint");
    EXPECT_FALSE(h.state().lesson->show);
    EXPECT_TRUE(h.has_text("nothing on the screen is named “nowhere”"));
    EXPECT_TRUE(says(h, "The page shows what to do, in order."));
}

TEST_F(LessonAnswers, AnExportedFigureCompletesATask) {
    begin_at("faster", "Take it with you");
    EXPECT_FALSE(player().task_done());
    ask_to_show(h); // by the menu and the file browser
    h.settle();
    EXPECT_TRUE(player().task_done()) << h.state().status;
    std::size_t pictures = 0;
    for (const auto& file : std::filesystem::directory_iterator(h.dir()))
        pictures += file.path().extension() == ".png" ? 1 : 0;
    EXPECT_EQ(pictures, 0u) << "it is only shown";
}

TEST_F(LessonAnswers, TheHandoutIsWrittenFromTheWindow) {
    begin(h, "shortcut");
    const auto open_dialog = [&] {
        h.key_and_settle(Key::l, false, false, true);
        h.click_and_settle("menu.lessons.handout");
    };
    open_dialog();
    h.click("dialog.accept");
    h.settle(std::chrono::seconds(120));
    EXPECT_TRUE(std::filesystem::exists(h.dir() / "shortcut-handout.pdf")) << h.state().status;
    EXPECT_TRUE(std::filesystem::exists(h.dir() / "shortcut-handout-solutions.pdf"));
    EXPECT_TRUE(h.has_text("shortcut-handout-solutions.pdf")) << "it is told";
    std::filesystem::remove(h.dir() / "shortcut-handout.pdf");
    open_dialog();
    h.click_and_settle("dialog.accept");
    EXPECT_TRUE(says(h, "Replace the solutions?"));
    h.click_and_settle("dialog.cancel");
    EXPECT_FALSE(std::filesystem::exists(h.dir() / "shortcut-handout.pdf"));
}

TEST(LessonHandout, IsGivenUpWithTheProgram) {
    const std::filesystem::path dir =
        std::filesystem::temp_directory_path() / "normscope-handout-given-up";
    std::filesystem::create_directories(dir);
    {
        Harness h({.dir = dir});
        begin(h, "shortcut");
        h.key_and_settle(Key::l, false, false, true);
        h.click_and_settle("menu.lessons.handout");
        h.click("dialog.accept");
        h.frames(3);
        EXPECT_TRUE(h.state().handout);
    }
    EXPECT_FALSE(std::filesystem::exists(dir / "shortcut-handout.pdf"));
    std::filesystem::remove_all(dir);
}

TEST(LessonFolds, WhereThereIsNoRoomForBothTheyTakeTurns) {
    Harness h({.window = {1024, 768}, .scale = 2.5f});
    begin(h, "shortcut:3");
    const NamedPart panel = h.named("lesson");
    EXPECT_FLOAT_EQ(panel.rect.w, 1024);
    EXPECT_FALSE(h.has("add-norm")) << "the lesson has all the room";
    h.click_and_settle("lesson.fold");
    EXPECT_TRUE(h.has("add-norm"));
    EXPECT_GT(h.named("add-norm").rect.h, 250);
    EXPECT_FLOAT_EQ(h.named("add-norm").rect.w, 1024);
    h.click_and_settle("lesson.unfold");
    EXPECT_FALSE(h.has("add-norm"));
    h.resize({1920, 1080});
    EXPECT_TRUE(h.has("add-norm")) << "there is room for both";
    EXPECT_TRUE(h.has("lesson.next"));
    EXPECT_FALSE(h.has("lesson.fold"));
}

} // namespace
} // namespace normscope::testing
