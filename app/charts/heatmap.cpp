#include "app/charts/heatmap.h"

#include "app/charts/number_format.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_rounded_from = 14;      // cells of this size are worth a gap and round corners
constexpr Index k_most_rectangles = 4000; // more cells than this are drawn as one picture
constexpr float k_least_rectangle = 2;    // so are cells smaller than this
constexpr double k_scientific_from =
    1e5;                               // digits of larger numbers tell less than their power of ten
constexpr double k_large = 99.5;       // a value with three digits before the point
constexpr double k_small_values = 0.3; // largest values below it have a digit more than 0.31
constexpr double k_tiny = 0.02;        // largest values below it have one digit of 0.01
constexpr Index k_large_share = 8;     // such values are few where they are at most an eighth
constexpr float k_mark_room = 2.5f;    // room around the area that outlines may use
constexpr float k_filled = 0.8f;       // of a cell's width by its number
constexpr float k_faded = 0.8f;        // how far what is not lit steps back to the panel
constexpr float k_faded_ink = 0.25f;   // its digits less, so that they can be read

// The roles of digits, the largest first; each takes less width than the one before.
constexpr std::array k_digit_roles = {TextRole::number_huge, TextRole::number_large,
                                      TextRole::name_large, TextRole::number,
                                      TextRole::number_narrow};

struct VisibleCells {
    VisibleSpan rows, cols;

    Index count() const { return (rows.end - rows.first) * (cols.end - cols.first); }
    template<class Visit>
    void each(Visit&& visit) const {
        for (Index row = rows.first; row < rows.end; ++row)
            for (Index col = cols.first; col < cols.end; ++col) visit(row, col);
    }
};

VisibleCells visible_cells(Rect area, const HeatmapPort& port, const MatrixView& values) {
    return {down_axis(area, port).seen(values.rows()), across_axis(area, port).seen(values.cols())};
}

// The nearest place between two pixels.
float whole(float at, const HeatmapPort& port) {
    return std::round(at * port.scale) / port.scale;
}

float gap_of(const HeatmapPort& port) {
    const float smaller = std::min(port.cell_w, port.cell_h);
    if (smaller < k_rounded_from) return 0;
    return whole(std::clamp(smaller * 0.06f, 1.0f, 4.0f), port);
}

// On whole pixels, so that all gaps are equally wide; a block thinner than a pixel keeps one.
struct WholePixels {
    float from, length;
};
WholePixels whole_pixels(const CellAxis& axis, const HeatmapPort& port, Index first, Index cells) {
    const float start = axis.start + (static_cast<float>(first) - axis.first) * axis.cell;
    const float from = whole(start, port);
    const float to = whole(start + static_cast<float>(cells) * axis.cell, port);
    return {from, std::max(cells > 0 ? 1 / port.scale : 0, to - from)};
}

Rect block_rect(Rect area, const HeatmapPort& port, const CellBlock& block) {
    const auto [x, w] = whole_pixels(across_axis(area, port), port, block.col, block.cols);
    const auto [y, h] = whole_pixels(down_axis(area, port), port, block.row, block.rows);
    return {x, y, w, h};
}

Rect without_gap(Rect r, const HeatmapPort& port) {
    const float gap = gap_of(port);
    const float before = std::floor(gap * port.scale / 2) / port.scale;
    return {r.x + before, r.y + before, std::max(0.0f, r.w - gap), std::max(0.0f, r.h - gap)};
}

bool draws_rectangles(const HeatmapPort& port, const VisibleCells& seen) {
    return seen.count() <= k_most_rectangles &&
           std::min(port.cell_w, port.cell_h) >= k_least_rectangle;
}

// The lowest of the cells, on whole pixels, has room for a line.
bool is_high_enough(const Canvas& canvas, TextRole role, const HeatmapPort& port) {
    return canvas.line_height(role) * port.scale <= std::floor(port.cell_h * port.scale);
}

struct CellDigits {
    std::string text;
    float w;
};

// How many characters the longest texts of some values have.
struct LongestTexts {
    std::size_t positive = 0, negative = 0;
};

// The width they take at most. A sans writes points and signs narrower than digits.
float widest_text(const Canvas& canvas, LongestTexts longest, int decimals, TextRole role) {
    const char widest = std::ranges::max(std::string_view("0123456789"), {}, [&](char digit) {
        return canvas.text_size(std::string_view(&digit, 1), role).w;
    });
    const auto width = [&](std::size_t chars, std::string_view sign) {
        if (chars == 0) return 0.0f;
        const std::size_t signs = (sign.empty() ? 0 : 1) + (decimals > 0 ? 1 : 0);
        std::string text(sign);
        if (decimals > 0) text += '.';
        text.append(chars - std::min(chars, signs), widest);
        return canvas.text_size(text, role).w;
    };
    return std::max(width(longest.positive, ""), width(longest.negative, k_minus));
}

// In the map's format, or with fewer digits where that is wider than the cell.
CellDigits digits_that_fit(const Canvas& canvas, double value, const CellFormat& format,
                           float room) {
    const auto measured = [&](std::string text) {
        const float w = canvas.text_size(text, format.role).w;
        return CellDigits{std::move(text), w};
    };
    CellFormat tried = format;
    CellDigits digits = measured(cell_text(value, tried));
    while (digits.w > room && tried.decimals > 0) {
        --tried.decimals;
        digits = measured(cell_text(value, tried));
    }
    if (digits.w > room && std::isfinite(value) && std::abs(value) >= k_large)
        digits = measured(scientific_text(value, 0));
    return digits;
}

bool beyond(double value, double limit) {
    return limit > 0 && std::abs(value) > limit * (1 + 1e-9);
}

// A corner of a cell whose value is larger than the full colour says.
void mark_beyond(Canvas& canvas, Rect cell, Color ink) {
    const float side = std::min({7.0f, cell.w / 4, cell.h / 4});
    canvas.fill_triangle({cell.right() - side, cell.y}, {cell.right(), cell.y},
                         {cell.right(), cell.y + side}, ink);
}

void draw_cells(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                const VisibleCells& seen) {
    const float rounding = gap_of(map.port) > 0 ? 3 : 0;
    const float line = canvas.line_height(map.format.role);
    seen.each([&](Index row, Index col) {
        const double value = map.values(row, col);
        Color fill = heat_color(theme, value, map.limit);
        const bool faded = map.marks.lit && !map.marks.lit->contains(row, col);
        const Color ink = faded ? mix(theme.ink, theme.panel, k_faded_ink) : ink_on(fill);
        if (faded) fill = mix(fill, theme.panel, k_faded);
        const Rect r = cell_rect(area, map.port, row, col);
        canvas.fill_rect(r, fill, rounding);
        if (std::isfinite(value) && beyond(value, map.limit)) mark_beyond(canvas, r, ink);
        if (map.format.decimals < 0) return;
        // A cell that is cut off at the edge shows its digits whole or not at all.
        const auto [text, w] = digits_that_fit(canvas, value, map.format, map.port.cell_w);
        if (w > map.port.cell_w + 1) return; // they would lie over the next cell's
        const Point middle = r.center();
        if (middle.x - w / 2 < area.x - 1 || middle.x + w / 2 > area.right() + 1 ||
            middle.y - line / 2 < area.y - 2 || middle.y + line / 2 > area.bottom() + 2)
            return;
        const Rect under =
            map.covered.shared_with({middle.x - w / 2, middle.y - line / 2, w, line});
        if (under.w > 0 && under.h > 0) return;
        canvas.text({middle.x - w / 2, r.y + (r.h - line) / 2}, text, map.format.role, ink);
    });
}

// Everything but the lit block, covered by the panel's colour.
void fade_picture(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map) {
    const Color veil = theme.panel.with_alpha(k_faded);
    const Rect all =
        area.shared_with(block_rect(area, map.port, {0, 0, map.values.rows(), map.values.cols()}));
    const Rect lit = all.shared_with(block_rect(area, map.port, *map.marks.lit));
    if (lit.w <= 0 || lit.h <= 0) {
        canvas.fill_rect(all, veil);
        return;
    }
    canvas.fill_rect({all.x, all.y, all.w, lit.y - all.y}, veil);
    canvas.fill_rect({all.x, lit.bottom(), all.w, all.bottom() - lit.bottom()}, veil);
    canvas.fill_rect({all.x, lit.y, lit.x - all.x, lit.h}, veil);
    canvas.fill_rect({lit.right(), lit.y, all.right() - lit.right(), lit.h}, veil);
}

// Outlines lie around the cells, in the gap and over their neighbours' rim, never over digits.
void draw_marks(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map) {
    const float rounding = gap_of(map.port) > 0 ? 3 : 0;
    const Rect room = area.inset(-k_mark_room); // what sticks out of it is closed at its edge
    const auto outline = [&](const CellBlock& block, Color color, float width) {
        const Rect cells = cells_rect(area, map.port, block);
        const Rect r = cells.inset(-width).shared_with(room);
        const Rect seen = cells.shared_with(area);
        if (seen.w <= 0 || seen.h <= 0) return;
        canvas.stroke_rect(r, color, width, rounding);
        // An outline whose colour is lost on the cells gets a second line in their text's colour.
        if (contrast_ratio(color, theme.heat_mid) < 2)
            canvas.stroke_rect(r.inset(width), ink_on(theme.heat_mid), 1, rounding);
    };
    for (const CellBlock& block : map.marks.outlined) outline(block, theme.ink, 1.5f);
    if (map.marks.selected) outline(*map.marks.selected, theme.focus, 2);
    if (map.marks.strong) outline(*map.marks.strong, theme.ink, 2.5f);
}

} // namespace

CellAxis down_axis(Rect area, const HeatmapPort& port) {
    return {area.y, area.h, port.row, port.cell_h};
}

CellAxis across_axis(Rect area, const HeatmapPort& port) {
    return {area.x, area.w, port.col, port.cell_w};
}

HeatmapPort fit_port(Rect area, Index rows, Index cols, Size most, float scale) {
    HeatmapPort port{.scale = scale};
    port.cell_w = std::min(most.w, area.w / static_cast<float>(std::max<Index>(cols, 1)));
    port.cell_h = std::min(most.h, area.h / static_cast<float>(std::max<Index>(rows, 1)));
    port.cell_w = std::max(port.cell_w, 1e-3f);
    port.cell_h = std::max(port.cell_h, 1e-3f);
    return port;
}

Rect overview_place(Rect area, Size size, float margin, const HeatmapPort& port,
                    const std::optional<CellBlock>& cell, Point mouse) {
    Rect place{area.right() - size.w - margin, area.bottom() - size.h - margin, size.w, size.h};
    const Rect kept_clear = place.inset(-margin);
    if (kept_clear.inset(-margin).contains(mouse) ||
        (cell && kept_clear.overlaps(block_rect(area, port, *cell))))
        place.x = area.x + margin;
    return place;
}

VisibleSpan CellAxis::seen(Index count) const {
    const auto from = std::clamp<Index>(static_cast<Index>(std::floor(first)), 0, count);
    const auto end = static_cast<Index>(std::ceil(first + length / cell - 1e-3f));
    return {from, std::max(from, std::min(count, end))};
}

Rect first_cell(Rect area, const HeatmapPort& port) {
    const CellAxis across = across_axis(area, port), down = down_axis(area, port);
    return {across.start - across.first * across.cell, down.start - down.first * down.cell,
            across.cell, down.cell};
}

Rect cell_rect(Rect area, const HeatmapPort& port, Index row, Index col) {
    return cells_rect(area, port, {row, col, 1, 1});
}

Rect cells_rect(Rect area, const HeatmapPort& port, const CellBlock& block) {
    return without_gap(block_rect(area, port, block), port);
}

std::optional<HeatmapCell> cell_at(Rect area, const HeatmapPort& port, Index rows, Index cols,
                                   Point p) {
    if (!area.contains(p)) return std::nullopt;
    const Index row = down_axis(area, port).cell_at(p.y);
    const Index col = across_axis(area, port).cell_at(p.x);
    if (row < 0 || col < 0 || row >= rows || col >= cols) return std::nullopt;
    return HeatmapCell{row, col};
}

CellFormat choose_cell_format(const Canvas& canvas, Rect area, const HeatmapPort& port,
                              const MatrixView& values, int finest) {
    constexpr double k_left_out = 0.05; // of the largest value, by whole numbers
    const CellFormat none{TextRole::number_narrow, -1};
    const VisibleCells seen = visible_cells(area, port, values);
    if (!draws_rectangles(port, seen) || !is_high_enough(canvas, none.role, port)) return none;

    double largest = 0;
    double rest = 0; // the most that whole numbers leave out
    Index large = 0;
    bool has_nan = false;                // whose letters are wider than digits
    std::array<LongestTexts, 5> longest; // by decimals
    seen.each([&](Index row, Index col) {
        const double v = values(row, col);
        has_nan = has_nan || std::isnan(v);
        if (!std::isfinite(v)) return;
        largest = std::max(largest, std::abs(v));
        rest = std::max(rest, std::abs(v - std::round(v)));
        large += std::abs(v) >= k_large;
    });
    // A few large values are written with fewer digits; their neighbours keep theirs.
    const bool few_large = large * k_large_share <= seen.count();
    // Powers of ten say more of values that would all read 0.00 or 0.01.
    const bool scientific = largest > 0 && largest < k_tiny;
    // Values of this size have two digits that count.
    const auto tells_apart = [&](int decimals) {
        return largest < k_small_values && largest >= 2 * std::pow(10.0, -decimals);
    };
    constexpr std::array k_half_digit = {0.5, 0.05, 0.005, 5e-4, 5e-5}; // of the last, by decimals
    seen.each([&](Index row, Index col) {
        const double v = values(row, col);
        if (few_large && std::isfinite(v) && std::abs(v) >= k_large) return;
        for (int d = 0; d <= finest; ++d) {
            const auto by_decimals = static_cast<std::size_t>(d);
            LongestTexts& texts = longest[by_decimals];
            const bool below_zero = v <= -k_half_digit[by_decimals]; // not written 0.00
            std::size_t& chars = below_zero ? texts.negative : texts.positive;
            chars = std::max(
                chars, count_characters(cell_text(v, {TextRole::number, d, scientific && d <= 2})));
        }
    });
    // 0.31 as 0 would be wrong: rather none than such digits.
    const int least = scientific || rest <= k_left_out * largest ? 0 : 1;
    // The first decimals and role whose numbers take so much of a cell at most.
    const auto chosen = [&](float most_w,
                            std::span<const TextRole> roles) -> std::optional<CellFormat> {
        for (int decimals = finest; decimals >= least; --decimals) {
            if (decimals > 2 && !tells_apart(decimals)) continue;
            for (const TextRole role : roles)
                // A line is higher than its digits, so it may fill the cell.
                if (is_high_enough(canvas, role, port) &&
                    (!has_nan || canvas.text_size("NaN", role).w <= most_w) &&
                    widest_text(canvas, entry_at(longest, decimals), decimals, role) <= most_w)
                    return CellFormat{role, decimals, scientific && decimals <= 2};
        }
        return std::nullopt;
    };
    if (const auto airy = chosen(k_filled * port.cell_w, k_digit_roles)) return *airy;
    // The narrowest digits come up to the rim rather than go.
    if (const auto tight = chosen(port.cell_w - 0.5f, std::span(k_digit_roles).last(1)))
        return *tight;
    // Thousands in narrow cells: a digit and a power of ten, which digits_that_fit() falls back to.
    const std::string longest_power = scientific_text(-largest, 0);
    if (least == 0 && !few_large)
        for (const TextRole role : k_digit_roles)
            if (canvas.text_size(longest_power, role).w <= port.cell_w - 0.5f &&
                is_high_enough(canvas, role, port))
                return {role, 0, scientific};
    return none;
}

const CellFormat& cell_format(CellFormatMemo& memo, const Canvas& canvas, Rect area,
                              const HeatmapPort& port, const MatrixView& values,
                              std::uint64_t version) {
    return memo.of({version, area.w, area.h, canvas.text_size("0", TextRole::number).w, port},
                   [&] { return choose_cell_format(canvas, area, port, values); });
}

void draw_heatmap(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                  HeatmapPicture& picture) {
    if (map.values.empty() || area.w < 1 || area.h < 1) return;
    if (!canvas.sees({area.x - map.row_names_w, area.y - map.col_names_h, area.w + map.row_names_w,
                      area.h + map.col_names_h}))
        return;
    const VisibleCells seen = visible_cells(area, map.port, map.values);
    draw_row_names(canvas, theme, area, map, seen.rows);
    draw_col_names(canvas, theme, area, map, seen.cols);
    canvas.push_clip(area);
    if (draws_rectangles(map.port, seen)) {
        draw_cells(canvas, theme, area, map, seen);
    } else {
        draw_heatmap_picture(canvas, theme, area, map, picture);
        if (map.marks.lit) fade_picture(canvas, theme, area, map);
    }
    canvas.pop_clip();
    canvas.push_clip(area.inset(-k_mark_room));
    draw_marks(canvas, theme, area, map);
    canvas.pop_clip();
}

void draw_overview(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map, Rect map_area,
                   HeatmapPicture& picture) {
    if (!canvas.sees(area)) return;
    Heatmap whole = map;
    whole.port = {0, 0, area.w / static_cast<float>(map.values.cols()),
                  area.h / static_cast<float>(map.values.rows())};
    whole.id = map.id + 64; // another picture than the map's own
    canvas.fill_rect(area.inset(-2), theme.panel, 2);
    canvas.push_clip(area);
    draw_heatmap_picture(canvas, theme, area, whole, picture);
    canvas.pop_clip();
    canvas.stroke_rect(area.inset(-1), theme.border);
    const Rect seen{area.x + map.port.col * whole.port.cell_w,
                    area.y + map.port.row * whole.port.cell_h,
                    map_area.w / map.port.cell_w * whole.port.cell_w,
                    map_area.h / map.port.cell_h * whole.port.cell_h};
    canvas.stroke_rect(seen.shared_with(area), theme.focus, 2);
}

TextRole narrower(TextRole a, TextRole b) {
    return std::ranges::find(k_digit_roles, a) > std::ranges::find(k_digit_roles, b) ? a : b;
}

CellFormat coarser(const CellFormat& a, const CellFormat& b) {
    if (a.scientific != b.scientific) return a;
    return {narrower(a.role, b.role), std::min(a.decimals, b.decimals), a.scientific, a.exact_zero};
}

std::string cell_text(double value, const CellFormat& format) {
    if (value == 0 && format.exact_zero) return "0";
    if (std::isfinite(value) && (format.scientific || std::abs(value) >= k_scientific_from))
        return scientific_text(value, std::max(0, format.decimals - 1));
    return fixed_text(value, format.decimals);
}

} // namespace normscope
