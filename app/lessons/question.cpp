#include "app/lessons/question.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace normscope {
namespace {

constexpr float k_field_h = 32;
constexpr int k_right_digits = 4; // significant ones of the right number
constexpr float k_number_w = 30, k_grip_w = 26, k_place_w = 40; // of a line of an order

class Question {
  public:
    Question(LessonColumn& column, LessonPlayer& player, ImGuiID check)
        : column_(column), ui_(column.ui), player_(player), predict_(*player.step().predict),
          check_(check) {}

    QuestionWish draw() {
        column_.heading("Predict");
        column_.text(predict_.question);
        column_.space(6);
        switch (predict_.kind) {
        case LessonPrediction::Kind::choice:
            for (const auto i : indices(predict_.options)) card(i);
            walk_cards();
            break;
        case LessonPrediction::Kind::number:
            number();
            break;
        case LessonPrediction::Kind::cell:
            pointed_cell();
            break;
        case LessonPrediction::Kind::order:
            order();
            break;
        case LessonPrediction::Kind::sketch:
            changed_ |= draw_sketch(column_, player_);
            break;
        }
        feedback();
        return {changed_, goes_on_};
    }

  private:
    std::string card_id(std::size_t i) const { return fmt::format("choice-{}", i); }

    void card(std::size_t i) {
        const bool chosen = player_.option == i;
        const auto spans = lesson_text(predict_.options[i].text, player_.scope());
        const float text_w = column_.width() - 44;
        const float text_h = rich_paragraph_height(ui_, text_w, spans);
        const Rect r = column_.next(text_h + 12);
        const Hit hit = ui_.hit(card_id(i), r, {.kind = PartKind::choice});
        const Theme& t = ui_.theme;
        draw_plate(ui_, hit, r);
        const StepAnswer& answer = player_.answer(); // the right one is told at once, or later
        const bool told = !player_.asks() && !player_.can_check();
        const bool right =
            told && predict_.options[i].right && (answer.right || answer.tries.size() > 1);
        const Color edge = right ? t.ink_of(Stage::y) : !chosen ? t.border : told ? t.error : t.ink;
        ui_.canvas.stroke_rect(r, edge, chosen || right ? 2 : 1, 5);
        const Point mark{r.x + 18, r.center().y};
        ui_.canvas.stroke_circle(mark, 8, chosen ? t.ink : t.ink_soft, 1.5f);
        if (chosen) ui_.canvas.fill_circle(mark, 4.5f, t.ink);
        rich_paragraph(ui_, {r.x + 36, r.y + 6, text_w, text_h}, spans);
        ui_.focus_ring(hit, r, 5);
        if (hit.clicked && chosen && key_pressed(Key::enter))
            goes_on_ = true;
        else if (hit.clicked)
            choose(i);
        if (hit.focused) focused_ = i;
        column_.space(6);
    }

    void choose(std::size_t i) {
        player_.option = i;
        changed_ = true;
    }

    // The keys up and down go to the next card from the one that has the keyboard.
    void walk_cards() {
        if (!focused_) return;
        ui_.state.scroll_keys_used = true;
        std::size_t to = *focused_;
        if (key_pressed(Key::down) && to + 1 < predict_.options.size()) ++to;
        if (key_pressed(Key::up) && to > 0) --to;
        if (to == *focused_) return;
        ui_.state.focus = NamePart(card_id(to)).id();
        ui_.state.focus_visible = true;
        choose(to);
    }

    // Enter checks the answer then.
    void give_keyboard_to_check() {
        ui_.state.focus = check_;
        ui_.state.focus_visible = true;
    }

    void pointed_cell() {
        const std::string cell = player_.cell();
        column_.text(cell.empty() ? worded("Click a cell.") : worded("You point at **{}**.", cell));
        const NamedPart* const cells =
            ui_.state.parts ? find_part(*ui_.state.parts, predict_.target) : nullptr;
        if (cells && cells->in_sight().contains(ui_.canvas.pixels(ui_.mouse())) &&
            ImGui::IsMouseReleased(ImGuiMouseButton_Left))
            give_keyboard_to_check();
    }

    void number() {
        const bool enter = key_pressed(Key::enter); // before the field takes it
        Rect row = column_.next(k_field_h);
        const Rect r = cut_left(row, 140, 10);
        const std::string shown =
            player_.number ? fmt::format("{}", *player_.number) : "type a number";
        if (const auto typed = number_field(ui_, "number", r, player_.number.value_or(0), shown,
                                            "Click and type your prediction")) {
            player_.number = typed;
            changed_ = true;
            goes_on_ = enter;
            give_keyboard_to_check();
        }
        if (player_.checked().empty() || player_.can_check()) return;
        const Color green = ui_.theme.ink_of(Stage::y);
        const bool right = player_.answer().right;
        ui_.canvas.stroke_rect(r, right ? green : ui_.theme.error, 2, 5);
        const auto is = evaluate_number(predict_.value, player_.scope());
        if (right || !is) return;
        const std::string text = worded("→ {}", number_text(*is, k_right_digits));
        row.w = std::min(row.w, ui_.text_width(text, TextRole::number) + 20.0f);
        ui_.canvas.stroke_rect(row, green, 2, 5);
        ui_.label(row.inset(8, 0), text, TextRole::number, ui_.theme.ink, Align::center);
    }

    // Draws lines that the person drags, or moves by up and down, to their places.
    void order() {
        if (!player_.asks() && !player_.can_check())
            if (const auto values = item_values(predict_, player_.scope()))
                right_places_ =
                    is_in_order(player_.order, *values) ? player_.order : right_order(*values);
        std::vector<Rect> rows;
        for (const auto place : indices(player_.order)) rows.push_back(order_row(place));
        if (held_) drag(*held_, rows);
        if (focused_) order_keys(*focused_);
        if (player_.asks())
            column_.text("Drag the lines, or Tab to one and press ↑ or ↓.", TextRole::small);
    }

    Rect order_row(std::size_t place) {
        const std::size_t item = player_.order[place];
        const auto spans = lesson_text(predict_.items[item].text, player_.scope());
        const float left = k_number_w;
        const float text_w =
            column_.width() - left - (right_places_.empty() ? k_grip_w : k_place_w);
        const float text_h = rich_paragraph_height(ui_, text_w, spans);
        const Rect r = column_.next(text_h + 12);
        column_.space(6);
        const Hit hit = ui_.hit(fmt::format("order-{}", item + 1), r, {.kind = PartKind::choice});
        const Theme& t = ui_.theme;
        const bool lit = hit.hovered || hit.held;
        ui_.canvas.fill_rect(r, lit ? t.control_hover : t.control, 5);
        ui_.canvas.stroke_rect(r, hit.held ? t.ink : t.border, hit.held ? 2 : 1, 5);
        ui_.label({r.x, r.y, left, r.h}, fmt::format("{}", place + 1), TextRole::number, t.ink_soft,
                  Align::center);
        rich_paragraph(ui_, {r.x + left, r.y + 6, text_w, text_h}, spans);
        if (right_places_.empty())
            grip(r);
        else
            told_place(r, item, place);
        ui_.focus_ring(hit, r, 5);
        if (hit.held) held_ = place;
        if (hit.focused) focused_ = place;
        return r;
    }

    void grip(Rect r) {
        const float x = r.right() - (k_grip_w - 6);
        for (const float dy : {-4.0f, 0.0f, 4.0f})
            ui_.canvas.line({x, r.center().y + dy}, {x + 12, r.center().y + dy}, ui_.theme.ink_soft,
                            1.5f);
    }

    // After the check: “✓” where the line stands in its place, else the number of its place.
    void told_place(Rect r, std::size_t item, std::size_t place) {
        const std::size_t is = place_in(right_places_, item);
        const Rect at{r.right() - k_place_w, r.y, k_place_w - 8, r.h};
        ui_.label(at, is == place ? "✓" : worded("→ {}", is + 1), TextRole::label,
                  is == place ? ui_.theme.ink_of(Stage::y) : ui_.theme.error, Align::right);
    }

    // The dragged line and its neighbour change places once the mouse passes the neighbour's
    // middle.
    void drag(std::size_t place, const std::vector<Rect>& rows) {
        const float y = ui_.mouse().y;
        if (place > 0 && y < rows[place - 1].center().y)
            move(place, place - 1);
        else if (place + 1 < rows.size() && y > rows[place + 1].center().y)
            move(place, place + 1);
    }

    void order_keys(std::size_t place) {
        ui_.state.scroll_keys_used = true;
        if (key_pressed(Key::up, true) && place > 0)
            move(place, place - 1);
        else if (key_pressed(Key::down, true) && place + 1 < player_.order.size())
            move(place, place + 1);
    }

    void move(std::size_t from, std::size_t to) {
        std::swap(player_.order[from], player_.order[to]);
        changed_ = true;
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
    LineOrder right_places_;                    // of an order; empty until it is checked
    std::optional<std::size_t> held_, focused_; // of the cards or lines
    bool changed_ = false, goes_on_ = false;
};

} // namespace

void LessonColumn::heading(std::string_view words) {
    next(paragraph(ui, rest(), words, TextRole::title));
    space(4);
}

void LessonColumn::text(const std::string& words, Rect r, TextRole role) {
    next(rich_paragraph(ui, r, lesson_text(words, scope_), ui.theme.ink, role));
}

void LessonColumn::verdict(const std::string& words, bool right) {
    space(4);
    const float bar = 4;
    const Rect all = rest();
    Rect r = all;
    cut_left(r, 14);
    text(right ? worded("**Right.** {}", words) : worded("**Not this.** {}", words), r,
         TextRole::label);
    ui.canvas.fill_rect({all.x, all.y, bar, rest().y - all.y},
                        right ? ui.theme.ink_of(Stage::y) : ui.theme.error, k_fully_round);
}

QuestionWish draw_question(LessonColumn& column, LessonPlayer& player, ImGuiID check) {
    return Question(column, player, check).draw();
}

} // namespace normscope
