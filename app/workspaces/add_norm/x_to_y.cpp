#include "app/charts/color_key.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "app/workspaces/shared/tensor_style.h"
#include "core/base/lists.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_pair_heads_h = 20; // of feature names
constexpr float k_between = 18;      // one matrix above the other
constexpr float k_beside = 40;       // one beside the other
constexpr float k_cell_shape = 3;    // a cell is so many times as wide as high where digits fill it
constexpr float k_y_share = 0.4f;    // of what faders and Y take together
constexpr Size k_largest_pair_cell{200, 120};

// A matrix with nothing around it but its names: its digits are as large as they can be.
void large_matrix(AddNormPanel& p, Rect r, Tensor which, float names_w, double limit) {
    // A lesson that covers the card covers these cells too.
    const IdScope scope(p, {entry_at(k_card_ids, which), true});
    p.name("", r, PartKind::panel);
    if (p.passes_by(r)) return;
    const Derived& derived = p.frame.derived;
    AddNormMemory& memory = p.frame.memory.of<AddNormMemory>();
    const auto at = static_cast<std::size_t>(which);
    Rect heads = cut_top(r, k_pair_heads_h);
    p.label(cut_left(heads, names_w), which == Tensor::x ? "X" : "Y", TextRole::brand,
            p.theme.ink_of(stage_of(which)));
    cut_left(r, names_w);

    Heatmap map;
    map.values = derived.view(which);
    map.version = derived.version(which);
    map.id = at;
    map.limit = limit;
    map.port = port_of(p.frame.view.viewport, r, map.values.rows(), map.values.cols(),
                       k_largest_pair_cell, p.canvas.scale());
    map.format = cell_format(memory.formats[at], p.canvas, r, map.port, map.values, map.version);
    name_edges(map, *p.document.tokens, names_w, *p.document.features, heads.h);
    map.marks = marks_of_focus(p.frame);
    const MatrixSurface surface = surface_of(p.frame, r, map);
    const bool editable = which == Tensor::x;
    if (editable && p.next.editor_x.active && has_keyboard(p, "cells"))
        map.marks.selected = p.next.editor_x.block();
    draw_heatmap(p.canvas, p.theme, r, map, memory.cards[at]);
    const MatrixEvents events = editable
                                    ? matrix_editor(p, "cells", surface, Input::x, p.next.editor_x)
                                    : matrix_surface(p, "cells", surface);
    take_events(events, p.frame, p.actions, {.tensor = which}, !editable);
}

} // namespace

void x_to_y_panel(AddNormPanel& p) {
    const IdScope scope(p, "x-to-y");
    p.name("", p.rect, PartKind::panel);
    const float names_w = names_width(p, *p.document.tokens);
    const auto rows = static_cast<float>(p.document.token_count());
    const auto columns = static_cast<float>(p.document.feature_count());
    const auto digits = [&](float w, float h) {
        return std::min((w - names_w) / columns / k_cell_shape, (h - k_pair_heads_h) / rows);
    };
    const float half_w = (p.rect.w - k_beside) / 2;
    const float half_h = (p.rect.h - k_between) / 2;
    const bool beside = digits(half_w, p.rect.h) > digits(p.rect.w, half_h);
    Rect key = beside ? cut_bottom(p.rect, k_between) : Rect{};
    Rect x = p.rect, y = p.rect, arrow;
    if (beside) {
        x.w = half_w;
        y = {p.rect.right() - half_w, y.y, half_w, y.h};
        arrow = {x.right(), x.y + k_pair_heads_h, k_beside, x.h - k_pair_heads_h};
    } else {
        x.h = half_h;
        y = {y.x, p.rect.bottom() - half_h, y.w, half_h};
        arrow = key = {x.x, x.bottom(), x.w, k_between};
        arrow.w = names_w;
    }
    cut_left(key, names_w);
    const double limit = std::max(color_limit(p, Tensor::x), color_limit(p, Tensor::y));
    for (const Tensor which : {Tensor::x, Tensor::y}) name_key(p, which, key);
    draw_color_key(p.canvas, p.theme, key, limit, "X, Y");
    large_matrix(p, x, Tensor::x, names_w, limit);
    p.label(arrow, beside ? "→" : "↓", TextRole::title, p.theme.ink_soft, Align::center);
    large_matrix(p, y, Tensor::y, names_w, limit);
}

void faders_to_y_panel(AddNormPanel& p) {
    const Rect y = cut_bottom(p.rect, p.rect.h * k_y_share, k_between);
    faders_panel(p);
    large_matrix(p, y.inset(12, 0), Tensor::y, names_width(p, *p.document.tokens),
                 color_limit(p, Tensor::y));
}

} // namespace normscope
