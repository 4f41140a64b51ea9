#include "app/charts/bars.h"

#include "app/charts/number_format.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace normscope {

namespace {

// The values that one drawn bar stands for.
struct Bin {
    Index first, last; // inclusive
};

// The place of the largest size above 0, the first of equal ones; `none` without one. Chosen
// without a branch, which half the values would miss.
template<class SizeOf>
Index largest(std::span<const double> values, Bin bin, Index none, SizeOf size_of) {
    Index at = none;
    double most = 0;
    for (Index i = bin.first; i <= bin.last; ++i) {
        const double size = size_of(entry_at(values, i));
        const bool larger = size > most;
        at = larger ? i : at;
        most = larger ? size : most;
    }
    return at;
}

// The first value that is not finite, or the one of the largest magnitude.
Index largest(std::span<const double> values, Bin bin) {
    return largest(values, bin, bin.first,
                   [](double v) { return std::isfinite(v) ? std::abs(v) : INFINITY; });
}

// The largest of those on the other side of zero than values[than]; −1: there is none.
Index opposite(std::span<const double> values, Bin bin, Index than) {
    const double against = entry_at(values, than);
    const double sign = std::isnan(against) ? 0 : against < 0 ? 1 : -1;
    return largest(values, bin, -1, [sign](double v) { return sign * v; });
}

// A bar's place and the value it shows.
struct Bar {
    Rect slot, body;
    std::size_t at;
    bool lit;
};

// The marks that all bars have, drawn layer by layer.
struct BarLayers {
    Canvas& canvas;
    const Theme& theme;
    Rect area;
    const SignedBars& bars;
    Index drawn;
    float zero = y(0);
    bool roomy = area.w / static_cast<float>(drawn) >= 6;
    std::vector<Bar> places = all_places();

    float y(double value) const { return bar_end(area, bars.range, value); }

    std::vector<Bar> all_places() const {
        const auto n = std::ssize(bars.values);
        std::vector<Bar> out;
        out.reserve(2 * static_cast<std::size_t>(drawn));
        Index first = 0;
        for (const auto i : indices(drawn)) {
            const Index next = (i + 1) * n / drawn;
            const Bin bin{first, std::max(first, next - 1)};
            first = next;
            const bool lit = bars.lit && *bars.lit >= bin.first && *bars.lit <= bin.last;
            const Rect slot = bar_slot(area, drawn, i);
            const Index at = lit ? *bars.lit : largest(bars.values, bin);
            const Rect body = roomy ? slot.inset(slot.w * 0.2f, 0) : slot;
            out.push_back({slot, body, static_cast<std::size_t>(at), lit});
            // Many values on both sides of zero: the larger side alone would look like all.
            if (bin.last == bin.first || lit || !bars.ghosts.empty()) continue;
            if (const Index other = opposite(bars.values, bin, at); other >= 0)
                out.push_back({slot, body, static_cast<std::size_t>(other), false});
        }
        return out;
    }

    Rect from_zero(const Bar& bar, double value) const {
        const float end = y(value);
        return {bar.body.x, std::min(zero, end), bar.body.w, std::max(1.0f, std::abs(end - zero))};
    }

    void draw_light() const {
        if (!roomy) return;
        for (const Bar& bar : places)
            if (bar.lit) canvas.fill_rect(bar.slot, theme.control_hover);
    }

    void draw_ghosts() const {
        if (bars.ghosts.empty()) return;
        for (const Bar& bar : places) {
            const double ghost = bars.ghosts[bar.at];
            if (!std::isfinite(ghost)) continue;
            const Rect r = from_zero(bar, ghost);
            canvas.fill_rect(r, theme.ink_soft.with_alpha(0.14f));
            if (roomy) canvas.stroke_rect(r, theme.ink_soft.with_alpha(0.5f));
        }
    }

    void draw_values() const {
        for (const Bar& bar : places)
            if (!std::isfinite(bars.values[bar.at]))
                canvas.fill_rect(bar.body, theme.nan.with_alpha(0.7f));
        for (const bool lit : {false, true})
            for (const Bar& bar : places)
                if (const double v = bars.values[bar.at];
                    std::isfinite(v) && v != 0 && bar.lit == lit)
                    canvas.fill_rect(from_zero(bar, v),
                                     lit ? bars.color : bars.color.with_alpha(0.85f));
    }

    // A value beyond the scale ends in an arrow.
    void draw_tips() const {
        if (!roomy) return;
        const double unseen = 1e-6 * (bars.range.hi - bars.range.lo);
        for (const Bar& bar : places) {
            const double v = bars.values[bar.at];
            if (!std::isfinite(v)) continue;
            if (v <= bars.range.hi + unseen && v >= bars.range.lo - unseen) continue;
            const float tip = v > 0 ? area.y : area.bottom();
            const float base = v > 0 ? tip + 5 : tip - 5;
            canvas.fill_triangle({bar.body.center().x, tip}, {bar.body.x, base},
                                 {bar.body.right(), base}, theme.ink);
        }
    }

    void draw_marks() const {
        if (bars.marks.empty()) return;
        // Whole, so that all are equally thick.
        const float thick = std::max(1.0f, roomy ? 2.0f : 1.0f);
        for (const Bar& bar : places) {
            const double mark = bars.marks[bar.at];
            const Rect across = bar.slot.inset(bar.slot.w * 0.08f, 0);
            if (std::isfinite(mark))
                canvas.fill_rect({across.x, y(mark) - thick / 2, across.w, thick}, theme.ink);
        }
    }
};

constexpr TextRole k_role = TextRole::small;

} // namespace

Rect bar_slot(Rect area, Index n, Index i) {
    const float w = area.w / static_cast<float>(std::max<Index>(n, 1));
    return {area.x + w * static_cast<float>(i), area.y, w, area.h};
}

float bar_end(Rect area, const Extent& range, double value) {
    const double t = std::clamp((value - range.lo) / (range.hi - range.lo), 0.0, 1.0);
    return area.bottom() - static_cast<float>(t) * area.h;
}

std::optional<Index> bar_at(Rect area, Index n, Point p) {
    if (n <= 0 || !area.contains(p)) return std::nullopt;
    const auto i = static_cast<Index>((p.x - area.x) / area.w * static_cast<float>(n));
    return std::clamp<Index>(i, 0, n - 1);
}

void draw_signed_bars(Canvas& canvas, const Theme& theme, Rect area, const SignedBars& bars) {
    const auto n = std::ssize(bars.values);
    if (n == 0 || area.w < 1 || area.h < 1 || !canvas.sees(area)) return;
    const Index drawn = std::min(n, static_cast<Index>(std::max(1.0f, area.w)));
    const BarLayers layers{canvas, theme, area, bars, drawn};
    layers.draw_light();
    layers.draw_ghosts();
    layers.draw_values();
    layers.draw_tips();
    layers.draw_marks();
    canvas.across(area, layers.zero, theme.ink_soft);
}

namespace {

Extent ends_of(std::span<const double> values) {
    Extent range{0, 0};
    for (const double v : values) {
        if (!std::isfinite(v)) continue;
        range.lo = std::min(range.lo, v);
        range.hi = std::max(range.hi, v);
    }
    return range;
}

Extent never_too_thin(Extent range) {
    const double least = 0.1 * (range.hi - range.lo);
    if (range.lo < 0) range.lo = std::min(range.lo, -least);
    if (range.hi > 0) range.hi = std::max(range.hi, least);
    return range;
}

} // namespace

Extent value_range(std::span<const double> values) {
    const Extent range = ends_of(values);
    return range.lo == range.hi ? Extent() : never_too_thin(range);
}

Extent bar_range(std::span<const double> values) {
    const auto [lo, hi] = ends_of(values);
    if (lo == hi) return {};
    return never_too_thin({lo < 0 ? -nice_step(-lo) : 0, hi > 0 ? nice_step(hi) : 0});
}

Extent both(const Extent& a, const Extent& b) {
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

double share_limit(std::span<const double> first, std::span<const double> second) {
    double most = 0;
    for (const auto shares : {first, second})
        for (const double s : shares)
            if (std::isfinite(s)) most = std::max(most, s);
    if (most <= 0) return 1;
    return std::min(1.0, nice_range(0, most, 5).hi);
}

PairedBarsPlot paired_bars_plot(const Canvas& canvas, Rect area, const PairedBars& chart) {
    const float line = canvas.line_height(k_role);
    cut_top(area, line / 2);
    if (!chart.x_title.empty()) cut_bottom(area, line);
    // Below the lower half of the label at 0.
    const Rect names = cut_bottom(area, 1.5f * line + 3);
    const Scale y{ScaleKind::linear, 0, chart.hi, area.bottom(), area.y};
    std::vector<Tick> rows = row_ticks(canvas, y, k_role, 1.8f);
    for (Tick& t : rows) t.label = number_text(t.value * 100, 3) + " %";
    cut_left(area, widest_label(canvas, rows, k_role) + 8);
    return {area, {area.x, names.y, area.w, names.h}, {area, {}, y, std::move(rows)}};
}

void draw_paired_bars(Canvas& canvas, const Theme& theme, Rect area, const PairedBars& chart) {
    const float line = canvas.line_height(k_role);
    const auto n = std::ssize(chart.first);
    const PairedBarsPlot p = paired_bars_plot(canvas, area, chart);
    if (n == 0 || p.bars.w < 10 || p.bars.h < 10) return;
    draw_rows(canvas, theme, p.axes);
    for (const auto i : indices(n)) {
        const auto at = static_cast<std::size_t>(i);
        const Rect slot = bar_slot(p.bars, n, i);
        if (chart.lit == i || chart.chosen == i)
            canvas.fill_rect({slot.x, slot.y, slot.w, p.names.bottom() - slot.y},
                             theme.control_hover, 3);
        const Rect pair = slot.inset(slot.w * 0.1f, 0);
        const float half = pair.w / 2;
        const auto draw_bar = [&](float x, double share, Color color) {
            if (!std::isfinite(share))
                return canvas.fill_rect({x, p.bars.y, half, p.bars.h}, theme.nan.with_alpha(0.7f));
            const float h = static_cast<float>(std::clamp(share / chart.hi, 0.0, 1.0)) * p.bars.h;
            if (h >= 0.5f) // a surface may round less up to a pixel below the axis
                canvas.fill_rect({x, p.bars.bottom() - h, half, h}, color);
        };
        draw_bar(pair.x, chart.first[at], chart.first_color);
        draw_bar(pair.x + half, chart.second[at], chart.second_color);
        // Not around its name, which may be wider.
        if (chart.chosen == i) canvas.stroke_rect(slot, theme.focus, 2, 3);
    }
    canvas.across(p.bars, p.bars.bottom(), theme.ink_soft);

    float widest = 0;
    for (const std::string& name : chart.names)
        widest = std::max(widest, canvas.text_size(Text::typed(name), k_role).w);
    const float apart = p.bars.w / static_cast<float>(n);
    const float gap = 8;
    const float moved = std::max(0.0f, (widest - apart) / 2); // the last one, into the area
    const auto step =
        std::max<Index>(1, static_cast<Index>(std::ceil((widest + gap + moved) / apart)));
    std::vector<Rect> taken; // with the gap behind each
    const auto write = [&](Index i, Color color) {
        const std::string& name = entry_at(chart.names, i);
        const float half = canvas.text_size(Text::typed(name), k_role).w / 2;
        const float x = moved_within(bar_slot(p.bars, n, i).center().x, half, area.x, area.right());
        if (take_place(taken, {x - half, p.names.y, 2 * half + gap, line}))
            canvas.text({x, p.names.y + line / 2 + 2}, Text::typed(name), k_role, color,
                        Align::center);
    };
    // Those that are looked at have theirs, also in the place of a neighbour's.
    for (const std::optional<Index> marked : {chart.lit, chart.chosen})
        if (marked && *marked < n) write(*marked, theme.ink);
    // The first one; the others stand evenly, counted from the last.
    write(0, theme.ink_soft);
    for (Index i = n - 1; i > 0; i -= step) write(i, theme.ink_soft);
    draw_x_title(canvas, theme, p.bars, area, chart.x_title);
}

} // namespace normscope
