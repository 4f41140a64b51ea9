#include "app/lessons/question.h"

#include "app/language/language.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_number_w = 30, k_grip_w = 26, k_place_w = 40;

class Order {
  public:
    Order(LessonColumn& column, LessonPlayer& player)
        : column_(column), ui_(column.ui), player_(player), predict_(*player.step().predict) {
        if (player.asks() || player.can_check()) return;
        if (const auto values = item_values(predict_, player.scope()))
            right_ = is_in_order(player.order, *values) ? player.order : right_order(*values);
    }

    bool draw() {
        std::vector<Rect> rows;
        for (std::size_t place = 0; place < player_.order.size(); ++place)
            rows.push_back(row(place));
        if (held_) drag(*held_, rows);
        if (focused_) keys(*focused_);
        if (player_.asks())
            column_.text("Drag the lines, or Tab to one and press ↑ or ↓.", TextRole::small);
        return changed_;
    }

  private:
    Rect row(std::size_t place) {
        const std::size_t item = player_.order[place];
        const auto spans = lesson_text(predict_.items[item].text, player_.scope());
        const float left = ui_.px(k_number_w);
        const float text_w = column_.width() - left - ui_.px(right_.empty() ? k_grip_w : k_place_w);
        const float text_h = rich_paragraph_height(ui_, text_w, spans);
        const Rect r = column_.next(text_h + ui_.px(12));
        column_.space(6);
        const Hit hit = ui_.hit(fmt::format("order-{}", item + 1), r, {.kind = PartKind::choice});
        const Theme& t = ui_.theme;
        const bool lit = hit.hovered || hit.held;
        ui_.canvas.fill_rect(r, lit ? t.control_hover : t.control, ui_.px(5));
        ui_.canvas.stroke_rect(r, hit.held ? t.ink : t.border, ui_.px(hit.held ? 2 : 1), ui_.px(5));
        ui_.label({r.x, r.y, left, r.h}, fmt::format("{}", place + 1), TextRole::number, t.ink_soft,
                  Align::center);
        rich_paragraph(ui_, {r.x + left, r.y + ui_.px(6), text_w, text_h}, spans, t.ink);
        if (right_.empty())
            grip(r);
        else
            told_place(r, item, place);
        ui_.focus_ring(hit, r, ui_.px(5));
        if (hit.held) held_ = place;
        if (hit.focused) focused_ = place;
        return r;
    }

    void grip(Rect r) {
        const float x = r.right() - ui_.px(k_grip_w - 6);
        for (const float dy : {-4.0f, 0.0f, 4.0f})
            ui_.canvas.line({x, r.center().y + ui_.px(dy)},
                            {x + ui_.px(12), r.center().y + ui_.px(dy)}, ui_.theme.ink_soft,
                            ui_.px(1.5f));
    }

    // After the check: “✓” where the line stands in its place, else the number of its place.
    void told_place(Rect r, std::size_t item, std::size_t place) {
        const auto is = static_cast<std::size_t>(std::ranges::find(right_, item) - right_.begin());
        const Rect at{r.right() - ui_.px(k_place_w), r.y, ui_.px(k_place_w - 8), r.h};
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

    void keys(std::size_t place) {
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

    LessonColumn& column_;
    Ui& ui_;
    LessonPlayer& player_;
    const LessonPrediction& predict_;
    LineOrder right_; // empty until the answer is checked
    std::optional<std::size_t> held_, focused_;
    bool changed_ = false;
};

} // namespace

bool draw_order(LessonColumn& column, LessonPlayer& player) {
    return Order(column, player).draw();
}

} // namespace normscope
