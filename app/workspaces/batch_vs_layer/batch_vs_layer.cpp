#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr std::array<PanelEntry<BatchView>, 6> k_panels = {{
    {"norms", norms_panel},
    {"influence", influence_panel},
    {"batch-size", batch_size_panel},
    {"running", running_panel},
    {"small-batches", small_batches_panel},
    {"sequences", sequences_panel},
}};

GridCell wide(Index tokens, Size room) {
    room.h = std::max(room.h, 926.0f); // of the part that is seen without scrolling
    const float norms_h = norms_height(tokens, room);
    const float spare = std::clamp(room.h - norms_h - k_panel_gap, 400.0f, 540.0f);
    const float few_tokens = 210 + 120 * static_cast<float>(tokens);
    return column(cell("norms").high(norms_h),
                  row(cell("influence").wide(0.56f), cell("batch-size").wide(0.44f))
                      .high(std::min(spare, few_tokens)),
                  row(cell("running").wide(0.44f), cell("small-batches").wide(0.56f)).high(470),
                  cell("sequences"));
}

// Panels as wide as the page, but for two.
GridCell medium(Index tokens, Size room) {
    return column(cell("norms").high(norms_height(tokens, room)), cell("influence").high(360),
                  cell("batch-size").high(360),
                  row(cell("running").wide(0.46f), cell("small-batches").wide(0.54f)).high(500),
                  cell("sequences"));
}

GridCell narrow(Index tokens, Size room) {
    return column(cell("norms").high(norms_height(tokens, room)), cell("influence").high(360),
                  cell("batch-size").high(380), cell("running").high(460),
                  cell("small-batches").high(520), cell("sequences"));
}

template<PanelDraw<BatchView> panel>
constexpr FigureFn figure = draw_figure_of<BatchView, panel>;

constexpr std::array<FigureEntry, 6> k_figures = {{
    {"norms", "The same Z, every norm", {1560, 420}, figure<norms_panel>, {1340, 420}},
    {"influence", "Who touches whom", {880, 420}, figure<influence_panel>},
    {"batch-size", "Training against evaluation", {760, 420}, figure<batch_size_panel>},
    {"running", "Running statistics", {700, 470}, figure<running_panel>},
    {"small-batches", "Small batches", {880, 470}, figure<small_batches_panel>, {820, 420}},
    {"sequences", "Sequences", {1560, 696}, figure<sequences_panel>},
}};

constexpr std::array<Gesture, 4> k_gestures = {{
    {"", "Batch vs Layer"},
    {"Drag a value of Z", "see what moves in each norm; Ctrl+Z takes it back"},
    {"Point at a batch size", "what theory says of it"},
    {"Click, arrow keys", "in Sequences: which word is raised by 1"},
}};

struct BatchWorkspace final : Workspace {
    BatchWorkspace() {
        id = "batch-vs-layer";
        label = "Batch vs Layer";
        key = 2;
        figures = k_figures;
        gestures = k_gestures;
    }

    void keep_look(View& view, Look& look) const override { view.of<BatchView>().keep(look); }
    float draw(const Turn& turn) const override {
        const Size room = page_room(turn);
        const auto layout = room.w >= 1360 ? wide : room.w >= 860 ? medium : narrow;
        const GridCell page = layout(turn.frame.document.token_count(), room);
        const float height = draw_panels<BatchView>(turn, page, turn.rect.h, k_panels);
        norms_menu(turn);
        return height;
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* began) const override {
        m.of<BatchMemory>().small_batches.keep_up(d.batch.seed);
        return m.of<BatchMemory>().study.keep_up(batch_input(d, began));
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<BatchMemory>().study.of(batch_input(d, nullptr));
        m.of<BatchMemory>().small_batches.of(d.batch.seed);
    }
    void fit(View& view, const Document& d) const override {
        keep_within(view.of<BatchView>().editor_z, d.token_count(), d.feature_count());
    }
};

} // namespace

Cell probed_cell(const Frame& f) {
    return {token_in_focus(f).value_or(0), feature_in_focus(f).value_or(0)};
}

const BatchStudy& study_of(const Frame& f) {
    const Document* const began = f.ghost ? &f.ghost->document() : nullptr;
    return f.memory.of<BatchMemory>().study.of(batch_input(f.document, began));
}

bool dragging_z(const Frame& f) {
    return f.ghost && !same_z(f.ghost->document(), f.document) && study_of(f).touch_since();
}

const Touch& touch_of(const Frame& f) {
    const Cell cell = probed_cell(f);
    return touch(f.memory.of<BatchMemory>().touch, study_of(f),
                 dragging_z(f) ? Moving::since : Moving::probe, cell.token, cell.feature,
                 f.view.of<BatchView>().norm_result);
}

std::optional<NotANumber> not_a_number_in_results(const Frame& f) {
    const BatchStudy& study = study_of(f);
    if (const auto& in_z = study.norms().not_a_number) return in_z;
    return f.view.of<BatchView>().norm_result == NormResult::y ? not_a_number_in_affine(f.document)
                                                               : std::nullopt;
}

const Workspace& batch_vs_layer_workspace() {
    static const BatchWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
