#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr PanelEntry<FlowView> k_panels[] = {
    {"stack", stack_panel}, {"compared", compared_panel},   {"stories", stories_panel},
    {"river", river_panel}, {"gradients", gradients_panel}, {"paths", paths_panel},
};

// With room for all that can be pinned, so that nothing moves when one comes or goes.
GridCell controls() {
    return column(cell("stack"), cell("compared").high(272).growing(1));
}

GridCell wide() {
    const GridCell charts = row(cell("gradients").wide(0.58f), cell("paths").wide(0.42f));
    return row(controls().wide(344), column(cell("stories"), cell("river").high(300).growing(50),
                                            GridCell(charts).high(310).growing(50)));
}

// `first`: the panel that asks or answers what is looked at; the paths stand below all.
GridCell medium(float width, std::string_view first, std::string_view second) {
    constexpr float k_tight = 480; // beside the controls: the chart before the stories' words
    const float controls_w = std::clamp(width * 0.41f, 264.0f, 344.0f);
    const bool tight = width - controls_w < k_tight;
    const GridCell chart = cell(first).high(390), other = cell(second).high(390).growing(1);
    return column(row(controls().wide(controls_w), tight ? column(chart, cell("stories"), other)
                                                         : column(cell("stories"), chart, other)),
                  cell("paths").high(340));
}

GridCell narrow(bool predicted) {
    const GridCell river = cell("river").high(430), gradients = cell("gradients").high(430);
    const GridCell paths = cell("paths").high(390), stories = cell("stories");
    return predicted ? column(stories, gradients, river, cell("stack"), cell("compared"), paths)
                     : column(stories, river, cell("stack"), cell("compared"), gradients, paths);
}

constexpr FigureEntry k_figures[] = {
    {"river", "River of gradients", {1240, 380}, figure_of<river_panel>, {260, 170}},
    {"gradient-norms", "Gradient per block", {760, 460}, figure_of<gradients_panel>, {220, 170}},
    {"path-lengths", "Path lengths", {560, 420}, figure_of<paths_panel>, {220, 170}},
};

constexpr Gesture k_gestures[] = {
    {"", "Gradient flow"},
    {"Point, ← →", "a block's numbers; Home, End, with Shift by eight"},
    {"Click, Enter", "open the block's Add & Norm"},
    {"Click a bar, ← →", "light a route of its length; ↑ another, Esc none"},
    {"Double-click, F2, Delete", "rename, remove a pinned stack"},
};

struct FlowWorkspace final : Workspace {
    FlowWorkspace() {
        id = "gradient-flow";
        label = "Gradient flow";
        key = 4;
        figures = k_figures;
        gestures = k_gestures;
        hides_matrices = true;
    }

    void keep_look(View& view, Look& look) const override { view.of<FlowView>().keep(look); }
    float draw(Turn turn) const override {
        constexpr float k_wide = 1280, k_medium = 560;
        // Taller panels would only be emptier.
        const float most = std::max(1300.0f, turn.rect.w * 0.62f);
        const float width = page_room(turn).w;
        const bool predicted =
            is_predicted(turn.frame.view.of<FlowView>(), turn.frame.document.flow);
        const GridCell page = width >= k_wide    ? wide()
                              : width < k_medium ? narrow(predicted)
                              : predicted        ? medium(width, "gradients", "river")
                                                 : medium(width, "river", "gradients");
        return draw_panels<FlowView>(turn, page, most, k_panels);
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* began) const override {
        m.of<FlowMemory>().runner.update(m.lab, d.flow, began != nullptr);
        return true;
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<FlowMemory>().runner.show(study_flow(d.flow));
    }
    bool animates(const View& view) const override {
        return view.of<FlowView>().particles || view.of<FlowView>().restoring;
    }
    void at_rest(View& view) const override {
        view.of<FlowView>().renaming.reset();
        if (!view.of<FlowView>().revealed)
            view.of<FlowView>().predict = false; // a file cannot be asked
    }
    void come_back(View& view) const override { view.of<FlowView>().takes_keyboard = true; }
    std::string names(const Document& d) const override {
        std::string all;
        for (const PinnedStack& pin : *d.flow.pinned) all += pin.name;
        return all;
    }
    std::optional<OpenedPart> take_opened(DrawMemory& m) const override {
        return m.of<FlowMemory>().runner.take_opened(m.lab);
    }
};

} // namespace

const Workspace& gradient_flow_workspace() {
    static const FlowWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
