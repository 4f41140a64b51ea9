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

constexpr Fold k_folds[] = {
    {"checks", "Checks", "Every gradient against central differences."},
    {"learn", "Learn γ, β", "Gradient descent on γ and β, step by step.", 330},
    {"faders", "γ and β", "The faders of Add & Norm.", 330},
    {"jacobian", "Jacobian", "How far each z moves each x\u0302 or y.", 380},
    {"see-saw", "Scale see-saw", "A larger Z leaves Y and shrinks the gradient.", 380},
    {"conventions", "Conventions", "What else “normalize” is taken to mean."},
    {"published", "As published", "A published derivation, corrected.", 0, false},
};

void more(BackPanel& p) {
    p.needed = draw_folds(p, p.rect, k_folds, p.view.folds, p.next.folds);
}

constexpr PanelEntry<BackwardView> k_panels[] = {
    {"dy", dy_panel},
    {"surgery", surgery_panel},
    {"add", add_panel},
    {"parameters", parameters_panel},
    {"more", more},
    {"checks", checks_panel},
    {"learn", learn_panel},
    {"faders", faders},
    {"jacobian", jacobian_panel},
    {"see-saw", scale_panel},
    {"conventions", conventions_panel},
    {"published", published_panel},
};

// All but what is folded in one screen; the surgery takes what room there is.
GridCell wide(float height) {
    return column(row(column(cell("dy").high(370).growing(1), cell("more")).wide(330),
                      column(cell("surgery").high(500).growing(1),
                             row(cell("add"), cell("parameters")).high(290)))
                      .high(std::clamp(height, 820.0f, 1040.0f)));
}

GridCell medium() {
    return column(row(cell("dy").wide(0.34f), cell("surgery").wide(0.66f)).high(540),
                  row(cell("add"), cell("parameters")).high(290), cell("more"));
}

GridCell narrow() {
    return column(cell("surgery").high(520), cell("dy").high(430), cell("add").high(240),
                  cell("parameters").high(350), cell("more"));
}

constexpr Size k_published{1200, 1098};

constexpr FigureEntry k_figures[] = {
    {"surgery", "Gradient surgery", {760, 520}, figure_of<surgery_panel>},
    {"dy", "dY", {360, 420}, figure_of<dy_panel>},
    {"add", "The Add hands dz to both", {760, 230}, figure_of<add_panel>},
    {"parameters", "dγ and dβ", {620, 360}, figure_of<parameters_panel>},
    {"jacobian", "Jacobian", {480, 400}, figure_of<jacobian_panel>, {460, 360}},
    {"learn", "Learn γ, β", {420, 420}, figure_of<learn_panel>},
    {"see-saw", "Scale see-saw", {560, 300}, figure_of<scale_panel>},
    {"conventions", "Conventions", {640, 192}, figure_of<conventions_panel>, {512, 180}},
    {"published", "As published, against corrected", k_published, figure_of<published_panel>,
     k_published},
};

constexpr Gesture k_gestures[] = {
    {"", "Backward"},
    {"◂ ▸, click a cell", "which token the surgery and the Jacobian show"},
    {"The badge of the surgery", "the list of all checks"},
    {"Point at a cell of dY", "its Y and target"},
    {"Point at a bar of dγ, dβ", "what it is the sum of"},
    {"Delete, right-click", "a slider goes back to where it began, or shows its menu"},
};

struct BackwardWorkspace final : Workspace {
    BackwardWorkspace() {
        id = "backward";
        label = "Backward";
        key = 3;
        figures = k_figures;
        gestures = k_gestures;
    }

    void keep_look(View& view, Look& look) const override {
        view.of<BackwardView>().keep(look);
        keep_folds(look, k_folds, view.of<BackwardView>().folds);
    }
    float draw(Turn turn) const override {
        const Rect room = page_room(turn);
        const GridCell page = room.w >= 1360 ? wide(room.h) : room.w >= 860 ? medium() : narrow();
        const GridCell all = with_open(page, k_folds, turn.frame.view.of<BackwardView>().folds,
                                       room.w >= 860 ? 2 : 1);
        const float height = draw_panels<BackwardView>(turn, all, turn.rect.h, k_panels);
        dy_menu(turn);
        return height;
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<BackwardMemory>().backward.of(d);
    }
    bool animates(const View& view) const override {
        return view.of<BackwardView>().cut && !view.reduce_motion;
    }
    void at_rest(View& view) const override { view.of<BackwardView>().cut.reset(); }
    void look_anew(View& view, const View* own) const override {
        if (own) view.of<BackwardView>().folds = own->of<BackwardView>().folds;
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
    // The surgery's group is outlined, also before anything is pinned.
    map.marks.outlined.push_back(f.derived.sets().block(group_in_focus(f)));
}

const Workspace& backward_workspace() {
    static const BackwardWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
