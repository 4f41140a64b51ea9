#include "app/workspaces/transformer/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace normscope {

namespace {

constexpr std::array<PanelEntry<TransformerView>, 6> k_panels = {{
    {"model", model_panel},
    {"sentences", sentences_panel},
    {"layers", figure_panel},
    {"lens", lens_panel},
    {"token-way", way_panel},
    {"next-word", next_word_panel},
}};

constexpr float k_figure_h = 640, k_way_h = 216; // pixels at scale 1

GridCell controls() {
    return column(cell("model"), cell("sentences"));
}

GridCell ways() {
    return row(cell("token-way"), cell("next-word").wide(280)).high(k_way_h);
}

GridCell wide() {
    return column(row(controls().wide(344), cell("layers").high(k_figure_h), cell("lens").wide(420))
                      .growing(1),
                  ways());
}

// The figure fills the window.
GridCell medium(float height) {
    return column(row(controls().wide(304), cell("layers").high(std::max(k_figure_h, height))),
                  ways(), cell("lens").high(k_figure_h));
}

GridCell narrow() {
    return column(cell("layers").high(k_figure_h), cell("lens").high(k_figure_h),
                  cell("token-way").high(k_way_h), cell("next-word").high(k_way_h), controls());
}

constexpr std::array<FigureEntry, 5> k_figures = {{
    {"layers", "Layers", {760, 700}, draw_figure_of<TransformerView, figure_panel>, {420, 420}},
    {"lens", "The chosen box", {440, 640}, draw_figure_of<TransformerView, lens_panel>, {320, 420}},
    {"token-way",
     "One token's way",
     {1200, 240},
     draw_figure_of<TransformerView, way_panel>,
     {500, 180}},
    {"by-layer",
     "Layer by layer",
     {720, 360},
     draw_figure_of<TransformerView, by_layer_panel>,
     {380, 200}},
    {"next-word",
     "Next word",
     {320, 240},
     draw_figure_of<TransformerView, next_word_panel>,
     {220, 160}},
}};

constexpr std::array<Gesture, 5> k_gestures = {{
    {"", "Transformer"},
    {"Click a box", "its numbers, at the right"},
    {"Click a row", "pin its token: its way stands below"},
    {"Click a word, type", "another one; Del takes it out"},
    {"Step, Play", "the decoder writes word after word"},
}};

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    constexpr float k_wide = 1240, k_medium = 860; // pixels at scale 1
    a.view.of<TransformerView>().hovered.reset();
    const float width = area.w / ui.px(1) - 28;
    const GridCell page = width >= k_wide     ? wide()
                          : width >= k_medium ? medium(area.h / ui.px(1) - 28)
                                              : narrow();
    return draw_panels<TransformerView>(ui, area, f, a, page, area.h, k_panels);
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
