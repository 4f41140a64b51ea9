#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "app/workspaces/shared/page.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_wide = 1360;   // pixels at scale 1: three columns
constexpr float k_medium = 860;  // two
constexpr float k_first_h = 926; // of the part that is seen without scrolling, at least
constexpr float k_most_h = 1120; // taller panels would only be emptier
constexpr float k_faders_h = 250;
constexpr float k_conventions_h = 186;

float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap);
    const float h = std::clamp(area.h, ui.px(k_first_h), ui.px(k_most_h));
    Rect first{area.x, area.y, area.w, h};
    const Rect left = cut_left(first, ui.px(330), gap);
    const Rect right = cut_right(first, std::max(ui.px(460), std::floor(area.w * 0.3f)), gap);

    PanelColumn l(ui, left);
    const float dy_h = std::floor(h * 0.46f);
    dy_panel(ui, l.next(dy_h), f, a);
    learn_panel(ui, l.next(h - dy_h - ui.px(k_conventions_h) - 2 * gap), f, a);
    conventions_panel(ui, l.rest(), f, a);
    PanelColumn m(ui, first);
    surgery_panel(ui, m.next(std::floor(h * 0.55f)), f, a);
    add_panel(ui, m.next(std::floor(h * 0.22f)), f, a);
    faders_panel(ui, m.rest(), f, a);
    PanelColumn r(ui, right);
    parameters_panel(ui, r.next(std::floor(h * 0.36f)), f, a);
    jacobian_panel(ui, r.next(std::floor(h * 0.36f)), f, a);
    scale_panel(ui, r.rest(), f, a);

    PanelColumn below(ui, {area.x, area.y + h + gap, area.w, 1e6f});
    published_panel(ui, below.next(published_height(ui, f, area.w)), f, a);
    return below.used(area.y);
}

float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    draw_row(ui, column.next(ui.px(500)), f, a, {0.34f, 0.66f}, dy_panel, surgery_panel);
    add_panel(ui, column.next(ui.px(216)), f, a);
    draw_row(ui, column.next(ui.px(350)), f, a, {0.5f, 0.5f}, parameters_panel, jacobian_panel);
    draw_row(ui, column.next(ui.px(330)), f, a, {0.42f, 0.58f}, learn_panel, faders_panel);
    draw_row(ui, column.next(ui.px(280)), f, a, {0.5f, 0.5f}, scale_panel, conventions_panel);
    published_panel(ui, column.next(published_height(ui, f, area.w)), f, a);
    return column.used(area.y);
}

float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    surgery_panel(ui, column.next(ui.px(470)), f, a);
    dy_panel(ui, column.next(ui.px(430)), f, a);
    add_panel(ui, column.next(ui.px(240)), f, a);
    parameters_panel(ui, column.next(ui.px(350)), f, a);
    jacobian_panel(ui, column.next(ui.px(380)), f, a);
    learn_panel(ui, column.next(ui.px(370)), f, a);
    faders_panel(ui, column.next(ui.px(k_faders_h)), f, a);
    scale_panel(ui, column.next(ui.px(300)), f, a);
    conventions_panel(ui, column.next(ui.px(k_conventions_h)), f, a);
    published_panel(ui, column.next(published_height(ui, f, area.w)), f, a);
    return column.used(area.y);
}

constexpr Size k_published{1200, k_published_around_h + k_published_rows* k_published_row_h};

constexpr std::array<FigureEntry, 9> k_figures = {{
    {"surgery", "Gradient surgery", {760, 520}, surgery_panel},
    {"dy", "dY", {360, 420}, dy_panel},
    {"add", "The Add hands dz to both", {760, 230}, add_panel},
    {"parameters", "dγ and dβ", {620, 360}, parameters_panel},
    {"jacobian", "Jacobian", {480, 400}, jacobian_panel, {460, 360}},
    {"learn", "Learn γ, β", {420, 420}, learn_panel},
    {"see-saw", "Scale see-saw", {560, 300}, scale_panel},
    {"conventions", "Conventions", {640, 192}, conventions_panel},
    {"published", "As published, against corrected", k_published, published_panel, k_published},
}};

constexpr std::array<Gesture, 5> k_gestures = {{
    {"", "Backward"},
    {"◂ ▸, click a cell", "which token the surgery and the Jacobian show"},
    {"Point at a cell of dY", "its Y and target"},
    {"Point at a bar of dγ, dβ", "what it is the sum of"},
    {"Delete, right-click", "a slider goes back to where it began, or shows its menu"},
}};

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float height = draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
    dy_menu(ui, f, a);
    return height;
}

} // namespace

const Backward& backward_of(const Frame& f) {
    return f.memory.of<BackwardMemory>().backward.of(f.document);
}

bool next_to_nothing(const Backward& b) {
    return b.vanishing() || b.target_reached() || b.dz_is_rounding();
}

std::string entry_name(const Document& d, Index entry) {
    if (entry < 0) return "no entry";
    return cell_name(d, entry / d.feature_count(), entry % d.feature_count());
}

void mark_focus(Heatmap& map, const Frame& f) {
    map.marks = marks_of_focus(f);
    // What the surgery is about, also before anything is pinned.
    map.marks.outlined.push_back(f.derived.sets().block(group_in_focus(f)));
}

WorkspaceEntry backward_workspace() {
    WorkspaceEntry w{"backward", "Backward", 3, draw, k_figures};
    w.gestures = k_gestures;
    w.keep_up = [](DrawMemory& m, const Document& d, const Document*) {
        return m.of<BackwardMemory>().backward.keep_up(d);
    };
    w.run_on = learning_due;
    w.fit = [](View& view, const Document& d) {
        keep_within(view.of<BackwardView>().editor_dy, d.token_count(), d.feature_count());
    };
    w.compute = [](DrawMemory& m, const Document& d) { m.of<BackwardMemory>().backward.of(d); };
    w.values = [](DrawMemory& m, Index t, Index d) {
        const auto& b = m.of<BackwardMemory>().backward.last();
        if (!b || t >= b->dz().rows() || d >= b->dz().cols()) return std::vector<CellValue>();
        return std::vector<CellValue>{{"dY", Stage::y, b->dy()(t, d)},
                                      {"γ", Stage::gamma, b->gamma(t, d)},
                                      {"dz", Stage::z, b->dz()(t, d)}};
    };
    return w;
}

} // namespace normscope
