#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

void faders(BackPanel& p) {
    AddNormPanel own{p};
    faders_panel(own);
}

constexpr std::array<PanelEntry<BackwardView>, 10> k_panels = {{
    {"dy", dy_panel},
    {"learn", learn_panel},
    {"conventions", conventions_panel},
    {"surgery", surgery_panel},
    {"add", add_panel},
    {"faders", faders},
    {"parameters", parameters_panel},
    {"jacobian", jacobian_panel},
    {"scale", scale_panel},
    {"published", published_panel},
}};

// Three columns, as high as the window shows of them; taller panels would only be emptier.
GridCell wide(Size room) {
    return column(
        row(column(cell("dy").high(425).growing(46), cell("learn").high(291).growing(54),
                   cell("conventions").high(186))
                .wide(330),
            column(cell("surgery").high(509).growing(55), cell("add").high(203).growing(22),
                   cell("faders").high(190).growing(23)),
            column(cell("parameters").high(333).growing(36), cell("jacobian").high(333).growing(36),
                   cell("scale").high(236).growing(28))
                .wide(std::max(460.0f, room.w * 0.3f)))
            .high(std::clamp(room.h, 926.0f, 1120.0f)),
        cell("published"));
}

GridCell medium() {
    return column(row(cell("dy").wide(0.34f), cell("surgery").wide(0.66f)).high(500),
                  cell("add").high(216), row(cell("parameters"), cell("jacobian")).high(350),
                  row(cell("learn").wide(0.42f), cell("faders").wide(0.58f)).high(330),
                  row(cell("scale"), cell("conventions")).high(280), cell("published"));
}

GridCell narrow() {
    return column(cell("surgery").high(470), cell("dy").high(430), cell("add").high(240),
                  cell("parameters").high(350), cell("jacobian").high(380), cell("learn").high(370),
                  cell("faders").high(250), cell("scale").high(300), cell("conventions"),
                  cell("published"));
}

constexpr Size k_published{1200, 1098};

template<PanelDraw<BackwardView> panel>
constexpr FigureFn figure = draw_figure_of<BackwardView, panel>;

constexpr std::array<FigureEntry, 9> k_figures = {{
    {"surgery", "Gradient surgery", {760, 520}, figure<surgery_panel>},
    {"dy", "dY", {360, 420}, figure<dy_panel>},
    {"add", "The Add hands dz to both", {760, 230}, figure<add_panel>},
    {"parameters", "dγ and dβ", {620, 360}, figure<parameters_panel>},
    {"jacobian", "Jacobian", {480, 400}, figure<jacobian_panel>, {460, 360}},
    {"learn", "Learn γ, β", {420, 420}, figure<learn_panel>},
    {"see-saw", "Scale see-saw", {560, 300}, figure<scale_panel>},
    {"conventions", "Conventions", {640, 192}, figure<conventions_panel>, {512, 180}},
    {"published", "As published, against corrected", k_published, figure<published_panel>,
     k_published},
}};

constexpr std::array<Gesture, 5> k_gestures = {{
    {"", "Backward"},
    {"◂ ▸, click a cell", "which token the surgery and the Jacobian show"},
    {"Point at a cell of dY", "its Y and target"},
    {"Point at a bar of dγ, dβ", "what it is the sum of"},
    {"Delete, right-click", "a slider goes back to where it began, or shows its menu"},
}};

struct BackwardWorkspace final : Workspace {
    BackwardWorkspace() {
        id = "backward";
        label = "Backward";
        key = 3;
        figures = k_figures;
        gestures = k_gestures;
    }

    void keep_look(View& view, Look& look) const override { view.of<BackwardView>().keep(look); }
    float draw(const Turn& turn) const override {
        const Size room = page_room(turn);
        const GridCell page = room.w >= 1360 ? wide(room) : room.w >= 860 ? medium() : narrow();
        const float height = draw_panels<BackwardView>(turn, page, turn.rect.h, k_panels);
        dy_menu(turn);
        return height;
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* /*began*/) const override {
        return m.of<BackwardMemory>().backward.keep_up(d);
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<BackwardMemory>().backward.of(d);
    }
    std::optional<Edit> run_on(View& view, const Document& d, double seconds) const override {
        return learning_due(view, d, seconds);
    }
    void fit(View& view, const Document& d) const override {
        keep_within(view.of<BackwardView>().editor_dy, d.token_count(), d.feature_count());
    }
    std::vector<CellValue> values(DrawMemory& m, Index t, Index d) const override {
        const auto& b = m.of<BackwardMemory>().backward.last();
        if (!b || t >= b->dz().rows() || d >= b->dz().cols()) return {};
        return {{"dY", Stage::y, b->dy()(t, d)},
                {"γ", Stage::gamma, b->gamma(t, d)},
                {"dz", Stage::z, b->dz()(t, d)}};
    }
};

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

const Workspace& backward_workspace() {
    static const BackwardWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
