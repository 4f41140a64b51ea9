#include "app/lessons/panel.h"
#include "app/shell/frame/window_frame.h"
#include "tests/app/shell/lessons/lesson_words.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// On the page: covers, the veil and rings.
namespace normscope::testing {
namespace {

class LessonMarks : public ::testing::Test {
  protected:
    Harness h;

    LessonPlayer& player() { return h.state().lesson->player; }
    const Theme& look() { return theme(h.state().view.theme); }

    void answer() {
        const auto& predict = player().step().predict;
        if (!predict) return;
        player().option = player().number = 0;
        for (double& height : player().heights) height = predict->axis.to;
        if (predict->kind == LessonPrediction::Kind::cell)
            h.state().view.pinned_token = h.state().view.pinned_feature = 0;
        h.settle();
        h.click_and_settle("lesson.check");
    }
    // In every step of every lesson, before it is answered.
    template<class See>
    void each_step(See&& see) {
        for (const Lesson& lesson : h.state().lessons)
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                h.state().progress.forget();
                ASSERT_TRUE(begin_lesson(h.state(), lesson, i));
                h.settle();
                see(lesson.steps[i], lesson.id + ", step " + std::to_string(i + 1));
            }
    }
    std::ptrdiff_t covers_drawn() {
        return std::ranges::count_if(h.log().texts, [](const LoggedText& t) {
            return t.text == "?" && t.role == TextRole::brand;
        });
    }
    // A panel that the step hides may stand below the part of the page that is in sight.
    bool hides_in_sight(const LessonStep& step) {
        return std::ranges::any_of(step.hide, [&](const std::string& name) {
            const auto target = lesson_target(h.log().parts, name);
            EXPECT_TRUE(target) << name << " is not on the page";
            const NamedPart* const part = find_part(h.log().parts, name);
            return target && (!part || part->in_sight().h >= 1);
        });
    }
    // The strips of the veil that lies over the page.
    std::vector<Rect> veil() {
        const std::vector<Point> corners =
            h.vertices(look().background.with_alpha(0.66f), Rect{0, 0, 1600, 1000});
        std::vector<Rect> strips; // four corners each
        for (std::size_t i = 0; i + 3 < corners.size(); i += 4)
            strips.push_back({corners[i].x, corners[i].y, corners[i + 2].x - corners[i].x,
                              corners[i + 2].y - corners[i].y});
        return strips;
    }
    bool is_veiled(const std::string& name) {
        const Point at = h.named(name).in_sight().center();
        return std::ranges::any_of(veil(), [&](const Rect& strip) { return strip.contains(at); });
    }
    bool has_ring(Color color, Rect around) {
        return !h.vertices(color, around.inset(-4, -4)).empty();
    }
};

TEST_F(LessonMarks, TheAnswerUncoversEveryFigure) {
    each_step([&](const LessonStep& step, const std::string& where) {
        LessonStep covered = step; // what stays covered, too
        covered.hide = step.cover;
        covered.hide.insert(covered.hide.end(), step.hide.begin(), step.hide.end());
        EXPECT_EQ(lesson_covers(player()), covered.hide) << where;
        EXPECT_EQ(covers_drawn() > 0, hides_in_sight(covered)) << where;
        answer();
        // A lesson that is through keeps nothing covered.
        const bool through = player().last() && player().complete();
        EXPECT_EQ(lesson_covers(player()), through ? std::vector<std::string>() : step.cover)
            << where;
        if (through || step.cover.empty()) {
            EXPECT_EQ(covers_drawn(), 0) << where;
        }
        for (const std::string& name : step.hide) {
            const NamedPart* const part = find_part(h.log().parts, name);
            if (!part || part->in_sight().h < 1) continue;
            EXPECT_FALSE(is_veiled(name)) << where << ": " << name;
        }
    });
}

TEST_F(LessonMarks, TheFigureThatAnAnswerUncoversComesIntoSight) {
    h.resize({1024, 768});
    begin(h, "where-it-sits:2");
    answer();
    EXPECT_GT(h.named("transformer.layers").in_sight().h, 300);
    begin(h, "where-it-sits:5");
    answer();
    EXPECT_GT(h.named("transformer.lens.weights").in_sight().h, 30);
    begin(h, "backwards-by-hand:1");
    answer();
    EXPECT_GT(h.named("backward.parameters").in_sight().h, 60);
}

TEST_F(LessonMarks, TheLastTaskUncoversTheRest) {
    begin(h, "deep:5");
    answer();
    EXPECT_GT(covers_drawn(), 0);
    h.click_and_settle("gradient-flow.norm.layer");
    EXPECT_TRUE(player().complete());
    EXPECT_EQ(covers_drawn(), 0);
}

// The page's edge passes through no title: every card begins below it or well above it.
TEST_F(LessonMarks, ThePageIsScrolledToTheTopOfACard) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        h.resize(window);
        const auto expect_whole_titles = [&](const std::string& where) {
            for (const OutlinedPanel& panel : outline_of(h.state())) {
                const float top = h.named(std::string(h.state().workspace().id) + "." +
                                          std::string(panel.figure->id))
                                      .clip.y;
                EXPECT_FALSE(panel.rect.y < top && top < panel.rect.y + 30)
                    << panel.figure->id << " in " << where << " at " << window.w;
            }
        };
        each_step([&](const LessonStep&, const std::string& where) {
            expect_whole_titles(where);
            answer();
            expect_whole_titles(where + ", answered");
        });
    }
}

TEST_F(LessonMarks, TheKeyOfALitCardIsNeverVeiled) {
    int keys = 0;
    each_step([&](const LessonStep& step, const std::string& where) {
        for (const NamedPart& part : h.log().parts) {
            if (part.kind != PartKind::key || part.in_sight().h < 1) continue;
            const bool lit = std::ranges::any_of(
                step.show, [&](const std::string& name) { return is_within(part.name, name); });
            if (!lit) continue;
            EXPECT_FALSE(is_veiled(part.name)) << where << ": " << part.name;
            ++keys;
        }
    });
    EXPECT_GT(keys, 20);
    begin(h, "shortcut:3");
    h.key_and_settle(Key::f5);
    h.key_and_settle(Key::page_down);
    EXPECT_FALSE(is_veiled("add-norm.card-x.key")) << "before a class";
}

TEST_F(LessonMarks, ACoveredButtonAsksNothing) {
    begin(h, "class-or-own-average:5");
    const Rect button = h.named("batch-vs-layer.norms.more").rect;
    for (const LoggedText& t : h.log().texts)
        EXPECT_FALSE(t.text == "?" && button.contains(t.rect.center()));
    EXPECT_EQ(covers_drawn(), 2) << "those of the cards";
}

TEST_F(LessonMarks, ACoverGoesRoundASign) {
    begin(h, "centre-and-size:8");
    const Rect sign = h.named("add-norm.sign-2").rect; // over the edge of a covered card
    const Rect corner{sign.right() - 4.5f, sign.bottom() - 4, 4, 3.5f};
    EXPECT_FALSE(h.vertices(look().panel, corner).empty());
}

TEST_F(LessonMarks, TheMeanIsThereOnceItIsAnswered) {
    begin(h, "centre-and-size:1");
    const NamedPart cells = h.named("add-norm.card-z.statistics");
    const auto covered = [&] {
        return std::ranges::any_of(h.log().texts, [&](const LoggedText& t) {
            return t.text == "?" && cells.rect.contains(t.rect.center());
        });
    };
    EXPECT_TRUE(covered());
    answer();
    EXPECT_FALSE(covered());
}

TEST_F(LessonMarks, PaddingAndTheBatchOfOneAreInSight) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        h.resize(window);
        const auto in_sight = [&](const std::string& name) {
            return h.named(name).in_sight().h == h.named(name).rect.h;
        };
        begin(h, "class-or-own-average:3");
        EXPECT_TRUE(in_sight("batch-vs-layer.batch-size.training.cells")) << window.w;
        answer();
        EXPECT_TRUE(in_sight("batch-vs-layer.batch-size.training.cells")) << window.w;
        EXPECT_TRUE(in_sight("batch-vs-layer.size")) << window.w;
        begin(h, "class-or-own-average:4");
        answer();
        for (const std::string card : {"z", "layer", "batch"})
            EXPECT_TRUE(in_sight("batch-vs-layer.norms." + card)) << card << " in " << window.w;
    }
}

TEST_F(LessonMarks, TheRingIsOnWhatMustBePressedAndNoVeilLiesOverIt) {
    each_step([&](const LessonStep& step, const std::string& where) {
        if (!step.task) return;
        answer();
        for (const LessonAct& act : step.task->solution) {
            const auto* const part = find_part(h.log().parts, act.target);
            if (!part || act.target.starts_with("bar.")) continue; // a menu
            EXPECT_FALSE(is_veiled(act.target)) << where << ": " << act.target;
            EXPECT_TRUE(std::ranges::any_of(
                step.ring,
                [&](const std::string& ring) {
                    return lesson_target(h.log().parts, ring)->contains(part->rect.center());
                }))
                << where << ": " << act.target;
        }
    });
}

TEST_F(LessonMarks, ATaskWaitsForTheAnswer) {
    each_step([&](const LessonStep& step, const std::string& where) {
        if (!step.task || !step.predict) return;
        for (const LessonAct& act : step.task->solution)
            if (const auto* const part = find_part(h.log().parts, act.target)) {
                EXPECT_FALSE(part->enabled) << where << ": " << act.target;
                EXPECT_FALSE(has_ring(look().focus, part->rect)) << where << ": " << act.target;
            }
        answer();
        for (const LessonAct& act : step.task->solution)
            if (const auto* const part = find_part(h.log().parts, act.target)) {
                EXPECT_TRUE(part->enabled) << where << ": " << act.target;
            }
    });
}

TEST_F(LessonMarks, NothingMovesWhenTheAnswerIsChecked) {
    for (const char* const lesson :
         {"centre-and-size:4", "class-or-own-average:3", "deep:2", "deep:3", "deep:5",
          "where-it-sits:3", "where-it-sits:4", "where-it-sits:5"})
        for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
            h.resize(window);
            h.state().progress.forget();
            begin(h, lesson);
            const auto scroll = [&] { return h.state().scrolls[h.state().view.workspace].now; };
            const float before = scroll();
            answer();
            EXPECT_EQ(scroll(), before) << lesson << " in " << window.w;
        }
}

TEST_F(LessonMarks, TheConclusionComesIntoSightOnceTheStepIsDone) {
    h.resize({1024, 768});
    for (const char* const lesson : {"class-or-own-average:1", "where-it-sits:3"}) {
        begin(h, lesson);
        answer();
        const NamedPart conclusion = h.named("lesson.principle");
        EXPECT_EQ(conclusion.in_sight().h, conclusion.rect.h) << lesson;
    }
    begin(h, "where-it-sits:4");
    answer();
    EXPECT_GT(h.named("lesson.task").in_sight().h, 20);
    h.click_and_settle("transformer.lens.mask");
    const NamedPart conclusion = h.named("lesson.principle");
    EXPECT_EQ(conclusion.in_sight().h, conclusion.rect.h);
}

TEST_F(LessonMarks, TheRightChoiceIsRingedAfterASecondWrongTry) {
    begin(h, "where-it-sits:3");
    const auto right = [&] {
        return has_ring(look().ink_of(Stage::y), h.named("lesson.choice-0").rect);
    };
    h.click("lesson.choice-1");
    h.click_and_settle("lesson.check");
    EXPECT_FALSE(right());
    h.click("lesson.choice-2");
    h.click_and_settle("lesson.check");
    EXPECT_TRUE(right());
    EXPECT_TRUE(has_ring(look().error, h.named("lesson.choice-2").rect));
}

TEST_F(LessonMarks, TheChosenAndTheRightCellStayRinged) {
    begin(h, "centre-and-size:8");
    const NamedPart cells = h.named("add-norm.card-z.cells");
    h.click(cells.cell(0, 1).center());
    h.click_and_settle("lesson.check");
    ASSERT_FALSE(player().answer().right);
    const auto right = player().right_cell();
    ASSERT_TRUE(right);
    EXPECT_TRUE(has_ring(look().error, cells.cell(0, 1)));
    EXPECT_TRUE(has_ring(look().ink_of(Stage::y), cells.cell(right->token, right->feature)));
    h.click(cells.cell(1, 1).center()); // somebody looks at another cell
    h.settle();
    EXPECT_TRUE(has_ring(look().error, cells.cell(0, 1)));
}

TEST_F(LessonMarks, TheLensThatAStepAsksForOpensInSight) {
    h.resize({1600, 1000});
    begin(h, "where-it-sits:4");
    EXPECT_GT(h.named("transformer.lens").in_sight().h, 300);
    answer();
    h.click_and_settle("transformer.lens.mask");
    EXPECT_GT(h.named("transformer.lens.weights").in_sight().h, 30);
}

TEST_F(LessonMarks, EveryRowOfTheMaskedAttentionIsNamedInASmallWindow) {
    h.resize({1024, 768});
    begin(h, "where-it-sits:4");
    answer();
    const Rect weights = h.named("transformer.lens.weights").rect;
    for (const char* const word : {"<s>", "norms", "layer", "studying", "am"})
        EXPECT_TRUE(std::ranges::any_of(h.log().texts, [&](const LoggedText& t) {
            return t.text == word && t.rect.x < weights.x && t.rect.center().y > weights.y &&
                   t.rect.center().y < weights.bottom();
        })) << word;
}

TEST_F(LessonMarks, TheRingOfACellIsAroundItsDigits) {
    begin(h, "centre-and-size:8");
    const NamedPart cells = h.named("add-norm.card-z.cells");
    const Index last = h.document().feature_count() - 1;
    const Rect ring = cells.cell(1, last);
    const auto is_inside = [&](const LoggedText& t) { return ring.encloses(t.rect); };
    EXPECT_TRUE(std::ranges::any_of(h.log().texts, is_inside));
}

TEST_F(LessonMarks, ACoverStaysWhenTheAnswerIsGiven) {
    begin(h, "class-or-own-average:1");
    EXPECT_FALSE(h.named("batch-vs-layer.norms.batch.cells").enabled);
    answer();
    EXPECT_TRUE(h.named("batch-vs-layer.norms.layer.cells").enabled);
    EXPECT_FALSE(h.named("batch-vs-layer.norms.batch.cells").enabled) << "the next step asks it";
}

TEST_F(LessonMarks, TheTypedAndTheRightNumberStayRinged) {
    begin(h, "where-it-sits:1");
    h.click("lesson.number");
    h.type("7");
    h.key_and_settle(Key::enter);
    ASSERT_FALSE(player().answer().right);
    EXPECT_TRUE(has_ring(look().error, h.named("lesson.number").rect));
    EXPECT_TRUE(says(h, "→ 2"));
}

TEST_F(LessonMarks, AFormulaStandsOnOneLine) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        h.resize(window);
        begin(h, "centre-and-size:5");
        const Rect panel = h.named("lesson").rect;
        std::vector<float> lines;
        for (const LoggedText& t : h.log().texts)
            if (t.rect.x > panel.x && (t.text == "=" || t.text == "−" || t.text == "/"))
                lines.push_back(t.rect.y);
        ASSERT_GE(lines.size(), 3u);
        EXPECT_EQ(lines[0], lines[1]);
        EXPECT_EQ(lines[1], lines[2]);
    }
}

} // namespace
} // namespace normscope::testing
