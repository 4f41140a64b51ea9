#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/shared/page.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_wide = 1360;   // pixels at scale 1: three panels beside each other
constexpr float k_medium = 860;  // two
constexpr float k_first_h = 926; // of the part that is seen without scrolling, at least
constexpr float k_least_row_h = 400, k_most_row_h = 540;              // the panels below the norms
constexpr float k_row_h_without_tokens = 210, k_row_h_of_token = 120; // few tokens need less

float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap);
    const float h = std::max(area.h, ui.px(k_first_h));
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    const float norms_h = norms_height(ui, f, {area.w, h});
    norms_panel(ui, column.next(norms_h), f, a);
    const auto tokens = static_cast<float>(f.document.token_count());
    const float row_h =
        std::min(std::clamp(h - norms_h - gap, ui.px(k_least_row_h), ui.px(k_most_row_h)),
                 ui.px(k_row_h_without_tokens + tokens * k_row_h_of_token));
    draw_row(ui, column.next(row_h), f, a, {0.56f, 0.44f}, influence_panel, batch_size_panel);
    draw_row(ui, column.next(ui.px(470)), f, a, {0.44f, 0.56f}, running_panel, small_batches_panel);
    sequences_panel(ui, column.next(sequences_height(ui, area.w)), f, a);
    return column.used(area.y);
}

// Panels as wide as the page, but for the two that `pair` draws.
template<class Pair>
float stacked(Ui& ui, Rect area, const Frame& f, Actions& a, float batch_h, Pair&& pair) {
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    norms_panel(ui, column.next(norms_height(ui, f, {area.w, area.h})), f, a);
    influence_panel(ui, column.next(ui.px(360)), f, a);
    batch_size_panel(ui, column.next(ui.px(batch_h)), f, a);
    pair(column);
    sequences_panel(ui, column.next(sequences_height(ui, area.w)), f, a);
    return column.used(area.y);
}

float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    return stacked(ui, area, f, a, 360, [&](PanelColumn& column) {
        draw_row(ui, column.next(ui.px(500)), f, a, {0.46f, 0.54f}, running_panel,
                 small_batches_panel);
    });
}

float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    return stacked(ui, area, f, a, 380, [&](PanelColumn& column) {
        running_panel(ui, column.next(ui.px(460)), f, a);
        small_batches_panel(ui, column.next(ui.px(520)), f, a);
    });
}

constexpr std::array<FigureEntry, 6> k_figures = {{
    {"norms", "The same Z, every norm", {1560, 420}, norms_panel, {1340, 420}},
    {"influence", "Who touches whom", {880, 420}, influence_panel},
    {"batch-size", "Training against evaluation", {760, 420}, batch_size_panel},
    {"running", "Running statistics", {700, 470}, running_panel},
    {"small-batches", "Small batches", {880, 470}, small_batches_panel, {820, 420}},
    {"sequences", "Sequences", {1560, 696}, sequences_panel},
}};

constexpr std::array<Gesture, 4> k_gestures = {{
    {"", "Batch vs Layer"},
    {"Drag a value of Z", "see what moves in each norm; Ctrl+Z takes it back"},
    {"Point at a batch size", "what theory says of it"},
    {"Click, arrow keys", "in Sequences: which word is raised by 1"},
}};

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float height = draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
    norms_menu(ui, f, a);
    return height;
}

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

WorkspaceEntry batch_vs_layer_workspace() {
    WorkspaceEntry w{"batch-vs-layer", "Batch vs Layer", 2, draw, k_figures};
    w.gestures = k_gestures;
    w.keep_up = [](DrawMemory& m, const Document& d, const Document* began) {
        m.of<BatchMemory>().small_batches.keep_up(d.batch.seed);
        return m.of<BatchMemory>().study.keep_up(batch_input(d, began));
    };
    w.fit = [](View& view, const Document& d) {
        keep_within(view.of<BatchView>().editor_z, d.token_count(), d.feature_count());
    };
    w.compute = [](DrawMemory& m, const Document& d) {
        m.of<BatchMemory>().study.of(batch_input(d, nullptr));
        m.of<BatchMemory>().small_batches.of(d.batch.seed);
    };
    return w;
}

} // namespace normscope
