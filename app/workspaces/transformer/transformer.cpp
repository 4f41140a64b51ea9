#include "app/workspaces/shared/page.h"
#include "app/workspaces/transformer/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace normscope {

namespace {

constexpr float k_wide = 1240, k_medium = 860; // pixels at scale 1
constexpr float k_controls_w = 344, k_lens_w = 420;
constexpr float k_figure_h = 640, k_way_h = 216;
constexpr float k_next_w = 280;

void controls(Ui& ui, PanelColumn& column, const Frame& f, Actions& a, float width) {
    const TransformerSetup& setup = f.document.transformer;
    model_panel(ui, column.next(model_height(ui, setup.config, width)), f, a);
    sentences_panel(ui, column.next(sentences_height(ui, f, width)), f, a);
}

float controls_height(const Ui& ui, const Frame& f, float width) {
    return model_height(ui, f.document.transformer.config, width) + ui.px(k_panel_gap) +
           sentences_height(ui, f, width);
}

void ways(Ui& ui, Rect row, const Frame& f, Actions& a) {
    next_word_panel(
        ui, cut_right(row, std::min(ui.px(k_next_w), row.w * 0.35f), ui.px(k_panel_gap)), f, a);
    way_panel(ui, row, f, a);
}

float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap), left_w = ui.px(k_controls_w);
    const float left_h = controls_height(ui, f, left_w);
    const float upper = std::max({area.h - ui.px(k_way_h) - gap, ui.px(k_figure_h), left_h});
    Rect all{area.x, area.y, area.w, upper + gap + ui.px(k_way_h)};
    ways(ui, cut_bottom(all, ui.px(k_way_h), gap), f, a);
    PanelColumn left(ui, cut_left(all, left_w));
    controls(ui, left, f, a, left_w);
    cut_left(all, gap);
    lens_panel(ui, cut_right(all, ui.px(k_lens_w), gap), f, a);
    figure_panel(ui, all, f, a);
    return upper + gap + ui.px(k_way_h);
}

float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap), left_w = ui.px(k_controls_w - 40);
    const float left_h = controls_height(ui, f, left_w);
    Rect row{area.x, area.y, area.w, std::max({ui.px(k_figure_h), left_h, area.h})};
    PanelColumn left(ui, cut_left(row, left_w));
    controls(ui, left, f, a, left_w);
    cut_left(row, gap);
    figure_panel(ui, row, f, a);
    PanelColumn below(ui, {area.x, row.bottom() + gap, area.w, 1e6f});
    ways(ui, below.next(ui.px(k_way_h)), f, a);
    lens_panel(ui, below.next(ui.px(k_figure_h)), f, a);
    return below.used(area.y);
}

float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    figure_panel(ui, column.next(ui.px(k_figure_h)), f, a);
    lens_panel(ui, column.next(ui.px(k_figure_h)), f, a);
    way_panel(ui, column.next(ui.px(k_way_h)), f, a);
    next_word_panel(ui, column.next(ui.px(k_way_h)), f, a);
    controls(ui, column, f, a, area.w);
    return column.used(area.y);
}

constexpr std::array<FigureEntry, 5> k_figures = {{
    {"layers", "Layers", {760, 700}, figure_panel, {420, 420}},
    {"lens", "The chosen box", {440, 640}, lens_panel, {320, 420}},
    {"token-way", "One token's way", {1200, 240}, way_panel, {500, 180}},
    {"by-layer", "Layer by layer", {720, 360}, by_layer_panel, {380, 200}},
    {"next-word", "Next word", {320, 240}, next_word_panel, {220, 160}},
}};

constexpr std::array<Gesture, 5> k_gestures = {{
    {"", "Transformer"},
    {"Click a box", "its numbers, at the right"},
    {"Click a row", "pin its token: its way stands below"},
    {"Click a word, type", "another one; Del takes it out"},
    {"Step, Play", "the decoder writes word after word"},
}};

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    a.view.of<TransformerView>().hovered.reset();
    return draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
}

} // namespace

WorkspaceEntry transformer_workspace() {
    WorkspaceEntry w{"transformer", "Transformer", 5, draw, k_figures};
    w.gestures = k_gestures;
    w.keep_up = [](DrawMemory& m, const Document& d, const Document* /*began*/) {
        auto& memory = m.of<TransformerMemory>();
        if (std::exchange(memory.by_layer_shown, false))
            (void)memory.by_layer.keep_up(d.transformer);
        if (const auto token = std::exchange(memory.peeked, std::nullopt))
            (void)memory.peek.keep_up(Peek::Input{d.transformer, *token});
        return memory.study.keep_up(d.transformer);
    };
    w.compute = [](DrawMemory& m, const Document& d) {
        (void)m.of<TransformerMemory>().study.of(d.transformer);
        (void)m.of<TransformerMemory>().by_layer.of(d.transformer);
    };
    w.at_rest = [](View& view) { view.of<TransformerView>().hovered.reset(); };
    w.names = [](const Document& d) {
        std::string all;
        for (const std::string& word : vocabulary_of(d.transformer)) all += word;
        return all;
    };
    w.run_on = decode_due;
    w.hides_matrices = true;
    w.of_weights = true;
    w.take_opened = [](DrawMemory& m) {
        return std::exchange(m.of<TransformerMemory>().opened, std::nullopt);
    };
    return w;
}

} // namespace normscope
