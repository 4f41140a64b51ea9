#include "app/shell/present/slides.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/lessons/answers.h"
#include "app/lessons/lesson_text.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/paragraph.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace normscope {

namespace {

constexpr int k_answer_digits = 5;
constexpr float k_above_question = 0.4f; // the share of free room that stands above the question

class WordsSlide {
  public:
    WordsSlide(Ui& ui, Rect area, App::State& s) : ui_(ui), rest_(area), top_(area.y), s_(s) {}

    float height() const { return rest_.y - top_; }

    void scene() {
        const std::string question = slide_question(s_);
        const float h = paragraph_height(ui_, rest_.w, question, TextRole::brand);
        rest_.y += std::max(0.0f, (rest_.h - h) * k_above_question);
        line(question, TextRole::brand, ui_.theme.ink);
    }

    void step(bool answer) {
        const LessonStep& step = s_.lesson->player.step();
        line(slide_title(s_), TextRole::title, ui_.theme.ink);
        space(6);
        if (!answer) {
            rich(step.text, ui_.theme.ink);
            space(8);
        }
        if (step.predict) prediction(*step.predict, answer);
        if (step.task && (answer || !step.predict)) {
            space(6);
            rich(worded("**Do:** ") + step.task->text, ui_.theme.ink);
        }
        if (!answer) return;
        for (const std::string* words : {&step.reveal, &step.principle}) {
            if (words->empty()) continue;
            if (words == &step.reveal && !s_.lesson->player.task_holds()) continue;
            space(8);
            rich(*words, ui_.theme.ink);
        }
    }

  private:
    void space(float h) { rest_.y += ui_.px(h); }
    void line(const std::string& words, TextRole role, Color ink) {
        rest_.y += paragraph(ui_, rest_, words, role, ink);
    }
    std::vector<LessonSpan> spans(const std::string& words) const {
        return lesson_text(words, s_.lesson->player.scope());
    }
    void rich(const std::string& words, Color ink) {
        rest_.y += rich_paragraph(ui_, rest_, spans(words), ink);
    }

    void prediction(const LessonPrediction& predict, bool answer) {
        rich("**" + predict.question + "**", ui_.theme.ink);
        space(4);
        for (std::size_t i = 0; i < predict.options.size(); ++i)
            option(predict.options[i], i, answer);
        items(predict, answer);
        if (!answer || !predict.options.empty()) return;
        if (predict.kind == LessonPrediction::Kind::number)
            if (const auto value = evaluate_number(predict.value, s_.lesson->player.scope()))
                rich(fmt::format("**{}**", number_text(*value, k_answer_digits)),
                     ui_.theme.ink_of(Stage::y));
        rich(predict.right, ui_.theme.ink);
    }

    // Writes the lines to be ordered; the answer adds their values, or those of a curve's points.
    void items(const LessonPrediction& predict, bool answer) {
        const bool ordered = predict.kind == LessonPrediction::Kind::order;
        if (!ordered && !answer) return;
        const LessonPlayer& player = s_.lesson->player;
        const auto values = item_values(predict, player.scope());
        LineOrder order(predict.items.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (ordered && answer && values)
            order = right_order(*values);
        else if (ordered && player.order.size() == order.size())
            order = player.order;
        for (const std::size_t i : order) {
            const std::string value =
                answer && values ? ": " + number_text((*values)[i], k_answer_digits) : "";
            rich("· " + predict.items[i].text + value, ui_.theme.ink);
        }
    }

    // Writes one option, with the number of hands that were raised for it.
    void option(const LessonOption& option, std::size_t i, bool answer) {
        const Theme& t = ui_.theme;
        const bool right = answer && option.right;
        const std::string letter(1, static_cast<char>('A' + i));
        const bool counted = i < s_.present.hands.size();
        const std::string count =
            counted && s_.present.hands[i] > 0 ? std::to_string(s_.present.hands[i]) : "";
        const float count_w = ui_.px(34);
        const auto words = spans(option.text);
        const float text_w = rest_.w - ui_.px(44) - count_w;
        const float text_h = rich_paragraph_height(ui_, text_w, words);
        const Rect r{rest_.x, rest_.y, rest_.w, text_h + ui_.px(8)};
        const bool faded = answer && !option.right;
        const Hit hit = counted ? ui_.hit(fmt::format("hands-{}", static_cast<char>('a' + i)), r,
                                          {.kind = PartKind::choice})
                                : Hit{};
        ui_.canvas.fill_rect(r, hit.hovered ? t.control_hover : t.control, ui_.px(5));
        if (right) ui_.canvas.stroke_rect(r, t.of(Stage::y), ui_.px(3), ui_.px(5));
        const Color ink = faded ? t.ink_soft : t.ink;
        ui_.canvas.text_in({r.x, r.y, ui_.px(36), r.h}, right ? letter + " ✓" : letter,
                           TextRole::title, right ? t.ink_of(Stage::y) : ink);
        rich_paragraph(ui_, {r.x + ui_.px(38), r.y + ui_.px(4), text_w, text_h}, words, ink);
        ui_.canvas.text_in({r.right() - count_w, r.y, count_w, r.h}, count, TextRole::title, t.ink);
        ui_.focus_ring(hit, r, ui_.px(5));
        if (hit.clicked) ++s_.present.hands[i];
        if (hit.right_clicked) s_.present.hands[i] = std::max(0, s_.present.hands[i] - 1);
        rest_.y += r.h + ui_.px(4);
        if (right && !option.feedback.empty()) {
            rich(option.feedback, t.ink);
            space(4);
        }
    }

    Ui& ui_;
    Rect rest_;
    float top_;
    App::State& s_;
};

} // namespace

float draw_words_slide(Ui& ui, Rect area, App::State& s, bool answer) {
    WordsSlide slide(ui, area, s);
    if (s.lesson)
        slide.step(answer);
    else
        slide.scene();
    return slide.height();
}

} // namespace normscope
