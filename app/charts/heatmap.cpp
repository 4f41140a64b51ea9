#include "app/charts/heatmap.h"

#include "app/charts/heatmap_picture.h"
#include "app/charts/number_format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_rounded_from = 14;      // pixels: cells that are worth a gap and round corners
constexpr Index k_most_rectangles = 4000; // more cells than this are drawn as one picture

struct VisibleCells {
    Index row, col, rows, cols;
};

VisibleCells visible_cells(Rect area, const HeatmapPort& port, Index rows, Index cols) {
    const auto first_row = std::clamp<Index>(static_cast<Index>(std::floor(port.row)), 0, rows);
    const auto first_col = std::clamp<Index>(static_cast<Index>(std::floor(port.col)), 0, cols);
    const auto end_row =
        std::min(rows, static_cast<Index>(std::ceil(port.row + area.h / port.cell_h - 1e-3f)));
    const auto end_col =
        std::min(cols, static_cast<Index>(std::ceil(port.col + area.w / port.cell_w - 1e-3f)));
    return {first_row, first_col, std::max<Index>(0, end_row - first_row),
            std::max<Index>(0, end_col - first_col)};
}

float gap_of(const HeatmapPort& port) {
    const float smaller = std::min(port.cell_w, port.cell_h);
    if (smaller < k_rounded_from) return 0;
    return std::min(std::round(smaller * 0.08f), 3.0f);
}

Rect block_rect(Rect area, const HeatmapPort& port, const CellBlock& block) {
    return {area.x + (static_cast<float>(block.col) - port.col) * port.cell_w,
            area.y + (static_cast<float>(block.row) - port.row) * port.cell_h,
            static_cast<float>(block.cols) * port.cell_w,
            static_cast<float>(block.rows) * port.cell_h};
}

// Names at every k-th place so that they never touch; those in `always` first.
void draw_row_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    const VisibleCells& seen) {
    if (map.row_names.empty() || map.row_names_w <= 0) return;
    const float line_h = canvas.line_height(TextRole::label);
    const TextRole role = map.port.cell_h >= line_h ? TextRole::label : TextRole::small;
    const auto stride =
        static_cast<Index>(std::max(1.0f, std::ceil(canvas.line_height(role) / map.port.cell_h)));
    const float width = map.row_names_w - 6 * canvas.scale();
    canvas.push_clip({area.x - map.row_names_w, area.y, map.row_names_w, area.h});
    const auto draw = [&](Index row, bool marked) {
        const Rect cell = block_rect(area, map.port, {row, 0, 1, 1});
        const std::string& name = map.row_names[static_cast<std::size_t>(row)];
        const TextRole used = marked && role == TextRole::label ? TextRole::title : role;
        canvas.text_in({area.x - map.row_names_w, cell.y, width, map.port.cell_h},
                       canvas.elide(name, used, width), used, marked ? theme.ink : theme.ink_soft,
                       Align::left);
    };
    const auto marked = map.marks.row_name;
    for (Index row = seen.row; row < seen.row + seen.rows; ++row) {
        const bool near_marked = marked && row != *marked && std::abs(row - *marked) < stride;
        if (row == marked)
            draw(row, true);
        else if (row % stride == 0 && !near_marked)
            draw(row, false);
    }
    canvas.pop_clip();
}

void draw_col_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    const VisibleCells& seen) {
    if (map.col_names.empty() || map.col_names_h <= 0) return;
    float widest = 0;
    const Index looked_at = std::min<Index>(seen.cols, 64);
    for (Index i = 0; i < looked_at; ++i)
        widest = std::max(
            widest,
            canvas
                .text_size(
                    map.col_names[static_cast<std::size_t>(seen.col + i * seen.cols / looked_at)],
                    TextRole::small)
                .w);
    widest = std::min(widest, 90 * canvas.scale());
    const float room = widest + 5 * canvas.scale();
    const auto stride = static_cast<Index>(std::max(1.0f, std::ceil(room / map.port.cell_w)));
    const auto draw = [&](Index col, bool marked) {
        const Rect cell = block_rect(area, map.port, {0, col, 1, 1});
        const float w = std::max(map.port.cell_w, room) - 2 * canvas.scale();
        const std::string text =
            canvas.elide(map.col_names[static_cast<std::size_t>(col)], TextRole::small, w);
        const float half = canvas.text_size(text, TextRole::small).w / 2;
        if (area.w < 2 * half) return;
        const float x = std::clamp(cell.center().x, area.x + half, area.right() - half);
        canvas.text_in({x - half - 1, area.y - map.col_names_h, 2 * half + 2, map.col_names_h},
                       text, TextRole::small, marked ? theme.ink : theme.ink_soft);
    };
    const auto marked = map.marks.col_name;
    // Names at the ends are moved inside, so a neighbour may need one place more.
    const Index apart = stride > 1 ? stride + 1 : stride;
    for (Index col = seen.col; col < seen.col + seen.cols; ++col) {
        const bool near_marked = marked && col != *marked && std::abs(col - *marked) < apart;
        if (col == marked)
            draw(col, true);
        else if (col % stride == 0 && !near_marked)
            draw(col, false);
    }
}

void draw_cells(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                const VisibleCells& seen) {
    const float gap = gap_of(map.port);
    const float rounding = gap > 0 ? 3 * canvas.scale() : 0;
    for (Index row = seen.row; row < seen.row + seen.rows; ++row) {
        for (Index col = seen.col; col < seen.col + seen.cols; ++col) {
            const double value = map.values(row, col);
            Color fill = heat_color(theme, value, map.limit);
            Color ink = ink_on(fill);
            if (map.marks.lit && !map.marks.lit->contains(row, col)) {
                fill = mix(fill, theme.panel, 0.8f);
                ink = mix(theme.ink, theme.panel, 0.6f);
            }
            const Rect r = cell_rect(area, map.port, row, col);
            canvas.fill_rect(r, fill, rounding);
            if (map.format.decimals >= 0)
                canvas.text_in(r, cell_text(value, map.format.decimals), map.format.role, ink);
        }
    }
}

void draw_marks(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map) {
    const float gap = gap_of(map.port);
    const float s = canvas.scale();
    const auto outline = [&](const CellBlock& block, Color color, float width) {
        Rect r = block_rect(area, map.port, block);
        r = {r.x + gap / 2, r.y + gap / 2, r.w - gap, r.h - gap};
        const float rounding = gap > 0 ? 3 * s : 0;
        canvas.stroke_rect(r, color, width, rounding);
    };
    for (const CellBlock& block : map.marks.outlined) outline(block, theme.ink, 1.5f * s);
    if (map.marks.selected) outline(*map.marks.selected, theme.focus, 2 * s);
    if (map.marks.strong) outline(*map.marks.strong, theme.ink, 2.5f * s);
}

} // namespace

HeatmapPort fit_port(Rect area, Index rows, Index cols, Size most) {
    HeatmapPort port;
    port.cell_w = std::min(most.w, area.w / static_cast<float>(std::max<Index>(cols, 1)));
    port.cell_h = std::min(most.h, area.h / static_cast<float>(std::max<Index>(rows, 1)));
    port.cell_w = std::max(port.cell_w, 1e-3f);
    port.cell_h = std::max(port.cell_h, 1e-3f);
    return port;
}

Rect cell_rect(Rect area, const HeatmapPort& port, Index row, Index col) {
    const Rect r = block_rect(area, port, {row, col, 1, 1});
    const float gap = gap_of(port);
    return {r.x + gap / 2, r.y + gap / 2, r.w - gap, r.h - gap};
}

std::optional<HeatmapCell> cell_at(Rect area, const HeatmapPort& port, Index rows, Index cols,
                                   Point p) {
    if (!area.contains(p)) return std::nullopt;
    const auto row = static_cast<Index>(std::floor((p.y - area.y) / port.cell_h + port.row));
    const auto col = static_cast<Index>(std::floor((p.x - area.x) / port.cell_w + port.col));
    if (row < 0 || col < 0 || row >= rows || col >= cols) return std::nullopt;
    return HeatmapCell{row, col};
}

CellFormat choose_cell_format(const Canvas& canvas, Rect area, const HeatmapPort& port,
                              const MatrixView& values) {
    const VisibleCells seen = visible_cells(area, port, values.rows(), values.cols());
    if (seen.rows * seen.cols > k_most_rectangles) return {TextRole::number_tiny, -1};
    constexpr std::array<TextRole, 3> k_roles = {TextRole::number, TextRole::number_small,
                                                 TextRole::number_tiny};
    const float padding = 3 * canvas.scale();
    const float gap = gap_of(port);
    for (int decimals = 2; decimals >= 0; --decimals) {
        // The widest text decides; digits all have one width, so its length is enough.
        std::string widest;
        std::size_t most = 0;
        for (Index r = seen.row; r < seen.row + seen.rows; ++r)
            for (Index c = seen.col; c < seen.col + seen.cols; ++c) {
                std::string text = cell_text(values(r, c), decimals);
                if (text.size() > most) {
                    most = text.size();
                    widest = std::move(text);
                }
            }
        for (const TextRole role : k_roles) {
            const Size size = canvas.text_size(widest, role);
            if (size.w <= port.cell_w - gap - padding && size.h <= port.cell_h - gap + padding)
                return {role, decimals};
        }
    }
    return {TextRole::number_tiny, -1};
}

void draw_heatmap(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                  HeatmapPicture& picture) {
    if (map.values.empty() || area.w < 1 || area.h < 1) return;
    const VisibleCells seen = visible_cells(area, map.port, map.values.rows(), map.values.cols());
    draw_row_names(canvas, theme, area, map, seen);
    draw_col_names(canvas, theme, area, map, seen);
    canvas.push_clip(area);
    if (seen.rows * seen.cols <= k_most_rectangles)
        draw_cells(canvas, theme, area, map, seen);
    else
        draw_heatmap_picture(canvas, theme, area, map, picture);
    draw_marks(canvas, theme, area, map);
    canvas.pop_clip();
}

void draw_overview(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map, Rect map_area,
                   HeatmapPicture& picture) {
    Heatmap whole = map;
    whole.port = {0, 0, area.w / static_cast<float>(map.values.cols()),
                  area.h / static_cast<float>(map.values.rows())};
    whole.id = map.id + 64; // another picture than the map's own
    canvas.fill_rect(area.inset(-2 * canvas.scale()), theme.panel, 2 * canvas.scale());
    canvas.push_clip(area);
    draw_heatmap_picture(canvas, theme, area, whole, picture);
    canvas.pop_clip();
    canvas.stroke_rect(area.inset(-canvas.scale()), theme.border, canvas.scale());
    const Rect seen{area.x + map.port.col * whole.port.cell_w,
                    area.y + map.port.row * whole.port.cell_h,
                    map_area.w / map.port.cell_w * whole.port.cell_w,
                    map_area.h / map.port.cell_h * whole.port.cell_h};
    const float right = std::min(seen.right(), area.right());
    const float bottom = std::min(seen.bottom(), area.bottom());
    canvas.stroke_rect({seen.x, seen.y, right - seen.x, bottom - seen.y}, theme.focus,
                       2 * canvas.scale());
}

std::string cell_text(double value, int decimals) {
    if (std::isfinite(value) && std::abs(value) >= 1e5) return scientific_text(value, 0);
    return fixed_text(value, decimals);
}

double common_limit(std::span<const double> largest_magnitudes) {
    double largest = 0;
    for (const double v : largest_magnitudes)
        if (std::isfinite(v)) largest = std::max(largest, v);
    if (largest <= 0) return 1;
    const double decade = std::pow(10.0, std::floor(std::log10(largest)));
    for (const double step : {1.0, 2.0, 5.0})
        if (largest <= step * decade * (1 + 1e-9)) return step * decade;
    return 10 * decade;
}

} // namespace normscope
