#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/shared/line_style.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"

#include <array>

namespace normscope {

namespace {

constexpr ChoiceName k_lower[] = {{"attention", "Attention"}, {"by-layer", "By layer"}};

using Value = double LayerMeasure::*;

// A value of one stack under one placement, layer by layer.
struct LayerLine {
    Placement placement;
    StackSide side;
    std::vector<DataPoint> points;
    double rise() const { return points.back().y / points.front().y; }
};

std::vector<LayerLine> lines_of(const ByLayer& study, Value value, bool with_decoder) {
    std::vector<LayerLine> out;
    for (const ByLayer::Measured& m : study.measured)
        for (const StackSide side : {StackSide::encoder, StackSide::decoder}) {
            const auto& layers = of_side(m.measure, side);
            if (layers.empty() || (side == StackSide::decoder && !with_decoder)) continue;
            LayerLine line{m.placement, side, {}};
            for (const auto l : indices(layers))
                line.points.push_back({static_cast<double>(l + 1), layers[l].*value});
            out.push_back(std::move(line));
        }
    return out;
}

// A stack is told by its marker and its colour, a placement by its dashes.
LineStyle style_of(const Ui& ui, const LayerLine& line) {
    const bool encoder = line.side == StackSide::encoder;
    return {ui.theme.of(encoder ? Stage::x : Stage::f),
            line.placement == Placement::post  ? Dash::solid
            : line.placement == Placement::pre ? Dash::dashed
                                               : Dash::dotted,
            encoder ? Marker::circle : Marker::square};
}

void layer_chart(Ui& ui, Rect r, const std::vector<LayerLine>& lines, ScaleKind kind,
                 const std::string& title) {
    LineChart chart;
    std::vector<double> values;
    for (const LayerLine& line : lines) {
        chart.series.push_back({line.points, style_of(ui, line)});
        for (const DataPoint& p : line.points) values.push_back(p.y);
    }
    if (lines.empty()) return;
    const LineRange range = line_range(kind, values);
    chart.y_kind = kind;
    chart.y_lo = range.lo;
    chart.y_hi = range.hi;
    chart.x_lo = 0.75;
    chart.x_hi = static_cast<double>(lines.front().points.size()) + 0.25;
    for (std::size_t l = 1; l <= lines.front().points.size(); ++l)
        chart.x_ticks.push_back({static_cast<double>(l), std::to_string(l)});
    chart.x_title = tr("layer");
    chart.y_title = title;
    draw_line_chart(ui.canvas, ui.theme, r, chart);
}

// The stacks by their markers, then the placements by their dashes.
void legend_of(Ui& ui, Rect row, const std::vector<LayerLine>& lines) {
    const auto key = [&](const LineStyle& style, std::string_view name) {
        const float w = small_width(ui, name) + 1;
        if (row.w < 24 + w) return;
        const Rect at = cut_left(row, 20);
        draw_swatch(ui, at, style, 3.5f);
        cut_left(row, 4);
        ui.label(cut_left(row, w, 12), name, TextRole::small);
    };
    for (const LayerLine& line : lines)
        if (line.placement == lines.front().placement) {
            LineStyle style = style_of(ui, line);
            style.dash = Dash::solid;
            key(style, id_of(line.side));
        }
    for (const LayerLine& line : lines)
        if (line.side == lines.front().side) {
            LineStyle style = style_of(ui, line);
            style.marker = Marker::none;
            style.color = ui.theme.ink_soft;
            key(style, choice_of(line.placement).label);
        }
}

// "last ÷ first: encoder 1.1 Post, 0.53 Pre; decoder 6.4 Post, 0.65 Pre".
std::string rises_words(const std::vector<LayerLine>& lines) {
    std::string sides;
    for (const StackSide side : {StackSide::encoder, StackSide::decoder}) {
        std::string of_side;
        for (const LayerLine& line : lines)
            if (line.side == side)
                of_side +=
                    (of_side.empty() ? "" : ", ") +
                    worded("{} {}", number_text(line.rise(), 2), choice_of(line.placement).label);
        if (!of_side.empty())
            sides += (sides.empty() ? "" : "; ") + worded("{} {}", id_of(side), of_side);
    }
    return worded("last ÷ first: {}", sides);
}

void draw_by_layer(TransformerPanel& p, Rect r) {
    auto& memory = p.frame.memory.of<TransformerMemory>();
    memory.by_layer_shown = true;
    const ByLayer* study = memory.by_layer.find(p.document.transformer);
    if (!study || study->measured.empty()) {
        p.label(r, study ? "Without a loss there is no gradient to compare" : "Computing…",
                TextRole::label, p.theme.ink_soft);
        return;
    }
    const auto gradients = lines_of(*study, &LayerMeasure::w2_grad_norm, true);
    const auto cosines = lines_of(*study, &LayerMeasure::token_cosine, false);
    legend_of(p, cut_top(r, 20), gradients);
    soft_label(p, cut_bottom(r, 18), rises_words(gradients));
    const float gap = cosines.empty() ? 0 : 12.0f;
    const Rect right = cosines.empty() ? Rect{} : cut_right(r, (r.w - gap) * 0.45f);
    cut_right(r, gap);
    layer_chart(p, r, gradients, ScaleKind::log, "‖∂L/∂W₂‖, log");
    if (!cosines.empty())
        layer_chart(p, right, cosines, ScaleKind::linear, "cosine of two source tokens");
}

} // namespace

void lower_panel(TransformerPanel& p, Rect r, const Box& box) {
    const IdScope scope(p, NamePart("by-layer", true)); // as its figure, which it can show
    Rect inside = panel(p, "", r, {});
    Rect head = cut_top(inside, 26, 4);
    const bool by_layer = p.view.by_layer.value_or(p.view.gradient);
    // Chosen among the folded rows of the lens.
    const bool chosen = p.view.more_lens;
    if (chosen)
        if (const auto c = segmented(p, "shown", cut_left(head, segmented_width(p, k_lower), 10.0f),
                                     k_lower, by_layer ? 1 : 0))
            p.next.by_layer = *c == 1;
    if (by_layer) return draw_by_layer(p, inside);
    const int heads = transformer_of(p).setup().config.heads;
    if (chosen) head_choice(p, head, heads);
    const std::string layer = worded("{} {}", id_of(box.side), box.layer + 1);
    if (chosen) {
        soft_label(p, head, layer);
        return layer_attention(p, inside, box);
    }
    left_words(p, head, "Attention", TextRole::title, p.theme.ink, 12);
    soft_label(p, head,
               p.view.head ? worded("{} · head {}", layer, std::min(*p.view.head, heads - 1) + 1)
                           : worded("{} · mean of the heads", layer),
               Align::right);
    layer_attention(p, inside, box);
}

void by_layer_panel(TransformerPanel& p) {
    const IdScope scope(p, "by-layer");
    draw_by_layer(p, p.framed({.title = "Layer by layer"}));
}

} // namespace normscope
