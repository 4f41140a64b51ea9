#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/shared/page.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_wide = 1280;  // pixels at scale 1: chart and paths side by side
constexpr float k_medium = 560; // controls at the left
constexpr float k_controls_w = 344;
constexpr float k_tight = 480; // beside the controls: the river before the stories' words
constexpr float k_least_controls_w = 264;
constexpr float k_river_h = 400;
constexpr float k_chart_h = 380;
constexpr float k_paths_h = 340;
// Taller panels would only be emptier: pixels at scale 1, and of the width.
constexpr float k_most_h = 1300;
constexpr float k_tallest = 0.62f;

// The controls, and what they are compared with, below one another.
void controls(Ui& ui, Rect area, const Frame& f, Actions& a) {
    stack_panel(ui,
                cut_top(area, stack_height(ui, f.document.flow.stack, area.w), ui.px(k_panel_gap)),
                f, a);
    compared_panel(ui, area, f, a);
}

// With room for all that can be pinned, so that nothing moves when one comes or goes.
float controls_height(const Ui& ui, const StackConfig& stack, float width) {
    return stack_height(ui, stack, width) + ui.px(k_panel_gap) + compared_height(ui, k_most_pinned);
}

float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap);
    const float left_w = ui.px(k_controls_w);
    const float least = controls_height(ui, f.document.flow.stack, left_w);
    const float most = std::max({least, ui.px(k_most_h), area.w * k_tallest});
    const float h = std::clamp(area.h, least, most);
    Rect all{area.x, area.y, area.w, h};
    controls(ui, cut_left(all, left_w, gap), f, a);
    stories_panel(ui, cut_top(all, stories_height(ui, all.w), gap), f, a);
    river_panel(ui, cut_top(all, std::floor((all.h - gap) * 0.47f), gap), f, a);
    gradients_panel(ui, cut_left(all, std::floor((all.w - gap) * 0.58f), gap), f, a);
    paths_panel(ui, all, f, a);
    return h;
}

float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap);
    const float left_w = std::clamp(area.w * 0.41f, ui.px(k_least_controls_w), ui.px(k_controls_w));
    const float left_h = controls_height(ui, f.document.flow.stack, left_w);
    const float right_w = area.w - left_w - gap;
    const float stories_h = stories_height(ui, right_w);
    const float h = std::max(left_h, stories_h + ui.px(k_river_h + k_chart_h) + 2 * gap);
    Rect all{area.x, area.y, area.w, h};
    controls(ui, cut_left(all, left_w, gap), f, a);
    const bool tight = right_w < ui.px(k_tight);
    if (!tight) stories_panel(ui, cut_top(all, stories_h, gap), f, a);
    const bool predicted = is_predicted(f);
    const Rect first = cut_top(all, ui.px(predicted ? k_chart_h : k_river_h), gap);
    (predicted ? gradients_panel : river_panel)(ui, first, f, a);
    if (tight) stories_panel(ui, cut_top(all, stories_h, gap), f, a);
    (predicted ? river_panel : gradients_panel)(ui, all, f, a);
    paths_panel(ui, {area.x, area.y + h + gap, area.w, ui.px(k_paths_h)}, f, a);
    return h + gap + ui.px(k_paths_h);
}

float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    Column column(ui, {area.x, area.y, area.w, 1e6f});
    stories_panel(ui, column.next(stories_height(ui, area.w)), f, a);
    const bool predicted = is_predicted(f);
    if (predicted) gradients_panel(ui, column.next(ui.px(k_chart_h + 50)), f, a);
    river_panel(ui, column.next(ui.px(k_river_h + 30)), f, a);
    stack_panel(ui, column.next(stack_height(ui, f.document.flow.stack, area.w)), f, a);
    compared_panel(ui, column.next(compared_height(ui, f.document.flow.pinned->size())), f, a);
    if (!predicted) gradients_panel(ui, column.next(ui.px(k_chart_h + 50)), f, a);
    paths_panel(ui, column.next(ui.px(k_paths_h + 50)), f, a);
    return column.used(area.y);
}

constexpr std::array<FigureEntry, 3> k_figures = {{
    {"river", "River of gradients", {1240, 380}, river_panel, {260, 170}},
    {"gradient-norms", "Gradient per block", {760, 460}, gradients_panel, {220, 170}},
    {"path-lengths", "Path lengths", {560, 420}, paths_panel, {220, 170}},
}};

constexpr std::array<Gesture, 5> k_gestures = {{
    {"", "Gradient flow"},
    {"Point, ← →", "a block's numbers; Home, End, with Shift by eight"},
    {"Click, Enter", "open the block's Add & Norm"},
    {"Click a bar, ← →", "light a route of its length; ↑ another, Esc none"},
    {"Double-click, F2, Delete", "rename, remove a pinned stack"},
}};

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    return draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
}

} // namespace

WorkspaceEntry gradient_flow_workspace() {
    WorkspaceEntry w{"gradient-flow", "Gradient flow", 4, draw, k_figures};
    w.gestures = k_gestures;
    w.keep_up = [](DrawMemory& m, const Document& d, const Document* began) {
        m.of<FlowMemory>().runner.update(d.flow, began != nullptr);
        return true;
    };
    w.compute = [](DrawMemory& m, const Document& d) {
        m.of<FlowMemory>().runner.show(study_flow(d.flow));
    };
    w.animates = [](const View& view) {
        return view.of<FlowView>().particles || view.of<FlowView>().restoring;
    };
    w.at_rest = [](View& view) {
        view.of<FlowView>().renaming.reset();
        if (!view.of<FlowView>().revealed)
            view.of<FlowView>().predict = false; // a file cannot be asked
    };
    w.names = [](const Document& d) {
        std::string all;
        for (const PinnedStack& pin : *d.flow.pinned) all += pin.name;
        return all;
    };
    w.hides_matrices = true;
    w.take_opened = [](DrawMemory& m) { return m.of<FlowMemory>().runner.take_opened(); };
    w.come_back = [](View& view) { view.of<FlowView>().takes_keyboard = true; };
    return w;
}

} // namespace normscope
