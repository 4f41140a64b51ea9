#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr int k_curve_steps = 24;
constexpr float k_cells_share =
    0.31f; // of the width: six numbers leave a fifth of their cells free

// A gradient as cells, its name above it. `reached`: dz comes this way.
void gradient_cells(BackPanel& p, Rect r, std::string_view id, std::string_view name, Stage stage,
                    bool reached) {
    const Backward& b = backward_of(p.frame);
    const Rect head = cut_top(r, 20, 2); // and the outline around the first row
    const Matrix<double>& values = b.dz();
    p.label(head, name, TextRole::label, p.theme.ink_of(stage));
    if (!reached || b.dz_is_rounding()) {
        p.canvas.stroke_rect(r, p.theme.border, 1, 4);
        p.label(r.inset(6, 0), "0", TextRole::number, p.theme.ink_soft, Align::center);
        if (reached)
            p.tooltip(p.hit(id, r, k_by_mouse),
                      worded("At most {}: next to nothing beside its terms, as large as {}.",
                             short_number(b.largest_dz()), short_number(b.dz_terms())));
        return;
    }
    Heatmap map = fitted_map(p, r, values, {72, 40}, k_gradient_decimals);
    map.version = b.dz_version();
    map.id = 101; // the same picture, where it has the same size
    // A gradient that its terms cancel is pale beside them, and its stream is thin.
    map.limit = held_limit(p, "backward.dz", next_to_nothing(b) ? b.dz_terms() : b.largest_dz());
    mark_focus(map, p.frame);
    // All three are drawn equally large: one picture serves them.
    draw_heatmap(p.canvas, p.theme, r, map, p.frame.memory.of<BackwardMemory>().dz);
    const auto [hit, cell] = read_cells(p, id, r, map);
    if (!cell) return;
    View& next = p.actions.view;
    next.hover = {std::nullopt, cell->row, cell->col};
    if (hit.clicked) pin(next, p.frame, cell->row, cell->col, false);
    p.tooltip(hit, worded("{}[{}, {}] = {}", name, group_name(p.document, Axis::token, cell->row),
                          group_name(p.document, Axis::feature, cell->col),
                          short_number(values(cell->row, cell->col))));
}

// A band of constant height from (x0, y0) to (x1, y1), smooth at both ends.
void band(Ui& ui, Point from, Point to, float height, Color color) {
    std::array<Point, k_curve_steps + 1> upper, lower;
    for (int i = 0; i <= k_curve_steps; ++i) {
        const float t = static_cast<float>(i) / k_curve_steps;
        const float y = from.y + (to.y - from.y) * eased(t);
        const float x = from.x + (to.x - from.x) * t;
        entry_at(upper, i) = {x, y - height / 2};
        entry_at(lower, i) = {x, y + height / 2};
    }
    ui.canvas.fill_between(upper, lower, color);
    for (const auto& edge : {upper, lower}) ui.canvas.polyline(edge, color); // no steps
}

void stream(Ui& ui, Rect r, const Backward& b) {
    const double norm = b.dz_norm();
    const bool flows = std::isfinite(norm) && norm > 0 && !next_to_nothing(b);
    const float height = flows ? std::min(34.0f, r.h * 0.2f) : 2.0f;
    const Point in{r.x, r.center().y}, split{r.x + r.w * 0.3f, in.y};
    const float up = r.y + r.h * 0.25f, down = r.y + r.h * 0.75f;
    const auto flow = [&](Point from, Point to, Stage stage) {
        band(ui, from, to, height, ui.theme.of(stage).with_alpha(0.85f));
    };
    flow(in, split, Stage::z);
    if (b.skip()) flow(split, {r.right(), up}, Stage::x);
    flow(split, {r.right(), down}, Stage::f);
    const float node = 12;
    if (b.skip()) {
        ui.canvas.fill_circle(split, node, ui.theme.accent);
        ui.canvas.text_in({split.x - node, split.y - node, 2 * node, 2 * node}, "+",
                          TextRole::title, ui.theme.on_accent);
    }
    const float words_x = split.x + (r.right() - split.x) * 0.16f;
    const float words_w = r.right() - words_x;
    const auto label = [&](float x, float y, float w, std::string_view text, Color ink) {
        ui.label({x, y, w, 20}, text, TextRole::small, ink);
    };
    // The longest of them that has room, the longest first.
    const auto whole = [&](float w, std::initializer_list<std::string_view> words) {
        const auto fits = [&](std::string_view one) { return small_width(ui, one) <= w; };
        const auto found = std::ranges::find_if(words, fits);
        return found == words.end() ? std::data(words)[words.size() - 1] : *found;
    };
    const std::string size =
        b.dz_is_rounding() ? worded("‖dz‖ ≈ 0") : worded("‖dz‖ = {}", short_number(norm));
    label(r.x, in.y - std::max(height / 2, node) - 22.0f, words_x - r.x, size, ui.theme.ink);
    label(words_x, up - height / 2 - 22, words_w,
          b.skip() ? whole(words_w, {"all of dz down the skip", "skip: all of dz"})
                   : whole(words_w, {"no skip: nothing comes this way", "no skip: 0"}),
          ui.theme.ink_of(Stage::x));
    label(words_x, down + height / 2 + 2, words_w,
          whole(words_w,
                {"all of dz through the sublayer", "all of dz through F(X)", "F(X): all of dz"}),
          ui.theme.ink_of(Stage::f));
}

} // namespace

void add_panel(BackPanel& p) {
    const IdScope scope(p, "add");
    const Backward& b = backward_of(p.frame);
    Rect inside = panel(
        p, "", p.rect,
        {.title = b.skip() ? "The Add hands dz to both" : "dz goes to F(X) alone",
         .hint = b.skip() ? "dX = dF(X) = dz: a sum copies its gradient" : "dX = 0, dF(X) = dz"});
    const float w = std::floor(inside.w * k_cells_share);
    // Equal gradients are drawn equally large.
    const float h = std::floor(inside.h / 2 - 2);
    const Rect left = cut_left(inside, w, 10);
    Rect right = cut_right(inside, w, 10);
    gradient_cells(p, {left.x, std::floor(left.center().y - h / 2), left.w, h}, "dz", "dz",
                   Stage::z, true);
    gradient_cells(p, cut_top(right, h), "dx", "dX", Stage::x, b.skip());
    gradient_cells(p, cut_bottom(right, h), "df", "dF(X)", Stage::f, true);
    stream(p, inside, b);
}

} // namespace normscope
