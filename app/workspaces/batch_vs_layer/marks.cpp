#include "app/workspaces/batch_vs_layer/panels.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_least_outlined = 12; // pixels a cell
constexpr float k_least_glowing = 6;
constexpr Index k_measured = 64; // of many numbers, the width of so many is looked at

VisibleSpan seen(float offset, float cell, float length, Index count) {
    const auto first = static_cast<Index>(std::max(0.0f, std::floor(offset)));
    const auto end = static_cast<Index>(std::ceil(offset + length / cell - 1e-3f));
    return {std::min(first, count), std::clamp<Index>(end, 0, count)};
}

// However thin a row or column of tiny cells is, its rim is wide enough to be seen.
void glow_around(Ui& ui, Rect area, const HeatmapPort& port, const CellBlock& block, Color color) {
    const float x = area.x + (static_cast<float>(block.col) - port.col) * port.cell_w;
    const float y = area.y + (static_cast<float>(block.row) - port.row) * port.cell_h;
    const Rect moved{x, y, static_cast<float>(block.cols) * port.cell_w,
                     static_cast<float>(block.rows) * port.cell_h};
    ui.canvas.push_clip(area.inset(-ui.px(6)));
    ui.canvas.stroke_rect(moved.inset(-ui.px(6)), color.with_alpha(0.35f), ui.px(3), ui.px(6));
    ui.canvas.stroke_rect(moved.inset(-ui.px(4)), color, ui.px(2), ui.px(4));
    ui.canvas.pop_clip();
}

constexpr double k_least_fixed = 0.001; // smaller ones are written as 2.5e-5

// As many decimals for all as leave the smallest two digits: a σ² of 0.00 is none to compute with.
int edge_decimals(const Vector<double>& values) {
    double least = 1;
    for (const double v : values)
        if (std::abs(v) >= k_least_fixed) least = std::min(least, std::abs(v));
    return least >= 0.1 ? 2 : least >= 0.01 ? 3 : 4;
}

std::string edge_text(double value, int decimals) {
    return value != 0 && std::abs(value) < k_least_fixed ? scientific_text(value, 1)
                                                         : cell_text(value, {.decimals = decimals});
}

// Numbers under columns, a line of them.
struct Line {
    std::string_view symbol;
    const Vector<double>* values;
    int decimals;
};

// Of the widest number, or of one of many.
float width_of(const Ui& ui, VisibleSpan columns, const Line& line, TextRole role) {
    float widest = 0;
    for (Index c = columns.first; c < std::min(columns.end, columns.first + k_measured); ++c)
        widest = std::max(widest,
                          ui.canvas.text_size(edge_text((*line.values)(c), line.decimals), role).w);
    return widest;
}

void draw_line(Ui& ui, Rect strip, const Edge& edge, VisibleSpan columns, const Line& line,
               TextRole role, bool all) {
    const auto& [area, port, focus] = edge;
    for (Index c = columns.first; c < columns.end; ++c) {
        const bool lit = focus == c;
        if (!all && !lit) continue;
        const std::string text = edge_text((*line.values)(c), line.decimals);
        const float w = ui.canvas.text_size(text, role).w;
        float left = area.x + (static_cast<float>(c) + 0.5f - port.col) * port.cell_w - w / 2;
        if (!all)
            left = std::clamp(left, area.x, std::max(area.x, area.right() - w));
        else if (left < area.x - 1 || left + w > area.right() + 1)
            continue;
        ui.canvas.text_in({left, strip.y, w, strip.h}, text, role,
                          lit ? ui.theme.ink : ui.theme.ink_soft, Align::left);
    }
}

} // namespace

void draw_glow(Ui& ui, Rect area, const HeatmapPort& port, const Glow& glow) {
    const CellBlock& b = glow.bounds;
    const Color color = glow.moved ? ui.theme.of(Stage::y) : ui.theme.focus;
    if (!(glow.largest > 0) || b.rows == 0) return;
    if (std::min(port.cell_w, port.cell_h) < ui.px(k_least_glowing)) {
        glow_around(ui, area, port, b, color);
        return;
    }
    const VisibleSpan rows = seen(port.row, port.cell_h, area.h, b.row + b.rows);
    const VisibleSpan cols = seen(port.col, port.cell_w, area.w, b.col + b.cols);
    ui.canvas.push_clip(area.inset(-ui.px(3)));
    for (Index r = std::max(rows.first, b.row); r < rows.end; ++r)
        for (Index c = std::max(cols.first, b.col); c < cols.end; ++c) {
            const double by = glow.change(r, c);
            if (by == 0) continue;
            const double share = std::isfinite(by) ? std::min(1.0, std::abs(by) / glow.largest) : 1;
            const auto t = static_cast<float>(std::sqrt(share)); // small moves are seen too
            const Rect cell = cell_rect(area, port, r, c);
            ui.canvas.stroke_rect(cell.inset(-ui.px(2)), color.with_alpha(0.45f * t), ui.px(2),
                                  ui.px(5));
            // In the gap around the cell: digits may reach its edge.
            ui.canvas.stroke_rect(cell.inset(-ui.px(1)), color.with_alpha(0.3f + 0.7f * t),
                                  ui.px(1 + t), ui.px(4));
        }
    ui.canvas.pop_clip();
}

void outline_sets(Ui& ui, Rect area, const HeatmapPort& port, const StatisticSets& sets) {
    if ((sets.by_feature() ? port.cell_w : port.cell_h) < ui.px(k_least_outlined)) return;
    const VisibleSpan down = seen(port.row, port.cell_h, area.h, sets.tokens);
    const VisibleSpan across = seen(port.col, port.cell_w, area.w, sets.features);
    ui.canvas.push_clip(area.inset(-ui.px(2.5f)));
    const Index end = sets.by_feature() || down.end == 0
                          ? across.end
                          : sets.set_of(down.end - 1, across.end - 1) + 1;
    for (Index i = sets.set_of(down.first, across.first); i < end; ++i) {
        const CellBlock b = sets.block(i);
        const Rect first =
            cell_rect(area, port, std::max(b.row, down.first), std::max(b.col, across.first));
        const Rect last = cell_rect(area, port, std::min(b.row + b.rows, down.end) - 1,
                                    std::min(b.col + b.cols, across.end) - 1);
        const Rect set{first.x, first.y, last.right() - first.x, last.bottom() - first.y};
        if (set.w > 0) // not beside what is seen of its token
            ui.canvas.stroke_rect(set.inset(-ui.px(1)), ui.theme.ink_soft.with_alpha(0.7f),
                                  ui.px(1), ui.px(3));
    }
    ui.canvas.pop_clip();
}

void numbers_beside_rows(Ui& ui, Rect strip, const Edge& n, const Vector<double>& values) {
    const TextRole role = n.port.cell_h >= ui.canvas.line_height(TextRole::number)
                              ? TextRole::number
                              : TextRole::number_small;
    const float line = ui.canvas.line_height(role);
    const bool all = n.port.cell_h >= line;
    const VisibleSpan rows = seen(n.port.row, n.port.cell_h, n.area.h, values.size());
    const int decimals = edge_decimals(values);
    for (Index r = rows.first; r < rows.end; ++r) {
        const bool lit = n.focus == r;
        if (!all && !lit) continue;
        float top =
            n.area.y + (static_cast<float>(r) + 0.5f - n.port.row) * n.port.cell_h - line / 2;
        if (!all)
            top = std::clamp(top, n.area.y, std::max(n.area.y, n.area.bottom() - line));
        else if (top < n.area.y - 1 || top + line > n.area.bottom() + 1)
            continue;
        ui.label({strip.x, top, strip.w, line}, edge_text(values(r), decimals), role,
                 lit ? ui.theme.ink : ui.theme.ink_soft, Align::right);
    }
}

void statistics_below_columns(Ui& ui, Rect symbols, Rect strip, const Edge& edge,
                              const ColumnStatistics& shown, const ColumnStatistics& beside) {
    const VisibleSpan columns =
        seen(edge.port.col, edge.port.cell_w, edge.area.w, shown.mean.size());
    const int of_mean = std::max(edge_decimals(shown.mean), edge_decimals(beside.mean));
    const int of_spread = std::max(edge_decimals(shown.spread), edge_decimals(beside.spread));
    const std::array<Line, 4> wanted{{{"μ", &shown.mean, of_mean},
                                      {shown.symbol, &shown.spread, of_spread},
                                      {"μ", &beside.mean, of_mean},
                                      {shown.symbol, &beside.spread, of_spread}}};
    std::array<Line, 4> lines = wanted;
    TextRole role = TextRole::number_small;
    bool all = false;
    const auto fit = [&](TextRole tried, float gap) {
        float widest = ui.canvas.text_size("-0.00", tried).w;
        for (const Line& line : lines)
            widest = std::max(widest, width_of(ui, columns, line, tried));
        all = widest + gap <= edge.port.cell_w;
        if (all) role = tried;
    };
    // All of them with fewer decimals rather than one of them.
    if (columns.end - columns.first <= k_measured) {
        for (int most = 4; most >= 2 && !all; --most) {
            for (Line& line : lines) line.decimals = std::min(line.decimals, most);
            for (const TextRole tried :
                 {TextRole::number, TextRole::number_small, TextRole::number_tiny})
                if (!all) fit(tried, ui.px(5)); // so that they do not run on
        }
        if (!all) fit(TextRole::number_tiny, ui.px(3));
    }
    if (!all) lines = wanted; // there is room for the one in focus
    const float line_h = strip.h / 2;
    for (const Line& line : std::span(lines).first(2)) {
        ui.label(cut_top(symbols, line_h), line.symbol, TextRole::label,
                 ui.theme.ink_of(Stage::x_hat), Align::right);
        draw_line(ui, cut_top(strip, line_h), edge, columns, line, role, all);
    }
}

double result_limit(const BatchStudy& study, NormResult which, double x_hat) {
    if (which == NormResult::x_hat) return x_hat;
    const Affine<double>& affine = study.affine();
    return x_hat * affine.gamma.cwiseAbs().maxCoeff() + affine.beta.cwiseAbs().maxCoeff();
}

float numbers_width(const Ui& ui, const Vector<double>& values) {
    const int decimals = edge_decimals(values);
    float widest = ui.canvas.text_size("-0.00", TextRole::number).w;
    for (Index i = 0; i < std::min(values.size(), k_measured); ++i)
        widest = std::max(widest,
                          ui.canvas.text_size(edge_text(values(i), decimals), TextRole::number).w);
    return std::ceil(std::min(widest, ui.px(90)) + ui.px(8));
}

} // namespace normscope
