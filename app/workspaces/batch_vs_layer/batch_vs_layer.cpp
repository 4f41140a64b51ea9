#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr Fold k_folds[] = {
    {"influence", "Who touches whom", "Which tokens each norm lets act on which others.", 400,
     false},
    {"running", "Running statistics", "The μ and σ² of evaluation, on their way.", 470},
    {"small-batches", "Small batches", "What a batch of few samples costs.", 470},
    {"sequences", "Sequences", "Padding shifts batch norm, and the future leaks into it.", 0,
     false},
};

void more(BatchPanel& p) {
    p.needed = draw_folds(p, p.rect, k_folds, p.view.folds, p.next.folds);
}

constexpr PanelEntry<BatchView> k_panels[] = {
    {"norms", norms_panel},
    {"batch-size", batch_size_panel},
    {"more", more},
    {"influence", influence_panel},
    {"running", running_panel},
    {"small-batches", small_batches_panel},
    {"sequences", sequences_panel},
};

GridCell page_of(const BatchView& view, Index tokens, Size room, bool picture) {
    const float few_tokens = 210 + 120 * static_cast<float>(tokens);
    const float norms_h = norms_height(tokens, room, view.more_norms);
    GridCell norms = cell("norms").high(norms_h);
    if (room.w < 1360 || picture)
        return column(std::move(norms), cell("batch-size").high(std::min(380.0f, few_tokens)),
                      cell("more"));
    const float spare = std::clamp(room.h - norms_h - k_panel_gap, 300.0f, 540.0f);
    return column(std::move(norms), row(cell("batch-size").wide(0.56f), cell("more").wide(0.44f))
                                        .high(std::min(spare, few_tokens)));
}

float rows_of_norms(const View& view) {
    return view.of<BatchView>().more_norms ? 2 : 1;
}

constexpr FigureEntry k_figures[] = {
    {"norms",
     "The same Z, every norm",
     {1560, 420},
     figure_of<norms_panel>,
     {1340, 420},
     false,
     rows_of_norms},
    {"influence", "Who touches whom", {880, 420}, figure_of<influence_panel>},
    {"batch-size", "Training against evaluation", {760, 420}, figure_of<batch_size_panel>},
    {"running", "Running statistics", {700, 470}, figure_of<running_panel>},
    {"small-batches", "Small batches", {880, 470}, figure_of<small_batches_panel>, {820, 420}},
    {"sequences", "Sequences", {1560, 696}, figure_of<sequences_panel>},
};

constexpr Gesture k_gestures[] = {
    {"", "Batch vs Layer"},
    {"Point at a value", "the band shows what it is measured against"},
    {"Drag a value of Z", "see what moves in each norm; Ctrl+Z takes it back"},
    {"Point at a batch size", "what theory says of it"},
    {"Click, arrow keys", "in Sequences: which word is raised by 1"},
};

struct BatchWorkspace final : Workspace {
    BatchWorkspace() {
        id = "batch-vs-layer";
        label = "Batch vs Layer";
        key = 2;
        figures = k_figures;
        gestures = k_gestures;
    }

    void keep_look(View& view, Look& look) const override {
        view.of<BatchView>().keep(look);
        keep_folds(look, k_folds, view.of<BatchView>().folds);
    }
    float draw(Turn turn) const override {
        const Rect room = page_room(turn);
        const BatchView& view = turn.frame.view.of<BatchView>();
        const GridCell page = with_open(
            page_of(view, turn.frame.document.token_count(), {room.w, room.h}, turn.state.picture),
            k_folds, view.folds, room.w >= 860 ? 2 : 1);
        const float height = draw_panels<BatchView>(turn, page, turn.rect.h, k_panels);
        norms_menu(turn);
        return height;
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* began) const override {
        m.of<BatchMemory>().small_batches.keep_up(m.lab, d.batch.seed);
        m.of<BatchMemory>().study.of(batch_input(d, began));
        return true;
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<BatchMemory>().study.of(batch_input(d, nullptr));
        m.of<BatchMemory>().small_batches.of(d.batch.seed);
    }
    bool animates(const View& view) const override { return view.of<BatchView>().swept < 1; }
    void look_anew(View& view, const View* own) const override {
        BatchView& next = view.of<BatchView>();
        if (!own) return;
        next.folds = own->of<BatchView>().folds;
        next.more_norms = own->of<BatchView>().more_norms;
    }
    std::optional<std::string> effect(const Derived& before, const Derived& now) const override {
        const Document &a = before.document(), &b = now.document();
        if (!batch_input(b, &a).since) return std::nullopt;
        const NormsOfZ norms = norms_of_z(b);
        const Touch touch = touch_since(a, norms);
        return worded("The edit moved {} of {} values in layer norm and {} in batch norm",
                      touch[0].count, norms.z.size(), touch[1].count);
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
    const Document* const earlier = f.before ? &f.before->document() : nullptr;
    return f.memory.of<BatchMemory>().study.of(batch_input(f.document, earlier));
}

bool knows_edit(const Frame& f) {
    return f.before && !same_z(f.before->document(), f.document) && study_of(f).touch_since();
}

bool shows_edit(const Frame& f) {
    const bool pointed = f.view.hover.token && f.view.hover.feature;
    return knows_edit(f) && (f.ghost || !pointed);
}

const Touch& probe_touch(const Frame& f) {
    const Cell cell = probed_cell(f);
    const BatchStudy& study = study_of(f);
    const NormResult result = f.view.of<BatchView>().norm_result;
    return f.memory.of<BatchMemory>().probe.of(
        {study.version(), cell.token, cell.feature, result}, [&] {
            return touch_in(result, study, touch_of(study.norms(), cell.token, cell.feature, 1));
        });
}

const Touch& edit_touch(const Frame& f) {
    const BatchStudy& study = study_of(f);
    const NormResult result = f.view.of<BatchView>().norm_result;
    return f.memory.of<BatchMemory>().edit.of(
        {study.version(), result}, [&] { return touch_in(result, study, *study.touch_since()); });
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
