// A lesson before a class.
#include "app/shell/lessons/lessons.h"
#include "app/shell/present/notes.h"
#include "app/shell/present/present.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

using Kind = Slide::Kind;

void present(Harness& h, const std::string& lesson) {
    const auto begun = begin_lesson(h.state(), lesson);
    ASSERT_TRUE(begun) << begun.error().message;
    h.settle();
    h.key_and_settle(Key::f5);
}

const LessonPlayer& player(Harness& h) {
    return h.state().lesson->player;
}

// At every size that a window may have, with notes as high as they may be.
TEST(LessonSlides, ShowsEveryPanelWhereNotesLeaveItNoRoom) {
    Harness h;
    present(h, "faster");
    h.key_and_settle(Key::n);
    bool map_drawn = false;
    for (int slides = 0; slides < 40 && player(h).at() < 3; ++slides) {
        for (const Size window : {Size{480, 320}, Size{2000, 320}, Size{480, 1000}}) {
            h.resize(window);
            h.frames(3);
            map_drawn |= h.has("train.maps");
        }
        h.key_and_settle(Key::page_down);
    }
    EXPECT_TRUE(map_drawn);
}

TEST(LessonSlides, AStepAsksShowsAndAnswersOneAfterTheOther) {
    Harness h;
    present(h, "shortcut:2");
    const LessonStep step = player(h).step();
    EXPECT_EQ(shown_slide(h.state()).kind, Kind::question);
    EXPECT_TRUE(h.has("presenter.hands-c"));
    EXPECT_TRUE(h.has_text("Step 2 of"));
    std::vector<Kind> kinds;
    std::vector<std::string> panels;
    for (std::size_t at = player(h).at(); player(h).at() == at; h.settle()) {
        kinds.push_back(shown_slide(h.state()).kind);
        if (kinds.back() == Kind::panel) panels.emplace_back(shown_panel(h.state()).id);
        const bool answered = std::ranges::find(kinds, Kind::answer) != kinds.end();
        EXPECT_EQ(player(h).asks(), !answered);
        h.key(Key::page_down);
    }
    EXPECT_EQ(kinds, (std::vector<Kind>{Kind::question, Kind::panel, Kind::panel, Kind::answer,
                                        Kind::panel}));
    EXPECT_EQ(panels, (std::vector<std::string>{"card-x", "card-f", "card-z"}))
        << "what is covered comes behind the answer";
    EXPECT_EQ(player(h).at(), 2u);
    EXPECT_EQ(shown_slide(h.state()).kind, Kind::question);
    h.key_and_settle(Key::page_up);
    EXPECT_EQ(player(h).at(), 1u);
    EXPECT_EQ(shown_panel(h.state()).id, "card-z") << "back is where it came from";
    EXPECT_FALSE(player(h).asks());
}

TEST(LessonSlides, AnswersAreHiddenUntilTheKeyWhateverWasAnsweredBefore) {
    Harness h;
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut:2"));
    h.settle();
    LessonPlayer& p = h.state().lesson->player;
    p.option = 0;
    p.check();
    const StepAnswer own = p.answer();
    ASSERT_FALSE(p.asks());
    const std::string feedback = p.step().predict->options[0].feedback.substr(0, 8);
    h.key_and_settle(Key::f5);
    EXPECT_TRUE(p.asks());
    EXPECT_FALSE(h.has_text("✓"));
    h.key_and_settle(Key::r);
    EXPECT_EQ(shown_slide(h.state()).kind, Kind::answer);
    EXPECT_TRUE(h.has_text("✓"));
    EXPECT_FALSE(p.asks());
    h.key_and_settle(Key::escape);
    EXPECT_EQ(p.answer(), own) << "the class changes nothing of it";
}

TEST(LessonSlides, HandsAreCountedForEveryOptionAndBeginAnewWithTheStep) {
    Harness h;
    present(h, "shortcut:2");
    for (int i = 0; i < 3; ++i) h.click("presenter.hands-b");
    h.click(h.center_of("presenter.hands-b"), 1);
    h.click_and_settle("presenter.hands-c");
    EXPECT_EQ(h.state().present.hands[1], 2);
    EXPECT_EQ(h.state().present.hands[2], 1);
    ASSERT_TRUE(h.app().notes());
    EXPECT_EQ(h.app().notes()->hands, "A 0   B 2   C 1");
    for (std::size_t at = player(h).at(); player(h).at() == at; h.settle()) h.key(Key::page_down);
    EXPECT_EQ(h.state().present.hands[1], 0);
}

TEST(LessonSlides, TheNotesTellTheAnswerByKey) {
    Harness h;
    present(h, "shortcut:2");
    EXPECT_FALSE(h.has("presenter.notes"));
    h.key_and_settle(Key::n);
    EXPECT_TRUE(h.has("presenter.notes"));
    const auto page = h.app().notes();
    ASSERT_TRUE(page);
    const auto& options = player(h).step().predict->options;
    const auto right = std::ranges::find_if(options, &LessonOption::right);
    const char letter = static_cast<char>('A' + (right - options.begin()));
    EXPECT_EQ(page->notes.substr(0, 3), std::string(1, letter) + ": ") << page->notes;
    EXPECT_EQ(page->next.find(player(h).lesson().steps[2].title), 0u) << page->next;
    h.key_and_settle(Key::n);
    EXPECT_FALSE(h.has("presenter.notes"));
}

TEST(LessonSlides, ANotesPageIsAPicture) {
    NotesPage page{ThemeKind::light, "Scene 1 of 2", "Wait.", "Scene 2", "3 min", "A 1"};
    const auto pixels = notes_picture(page, 640, 400);
    ASSERT_TRUE(pixels) << pixels.error().message;
    ASSERT_EQ(pixels->size(), 640u * 400u);
    const Color panel = theme(ThemeKind::light).panel;
    const std::uint32_t ground = 0xff000000u | static_cast<std::uint32_t>(panel.r) << 16 |
                                 static_cast<std::uint32_t>(panel.g) << 8 | panel.b;
    EXPECT_EQ(pixels->front(), ground);
    const auto inked = [&](const std::vector<std::uint32_t>& all) {
        return std::ranges::count_if(all, [&](std::uint32_t p) { return p != ground; });
    };
    EXPECT_GT(inked(*pixels), 500);
    std::string many;
    for (int i = 0; i < 40; ++i)
        many += "A sentence of the notes that is rather long, as they are.\n";
    page.notes = many;
    const auto full = notes_picture(page, 640, 400);
    ASSERT_TRUE(full);
    EXPECT_GT(inked(*full), 2 * inked(*pixels));
}

TEST(LessonSlides, TheWordsOfEveryLessonFitASmallWindow) {
    const Size window{1024, 768};
    Harness h({.window = window});
    const std::vector<Lesson> lessons = h.state().lessons;
    ASSERT_GE(lessons.size(), 10u);
    for (const Lesson& lesson : lessons) {
        present(h, lesson.id + ":1");
        for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
            ASSERT_TRUE(go_to_step(h.state(), step));
            const std::vector<Slide> slides = slides_of(h.state());
            for (std::size_t i = 0; i < slides.size(); ++i) {
                if (slides[i].kind == Kind::panel) continue;
                if (slides[i].kind == Kind::answer) reveal_answer(h.state());
                h.state().present.slide = i;
                h.state().present.words_scale = 1; // fonts are made anew for each
                h.frames(2);
                h.settle();
                const std::string what = lesson.id + " " + slide_title(h.state());
                EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << what;
                EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << what;
                EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << what;
                for (const LoggedText& t : h.log().texts)
                    EXPECT_LE(t.rect.bottom(), window.h + 1) << what << ": " << t.text;
            }
        }
        h.key_and_settle(Key::escape);
    }
}

// From eight metres a picture of two is read where capitals are a fortieth of its height.
TEST(LessonSlides, WordsAreReadFromTheLastRow) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}, Size{1920, 1080}}) {
        Harness h({.window = window});
        present(h, "shortcut:2");
        int words = 0;
        for (const LoggedText& t : h.log().texts) {
            if (t.role != TextRole::label && t.role != TextRole::title) continue;
            constexpr float k_capital = 0.62f;
            EXPECT_GE(t.rect.h * k_capital, window.h / 40 - 0.5f) << t.text << " " << window.w;
            ++words;
        }
        EXPECT_GT(words, 8);
    }
}

} // namespace
} // namespace normscope::testing
