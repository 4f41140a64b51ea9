#include "app/workspaces/transformer/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace normscope {

namespace {

constexpr PanelEntry<TransformerView> k_panels[] = {
    {"model", model_panel}, {"sentences", sentences_panel}, {"layers", figure_panel},
    {"lens", lens_panel},   {"token-way", way_panel},       {"next-word", next_word_panel},
};

constexpr float k_figure_h = 608, k_way_h = 198;

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

// The figure fills the window; the lens stands below all while it does not lie over the figure.
GridCell medium(float height) {
    return column(row(controls().wide(304), cell("layers").high(std::max(k_figure_h, height))),
                  ways());
}

GridCell narrow() {
    return column(cell("layers").high(k_figure_h), cell("token-way").high(k_way_h),
                  cell("next-word").high(k_way_h), controls());
}

constexpr FigureEntry k_figures[] = {
    {"layers", "Layers", {760, 700}, figure_of<figure_panel>, {420, 420}},
    {"lens", "The chosen box", {440, 640}, figure_of<lens_panel>, {320, 420}},
    {"token-way", "One token's way", {1200, 240}, figure_of<way_panel>, {500, 180}},
    {"by-layer", "Layer by layer", {720, 360}, figure_of<by_layer_panel>, {380, 200}},
    {"next-word", "Next word", {320, 240}, figure_of<next_word_panel>, {220, 160}},
};

constexpr Gesture k_gestures[] = {
    {"", "Transformer"},
    {"Click a box", "its numbers, beside it; Esc closes them where they cover the figure"},
    {"Click a row", "pin its token: its way stands below"},
    {"Click a word, type", "another one; Del takes it out"},
    {"Step, Play", "the decoder writes word after word"},
};

struct TransformerWorkspace final : Workspace {
    TransformerWorkspace() {
        id = "transformer";
        label = "Transformer";
        key = 5;
        figures = k_figures;
        gestures = k_gestures;
        hides_matrices = true;
        of_weights = true;
    }

    void keep_look(View& view, Look& look) const override { view.of<TransformerView>().keep(look); }
    float draw(Turn turn) const override {
        constexpr float k_wide = 1240, k_medium = 860;
        auto& next = turn.actions.view.of<TransformerView>();
        next.hovered.reset();
        const Rect room = page_room(turn);
        next.lens_floats = room.w < k_wide;
        GridCell page = room.w >= k_wide ? wide() : room.w >= k_medium ? medium(room.h) : narrow();
        if (next.lens_floats && !turn.frame.view.of<TransformerView>().lens_open)
            page.parts.push_back(cell("lens").high(k_figure_h));
        return draw_panels<TransformerView>(turn, page, turn.rect.h, k_panels);
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* /*began*/) const override {
        auto& memory = m.of<TransformerMemory>();
        if (std::exchange(memory.by_layer_shown, false))
            (void)memory.by_layer.keep_up(m.lab, d.transformer);
        if (const auto token = std::exchange(memory.peeked, std::nullopt))
            (void)memory.peek.keep_up(m.lab, Peek::Input{d.transformer, *token});
        return memory.study.keep_up(m.lab, d.transformer);
    }
    void compute(DrawMemory& m, const Document& d) const override {
        (void)m.of<TransformerMemory>().study.of(d.transformer);
        (void)m.of<TransformerMemory>().by_layer.of(d.transformer);
    }
    std::optional<Edit> run_on(View& view, const Document& d, double seconds) const override {
        return decode_due(view, d, seconds);
    }
    bool animates(const View& view) const override {
        return view.of<TransformerView>().pulse.has_value();
    }
    void at_rest(View& view) const override {
        view.of<TransformerView>().hovered.reset();
        view.of<TransformerView>().pulse.reset();
    }
    std::string names(const Document& d) const override {
        std::string all;
        for (const std::string& word : vocabulary_of(d.transformer)) all += word;
        return all;
    }
    std::optional<OpenedPart> take_opened(DrawMemory& m) const override {
        return std::exchange(m.of<TransformerMemory>().opened, std::nullopt);
    }
};

} // namespace

const Workspace& transformer_workspace() {
    static const TransformerWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
