#include "app/workspaces/add_norm/panels.h"

#include <algorithm>

namespace normscope {

namespace {

// A document of another width has no place in space: it can be cut down to three, or filled up.
void other_width_panel(AddNormPanel& p) {
    Column rows = p.column("geometry", {.title = "Geometry"});
    Rect choice = rows.next(28, 18);
    view_choice(p, choice);
    const Document& d = p.document;
    const Index n = d.feature_count();
    const Index first = std::clamp<Index>(pinned(p.frame, Axis::feature).value_or(0) - 1, 0,
                                          std::max<Index>(n - k_space_features, 0));
    const auto name = [&](Index i) { return name_of(d, Axis::feature, i); };
    const bool more = n > k_space_features;
    const std::string words =
        worded("A token of three features is a point in space; here a token has {}. {}", n,
               more ? "Take three of them: the norm then measures these alone. Undo brings the "
                      "others back."
                    : "Fill up with features of 0. Undo takes them away.");
    rows.measured([&](Rect r) { return paragraph(p, r, words); }, 12);
    const std::string label =
        more ? worded("Take {}, {}, {}", name(first), name(first + 1), name(first + 2))
             : worded("Make it three features");
    Rect line = rows.next(30);
    if (left_button(p, "three-features", line, {.label = label, .look = ButtonLook::primary})) {
        for (Index i = 0; more && first > 0 && i < k_space_features; ++i)
            p.edit(Move{Axis::feature, first + i, i});
        p.edit(Resize{Axis::feature, k_space_features});
    }
}

constexpr PanelEntry<AddNormView> k_space_panels[] = {
    {"other-width", other_width_panel},
    {"space", space_panel},
    {"four-steps", four_steps_panel},
    {"norm", space_norm_panel},
    {"forgotten", forgotten_panel},
    {"faders", faders_panel},
    {"side", side_panel},
    {"x-hat-length", x_hat_length_panel},
    {"above", above_panel},
};

// Pixels at scale 1. The norm and what it forgets have room for their longest sentences, so that
// nothing moves.
constexpr float k_norm_h = 143, k_forgotten_h = 206, k_faders_h = 225, k_small_h = 196;

GridCell small_views() {
    return row(cell("side").wide(0.3f), cell("x-hat-length").wide(0.4f), cell("above").wide(0.3f))
        .high(k_small_h);
}

// The numbers beside the picture.
GridCell wide_space() {
    return row(column(cell("space").high(380).growing(1), small_views()),
               column(cell("norm").high(k_norm_h), cell("four-steps"),
                      cell("faders").high(k_faders_h).growing(1),
                      cell("forgotten").high(k_forgotten_h))
                   .wide(392));
}

// Panels side by side where they fit.
GridCell stacked_space(Size room) {
    const GridCell space = cell("space").high(std::max(380.0f, std::min(room.h * 0.85f, room.w)));
    const GridCell norm = cell("norm").high(k_norm_h);
    const GridCell forgotten = cell("forgotten").high(k_forgotten_h);
    if (room.w >= 760)
        return column(space, row(cell("four-steps"), cell("faders").high(k_faders_h)),
                      row(norm, forgotten), small_views());
    return column(space, cell("four-steps"), cell("faders").high(282), norm, forgotten,
                  cell("side").high(k_small_h), cell("x-hat-length").high(k_small_h),
                  cell("above").high(k_small_h));
}

} // namespace

void view_choice(AddNormPanel& p, Rect& row) {
    constexpr ChoiceName k_views[] = {{"cards", "Cards"}, {"geometry", "Geometry"}};
    constexpr std::string_view k_hints[] = {"Five cards, from X to Y",
                                            "Tokens of three features as points in space"};
    const Rect at = cut_right(row, segmented_width(p, k_views), 10);
    if (const auto c =
            segmented(p, {"view", true}, at, k_views, p.view.space.shown ? 1 : 0, k_hints)) {
        p.next.space.shown = *c == 1;
        p.next.playing.reset();
        ImGui::SetScrollY(0);
    }
}

float geometry_page(AddNormPanel& p) {
    constexpr float k_wide = 1240;
    const Rect room = page_room(p);
    const bool in_space = p.document.feature_count() == k_space_features;
    if (in_space) play_on(p);
    const GridCell page = !in_space          ? cell("other-width")
                          : room.w >= k_wide ? wide_space()
                                             : stacked_space({room.w, room.h});
    return draw_panels<AddNormView>(p, page, p.rect.h, k_space_panels);
}

} // namespace normscope
