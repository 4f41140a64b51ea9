#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/page.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_wide_space = 1240; // pixels at scale 1: numbers beside the picture
constexpr float k_numbers_w = 392;
constexpr float k_small_h = 196;
constexpr std::array k_small_shares = {0.3f, 0.4f, 0.3f};
constexpr float k_norm_h = 143, k_four_steps_h = 282, k_faders_h = 225, k_forgotten_h = 206;

float wide_space(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap);
    const float least = ui.px(k_norm_h + k_four_steps_h + k_faders_h + k_forgotten_h) + 3 * gap;
    area.h = std::max(area.h, least);
    const float height = area.h;
    Rect right = cut_right(area, ui.px(k_numbers_w), gap);
    const Rect below = cut_bottom(area, ui.px(k_small_h), gap);
    space_panel(ui, area, f, a);
    draw_row(ui, below, f, a, k_small_shares, side_panel, x_hat_length_panel, above_panel);
    const float spare = height - least;
    space_norm_panel(ui, cut_top(right, ui.px(k_norm_h), gap), f, a);
    four_steps_panel(ui, cut_top(right, ui.px(k_four_steps_h), gap), f, a);
    faders_panel(ui, cut_top(right, ui.px(k_faders_h) + spare, gap), f, a);
    forgotten_panel(ui, right, f, a);
    return height;
}

// Panels side by side where they fit.
float stacked_space(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float picture_h = std::max(ui.px(380), std::min(area.h * 0.85f, area.w));
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    space_panel(ui, column.next(picture_h), f, a);
    const auto row = [&]<class... Panel>(float height, std::array<float, sizeof...(Panel)> shares,
                                         Panel... panels) {
        if (area.w >= ui.px(760))
            return draw_row(ui, column.next(ui.px(height)), f, a, shares, panels...);
        (panels(ui, column.next(ui.px(height)), f, a), ...);
    };
    row(k_four_steps_h, {0.5f, 0.5f}, four_steps_panel, faders_panel);
    row(k_forgotten_h, {0.5f, 0.5f}, space_norm_panel, forgotten_panel);
    row(k_small_h, k_small_shares, side_panel, x_hat_length_panel, above_panel);
    return column.used(area.y);
}

// A document of another width has no place in space: it can be cut down to three, or filled up.
float other_width(Ui& ui, Rect area, const Frame& f, Actions& a) {
    Rect inside = panel(ui, "geometry", area, {.title = "Geometry"});
    const IdScope scope(ui, "geometry");
    view_choice(ui, cut_top(inside, ui.px(28), ui.px(18)), f, a);
    const Document& d = f.document;
    const Index n = d.feature_count();
    const Index first = std::clamp<Index>(pinned(f, Axis::feature).value_or(0) - 1, 0,
                                          std::max<Index>(n - k_space_features, 0));
    const auto name = [&](Index i) { return name_of(d, Axis::feature, i); };
    const bool more = n > k_space_features;
    cut_top(inside,
            paragraph(ui, inside,
                      worded("A token of three features is a point in space; here a token has "
                             "{}. {}",
                             n,
                             more ? "Take three of them: the norm then measures these alone. "
                                    "Undo brings the others back."
                                  : "Fill up with features of 0. Undo takes them away."),
                      TextRole::label, ui.theme.ink) +
                ui.px(12));
    const std::string label =
        more ? worded("Take {}, {}, {}", name(first), name(first + 1), name(first + 2))
             : worded("Make it three features");
    Rect at = cut_top(inside, ui.px(30));
    at.w = std::min(at.w, button_width(ui, label));
    if (button(ui, "three-features", at, {label, ButtonLook::primary})) {
        for (Index i = 0; more && first > 0 && i < k_space_features; ++i)
            a.edits.push_back(Move{Axis::feature, first + i, i});
        a.edits.push_back(Resize{Axis::feature, k_space_features});
    }
    return area.h;
}

} // namespace

void view_choice(Ui& ui, Rect r, const Frame& f, Actions& a) {
    constexpr std::array<ChoiceName, 2> k_views = {{{"cards", "Cards"}, {"geometry", "Geometry"}}};
    constexpr std::array<std::string_view, 2> k_hints = {
        "Five cards, from X to Y", "Tokens of three features as points in space"};
    const Rect at = cut_right(r, std::min(r.w, segmented_width(ui, k_views)));
    if (const auto c = segmented(ui, {"view", true}, at, k_views,
                                 f.view.of<AddNormView>().space.shown ? 1 : 0, k_hints)) {
        a.view.of<AddNormView>().space.shown = *c == 1;
        a.view.of<AddNormView>().playing.reset();
        ImGui::SetScrollY(0);
    }
}

float geometry_page(Ui& ui, Rect area, const Frame& f, Actions& a) {
    if (f.document.feature_count() != k_space_features) {
        const float margin = ui.px(14);
        return other_width(ui, area.inset(margin), f, a) + 2 * margin;
    }
    play_on(f, a);
    return draw_page(ui, area, f, a, {k_wide_space, 0, wide_space, stacked_space, stacked_space});
}

} // namespace normscope
