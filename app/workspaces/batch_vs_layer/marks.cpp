#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_least_outlined = 12; // of a cell
constexpr float k_least_glowing = 6;
constexpr Index k_measured = 64; // of many numbers, the width of so many is looked at

// However thin a row or column of tiny cells is, its rim is wide enough to be seen.
void glow_around(Ui& ui, Rect area, const HeatmapPort& port, const CellBlock& block, Color color) {
    const Rect moved = cells_rect(area, port, block);
    ui.canvas.push_clip(area.inset(-6));
    ui.canvas.stroke_rect(moved.inset(-6), color.with_alpha(0.35f), 3, 6);
    ui.canvas.stroke_rect(moved.inset(-4), color, 2, 4);
    ui.canvas.pop_clip();
}

constexpr float k_edge_gap = 5;                          // before a number beside a row
constexpr double k_least_fixed = 0.001;                  // smaller ones are written as 2.5e-5
constexpr std::string_view k_longest_number = "8888888"; // sign and point are no wider

// As many decimals for all as leave the smallest two digits: a σ² of 0.00 is none to compute with.
int edge_decimals(const Vector<double>& values) {
    double least = 1;
    for (const double v : values)
        if (std::abs(v) >= k_least_fixed) least = std::min(least, std::abs(v));
    return least >= 0.1 ? 2 : least >= 0.01 ? 3 : 4;
}

int edge_decimals(const Vector<double>& values, const Vector<double>& beside) {
    return std::max(edge_decimals(values), edge_decimals(beside));
}

// A number that would be too long has fewer decimals, or is a power of ten: 12345.67 is 12345.7.
std::string edge_text(double value, int decimals) {
    const bool tiny = value != 0 && std::abs(value) < k_least_fixed;
    const CellFormat wanted{.decimals = tiny ? 2 : decimals, .scientific = tiny};
    for (CellFormat format = wanted; format.decimals > 0; --format.decimals)
        if (const std::string text = cell_text(value, format);
            count_characters(text) <= k_longest_number.size())
            return text;
    return cell_text(value, {.decimals = 0, .scientific = tiny});
}

// Numbers under columns, a line of them.
struct Line {
    std::string_view symbol;
    const Vector<double>* values;
    int decimals;
};

// The width of the widest number, or of one of many; "−0.00" at least.
float width_of(const Ui& ui, VisibleSpan columns, const Line& line, TextRole role) {
    float widest = ui.text_width("−0.00", role);
    for (Index c = columns.first; c < std::min(columns.end, columns.first + k_measured); ++c)
        widest = std::max(widest, ui.text_width(edge_text((*line.values)(c), line.decimals), role));
    return widest;
}

// The place where a number as long as `own` begins, beside the middle of its cell; none: it would
// reach beyond the cells. One that stands alone is moved to them.
std::optional<float> begins_at(const CellAxis& cells, Index i, float own, bool alone) {
    const float middle = cells.middle(i), end = cells.start + cells.length;
    if (alone) return moved_within(middle, own / 2, cells.start, end) - own / 2;
    const float at = middle - own / 2;
    return at < cells.start - 1 || at + own > end + 1 ? std::nullopt : std::optional(at);
}

// In this role, or without one only the number in focus.
void draw_line(Ui& ui, Rect strip, const Edge& edge, VisibleSpan columns, const Line& line,
               std::optional<TextRole> all) {
    const TextRole role = all.value_or(TextRole::number_small);
    for (Index c = columns.first; c < columns.end; ++c) {
        const bool lit = edge.focus == c;
        if (!all && !lit) continue;
        const std::string text = edge_text((*line.values)(c), line.decimals);
        const float w = ui.text_width(text, role);
        if (const auto left = begins_at(edge.cells, c, w, !all))
            ui.canvas.text_in({*left, strip.y, w, strip.h}, text, role,
                              lit ? ui.theme.ink : ui.theme.ink_soft, Align::left);
    }
}

} // namespace

void draw_glow(Ui& ui, Rect area, const HeatmapPort& port, const Glow& glow) {
    const CellBlock& b = glow.bounds;
    const Color color = glow.moved ? ui.theme.of(Stage::y) : ui.theme.focus;
    if (!(glow.largest > 0) || b.rows == 0) return;
    if (std::min(port.cell_w, port.cell_h) < k_least_glowing)
        return glow_around(ui, area, port, b, color);
    const VisibleSpan rows = down_axis(area, port).seen(b.row + b.rows);
    const VisibleSpan cols = across_axis(area, port).seen(b.col + b.cols);
    ui.canvas.push_clip(area.inset(-3));
    for (Index r = std::max(rows.first, b.row); r < rows.end; ++r)
        for (Index c = std::max(cols.first, b.col); c < cols.end; ++c) {
            const double by = glow.change(r, c);
            if (by == 0) continue;
            const double share = std::isfinite(by) ? std::min(1.0, std::abs(by) / glow.largest) : 1;
            const auto t = static_cast<float>(std::sqrt(share)); // small moves are seen too
            const Rect cell = cell_rect(area, port, r, c);
            ui.canvas.stroke_rect(cell.inset(-2), color.with_alpha(0.45f * t), 2, 5);
            // In the gap around the cell: digits may reach its edge.
            ui.canvas.stroke_rect(cell.inset(-1), color.with_alpha(0.3f + 0.7f * t), 1 + t, 4);
        }
    ui.canvas.pop_clip();
}

bool shows_old_values(const Heatmap& map) {
    return map.format.decimals >= 0 && map.port.cell_h >= 48;
}

void draw_old_values(Ui& ui, Rect area, const Heatmap& map, const Moved& moved) {
    const float line = ui.canvas.line_height(TextRole::number_narrow);
    if (!shows_old_values(map)) return;
    const CellBlock& b = moved.bounds;
    const VisibleSpan rows = down_axis(area, map.port).seen(b.row + b.rows);
    const VisibleSpan cols = across_axis(area, map.port).seen(b.col + b.cols);
    for (Index r = std::max(rows.first, b.row); r < rows.end; ++r)
        for (Index c = std::max(cols.first, b.col); c < cols.end; ++c) {
            const double now = map.values(r, c);
            const std::string old = cell_text(now - moved.change(r, c), map.format);
            if (old == cell_text(now, map.format)) continue;
            const Rect cell = cell_rect(area, map.port, r, c);
            if (!area.encloses(cell) || ui.text_width(old, TextRole::number_narrow) > cell.w)
                continue;
            const Color ink = ink_on(heat_color(ui.theme, now, map.limit));
            ui.canvas.text_in({cell.x, cell.bottom() - line - 3, cell.w, line}, old,
                              TextRole::number_narrow, ink.with_alpha(0.75f), Align::center);
        }
}

void draw_band(Ui& ui, Rect area, const HeatmapPort& port, const CellBlock& set, const Cell& from,
               float way) {
    const Rect a = cell_rect(area, port, from.token, from.feature);
    const Rect b = cells_rect(area, port, set);
    const float t = eased(way);
    const float x = std::lerp(a.x, b.x, t), y = std::lerp(a.y, b.y, t);
    const Rect band{x, y, std::lerp(a.right(), b.right(), t) - x,
                    std::lerp(a.bottom(), b.bottom(), t) - y};
    ui.canvas.push_clip(area.inset(-6));
    ui.canvas.stroke_rect(band.inset(-4), ui.theme.focus, 2.5f, 6);
    ui.canvas.pop_clip();
}

void outline_sets(Ui& ui, Rect area, const HeatmapPort& port, const StatisticSets& sets) {
    if ((sets.by_feature() ? port.cell_w : port.cell_h) < k_least_outlined) return;
    const VisibleSpan down = down_axis(area, port).seen(sets.tokens);
    const VisibleSpan across = across_axis(area, port).seen(sets.features);
    ui.canvas.push_clip(area.inset(-2.5f));
    const Index end = sets.by_feature() || down.end == 0
                          ? across.end
                          : sets.set_of(down.end - 1, across.end - 1) + 1;
    for (Index i = sets.set_of(down.first, across.first); i < end; ++i) {
        const CellBlock b = sets.block(i);
        const Index row = std::max(b.row, down.first), col = std::max(b.col, across.first);
        const CellBlock shown{row, col, std::min(b.row + b.rows, down.end) - row,
                              std::min(b.col + b.cols, across.end) - col};
        if (shown.cols > 0) // not beside what is seen of its token
            ui.canvas.stroke_rect(cells_rect(area, port, shown).inset(-1),
                                  ui.theme.ink_soft.with_alpha(0.7f), 1, 3);
    }
    ui.canvas.pop_clip();
}

void numbers_beside_rows(Ui& ui, Rect strip, const Edge& edge, const Vector<double>& values,
                         const Vector<double>& beside) {
    const float cell = edge.cells.cell;
    const VisibleSpan rows = edge.cells.seen(values.size());
    const int decimals = edge_decimals(values, beside);
    TextRole role =
        cell >= ui.canvas.line_height(edge.largest) ? edge.largest : TextRole::number_small;
    const auto fits = [&](const Vector<double>& of) {
        return width_of(ui, rows, {{}, &of, decimals}, role) + k_edge_gap <= strip.w;
    };
    for (const TextRole smaller : {TextRole::number_large, TextRole::number, TextRole::number_small,
                                   TextRole::number_narrow})
        if (smaller > role && !(fits(values) && fits(beside))) role = smaller;
    const float line = ui.canvas.line_height(role);
    const bool all = cell >= line;
    for (Index r = rows.first; r < rows.end; ++r) {
        const bool lit = edge.focus == r;
        if (!all && !lit) continue;
        if (const auto top = begins_at(edge.cells, r, line, !all))
            ui.label({strip.x, *top, strip.w, line}, edge_text(values(r), decimals), role,
                     lit ? ui.theme.ink : ui.theme.ink_soft, Align::right);
    }
}

void statistics_of_groups(Ui& ui, Rect strip, const CellAxis& rows, const Cell& focus,
                          const GroupStatistics& shown) {
    const StatisticSets& sets = shown.sets;
    const float line = ui.canvas.line_height(TextRole::number_small);
    const bool all = rows.cell >= line * static_cast<float>(sets.groups);
    const Index lit_group = sets.set_of(0, focus.feature);
    const int decimals = edge_decimals(shown.mean, shown.scale);
    const VisibleSpan seen = rows.seen(sets.tokens);
    for (Index r = seen.first; r < seen.end; ++r)
        for (const auto g : indices(sets.groups)) {
            const bool lit = r == focus.token && g == lit_group;
            if (!all && (rows.cell >= line ? g != lit_group : !lit)) continue;
            const float below =
                all ? static_cast<float>(g) - static_cast<float>(sets.groups - 1) / 2 : 0;
            const float y = rows.middle(r) + (below - 0.5f) * line;
            if (y < rows.start - 1 || y + line > rows.start + rows.length + 1) continue;
            const Index set = sets.set_of(r, 0) + g;
            const CellBlock block = sets.block(set);
            const std::string& first = entry_at(shown.features, block.col);
            const std::string& last = entry_at(shown.features, block.col + block.cols - 1);
            const Color ink = lit ? ui.theme.ink : ui.theme.ink_soft;
            Rect at{strip.x, y, strip.w, line};
            cut_left(at, 8);
            ui.label(cut_left(at, k_group_name_w - 8),
                     Text::typed(block.cols == 1 ? first : first + "–" + last), TextRole::small,
                     ink);
            ui.label(cut_left(at, at.w / 2), edge_text(shown.mean(set), decimals),
                     TextRole::number_small, ink, Align::right);
            ui.label(at, edge_text(shown.scale(set), decimals), TextRole::number_small, ink,
                     Align::right);
        }
}

void statistics_below_columns(Ui& ui, Rect symbols, Rect strip, const Edge& edge,
                              const ColumnStatistics& shown, const ColumnStatistics& beside) {
    const VisibleSpan columns = edge.cells.seen(shown.mean.size());
    const int of_mean = edge_decimals(shown.mean, beside.mean);
    const int of_spread = edge_decimals(shown.spread, beside.spread);
    const std::array<Line, 4> wanted{{{"μ", &shown.mean, of_mean},
                                      {shown.symbol, &shown.spread, of_spread},
                                      {"μ", &beside.mean, of_mean},
                                      {shown.symbol, &beside.spread, of_spread}}};
    std::array<Line, 4> lines = wanted;
    std::optional<TextRole> role; // in which all of them have room
    const auto fits = [&](TextRole tried, float gap) {
        return std::ranges::all_of(lines, [&](const Line& line) {
            return width_of(ui, columns, line, tried) + gap <= edge.cells.cell;
        });
    };
    // All of them with fewer decimals rather than one of them.
    if (columns.end - columns.first <= k_measured) {
        for (int most = 4; most >= 2 && !role; --most) {
            for (Line& line : lines) line.decimals = std::min(line.decimals, most);
            for (const TextRole tried :
                 {TextRole::number, TextRole::number_small, TextRole::number_narrow})
                if (!role && fits(tried, 5)) role = tried; // so that they do not run on
        }
        if (!role && fits(TextRole::number_narrow, 3)) role = TextRole::number_narrow;
    }
    if (!role) lines = wanted; // there is room for the one in focus
    const float line_h = strip.h / 2;
    for (const Line& line : std::span(lines).first(2)) {
        ui.label(cut_top(symbols, line_h), line.symbol, TextRole::label,
                 ui.theme.ink_of(Stage::x_hat), Align::right);
        draw_line(ui, cut_top(strip, line_h), edge, columns, line, role);
    }
}

double result_limit(const BatchStudy& study, NormResult which, double x_hat) {
    if (which == NormResult::x_hat) return x_hat;
    const Affine<double>& affine = study.affine();
    return x_hat * affine.gamma.cwiseAbs().maxCoeff() + affine.beta.cwiseAbs().maxCoeff();
}

float numbers_width(const Ui& ui) {
    const float usual = ui.text_width("−0.00", TextRole::number) + 8;
    const float longest = ui.text_width(k_longest_number, TextRole::number_narrow) + k_edge_gap;
    return std::ceil(std::max(usual, longest));
}

} // namespace normscope
