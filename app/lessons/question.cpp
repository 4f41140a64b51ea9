#include "app/lessons/question.h"

#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "app/widgets/paragraph.h"

#include <fmt/format.h>
#include <optional>

namespace normscope {

namespace {

constexpr float k_field_h = 32;

class Question {
  public:
    Question(LessonColumn& column, LessonPlayer& player, ImGuiID check)
        : column_(column), ui_(column.ui), player_(player), predict_(*player.step().predict),
          check_(check) {}

    bool draw() {
        column_.heading("Predict");
        column_.text(predict_.question);
        column_.space(6);
        switch (predict_.kind) {
        case LessonPrediction::Kind::choice:
            for (std::size_t i = 0; i < predict_.options.size(); ++i) card(i);
            walk_cards();
            break;
        case LessonPrediction::Kind::number:
            number();
            break;
        case LessonPrediction::Kind::cell: {
            const std::string cell = player_.cell();
            column_.text(cell.empty() ? worded("Click a cell.")
                                      : worded("You point at **") + cell + "**.");
            break;
        }
        case LessonPrediction::Kind::order:
            changed_ |= draw_order(column_, player_);
            break;
        case LessonPrediction::Kind::sketch:
            changed_ |= draw_sketch(column_, player_);
            break;
        }
        feedback();
        return changed_;
    }

  private:
    std::string card_id(std::size_t i) const { return fmt::format("choice-{}", i); }

    void card(std::size_t i) {
        const bool chosen = player_.option == i;
        const auto spans = lesson_text(predict_.options[i].text, player_.scope());
        const float text_w = column_.width() - ui_.px(44);
        const float text_h = rich_paragraph_height(ui_, text_w, spans);
        const Rect r = column_.next(text_h + ui_.px(12));
        const Hit hit = ui_.hit(card_id(i), r, {.kind = PartKind::choice});
        const Theme& t = ui_.theme;
        ui_.canvas.fill_rect(r, hit.hovered ? t.control_hover : t.control, ui_.px(5));
        ui_.canvas.stroke_rect(r, chosen ? t.ink : t.border, ui_.px(chosen ? 2 : 1), ui_.px(5));
        const Point mark{r.x + ui_.px(18), r.center().y};
        ui_.canvas.stroke_circle(mark, ui_.px(8), chosen ? t.ink : t.ink_soft, ui_.px(1.5f));
        if (chosen) ui_.canvas.fill_circle(mark, ui_.px(4.5f), t.ink);
        rich_paragraph(ui_, {r.x + ui_.px(36), r.y + ui_.px(6), text_w, text_h}, spans, t.ink);
        ui_.focus_ring(hit, r, ui_.px(5));
        if (hit.clicked) choose(i);
        if (hit.focused) focused_card_ = i;
        column_.space(6);
    }

    void choose(std::size_t i) {
        player_.option = i;
        changed_ = true;
    }

    // The keys up and down go to the next card from the one that has the keyboard.
    void walk_cards() {
        if (!focused_card_) return;
        ui_.state.scroll_keys_used = true;
        std::size_t to = *focused_card_;
        if (key_pressed(Key::down) && to + 1 < predict_.options.size()) ++to;
        if (key_pressed(Key::up) && to > 0) --to;
        if (to == *focused_card_) return;
        ui_.state.focus = NamePart(card_id(to)).id();
        ui_.state.focus_visible = true;
        choose(to);
    }

    void number() {
        Rect r = column_.next(ui_.px(k_field_h));
        r.w = ui_.px(140);
        const std::string shown =
            player_.number ? fmt::format("{}", *player_.number) : "type a number";
        if (const auto typed = number_field(ui_, "number", r, player_.number.value_or(0), shown,
                                            "Click and type your prediction")) {
            player_.number = typed;
            changed_ = true;
            ui_.state.focus = check_; // Enter checks the answer then
            ui_.state.focus_visible = true;
        }
    }

    void feedback() {
        const std::string checked = player_.checked();
        if (checked.empty() || player_.can_check()) return;
        if (predict_.kind != LessonPrediction::Kind::choice)
            return column_.verdict(player_.answer().right ? predict_.right : predict_.wrong,
                                   player_.answer().right);
        for (const LessonOption& option : predict_.options)
            if (option.key == checked) column_.verdict(option.feedback, option.right);
        for (const LessonOption& option : predict_.options)
            if (option.key != checked && !option.not_chosen.empty()) {
                column_.space(6);
                column_.text(option.not_chosen, TextRole::small);
            }
    }

    LessonColumn& column_;
    Ui& ui_;
    LessonPlayer& player_;
    const LessonPrediction& predict_;
    ImGuiID check_;
    std::optional<std::size_t> focused_card_;
    bool changed_ = false;
};

} // namespace

void LessonColumn::heading(std::string_view words) {
    next(paragraph(ui, rest(), words, TextRole::title, ui.theme.ink));
    space(4);
}

void LessonColumn::text(const std::string& words, Rect r, TextRole role) {
    next(rich_paragraph(ui, r, lesson_text(words, scope_), ui.theme.ink, role));
}

void LessonColumn::verdict(const std::string& words, bool right) {
    space(4);
    const float bar = ui.px(4);
    const Rect all = rest();
    Rect r = all;
    cut_left(r, ui.px(14));
    text(std::string(right ? tr("**Right.** ") : tr("**Not this.** ")) + words, r, TextRole::label);
    ui.canvas.fill_rect({all.x, all.y, bar, rest().y - all.y},
                        right ? ui.theme.ink_of(Stage::y) : ui.theme.error, bar / 2);
}

bool draw_question(LessonColumn& column, LessonPlayer& player, ImGuiID check) {
    return Question(column, player, check).draw();
}

} // namespace normscope
