#include "app/charts/signed_bars.h"

#include "app/charts/ticks.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// The values that one drawn bar stands for.
struct Bin {
    Index first, last; // inclusive
};

Index largest(std::span<const double> values, Bin bin) {
    Index at = bin.first;
    for (Index i = bin.first; i <= bin.last; ++i) {
        const double v = values[static_cast<std::size_t>(i)];
        if (!std::isfinite(v)) return i;
        if (std::abs(v) > std::abs(values[static_cast<std::size_t>(at)])) at = i;
    }
    return at;
}

Rect between(Rect slot, float y0, float y1) {
    return {slot.x, std::min(y0, y1), slot.w, std::max(1.0f, std::abs(y1 - y0))};
}

void draw_bar(Canvas& canvas, const Theme& theme, Rect area, Rect slot, const SignedBars& bars,
              Index i, bool lit) {
    const float px = canvas.scale();
    const auto at = static_cast<std::size_t>(i);
    const double value = bars.values[at];
    const float zero = bar_y(area, bars.range, 0);
    const bool roomy = slot.w >= 6 * px;
    const Rect bar = roomy ? slot.inset(slot.w * 0.2f, 0) : slot;
    if (lit && roomy) canvas.fill_rect({slot.x, area.y, slot.w, area.h}, theme.control_hover);
    if (!bars.ghosts.empty() && std::isfinite(bars.ghosts[at])) {
        const Rect ghost = between(bar, zero, bar_y(area, bars.range, bars.ghosts[at]));
        canvas.fill_rect(ghost, theme.ink_soft.with_alpha(0.14f));
        if (roomy) canvas.stroke_rect(ghost, theme.ink_soft.with_alpha(0.5f), px);
    }
    if (!std::isfinite(value)) {
        canvas.fill_rect({bar.x, area.y, bar.w, area.h}, theme.nan.with_alpha(0.7f));
    } else if (value != 0) {
        const float y = bar_y(area, bars.range, value);
        canvas.fill_rect(between(bar, zero, y), lit ? bars.color : bars.color.with_alpha(0.85f));
        // A value beyond the scale ends in an arrow.
        if ((value > bars.range.hi || value < bars.range.lo) && roomy) {
            const float tip = value > 0 ? area.y : area.bottom();
            const float base = value > 0 ? tip + 5 * px : tip - 5 * px;
            canvas.fill_triangle({bar.center().x, tip}, {bar.x, base}, {bar.right(), base},
                                 theme.ink);
        }
    }
    if (!bars.marks.empty() && std::isfinite(bars.marks[at])) {
        const float y = bar_y(area, bars.range, bars.marks[at]);
        canvas.line({slot.x + slot.w * 0.08f, y}, {slot.right() - slot.w * 0.08f, y}, theme.ink,
                    roomy ? 2 * px : px);
    }
}

} // namespace

Rect bar_slot(Rect area, Index n, Index i) {
    const float w = area.w / static_cast<float>(std::max<Index>(n, 1));
    return {area.x + w * static_cast<float>(i), area.y, w, area.h};
}

std::optional<Index> bar_at(Rect area, Index n, Point p) {
    if (n <= 0 || !area.contains(p)) return std::nullopt;
    const auto i = static_cast<Index>((p.x - area.x) / area.w * static_cast<float>(n));
    return std::clamp<Index>(i, 0, n - 1);
}

float bar_y(Rect area, const BarRange& range, double value) {
    const double t = std::clamp((value - range.lo) / (range.hi - range.lo), 0.0, 1.0);
    return area.bottom() - static_cast<float>(t) * area.h;
}

void draw_signed_bars(Canvas& canvas, const Theme& theme, Rect area, const SignedBars& bars) {
    const auto n = static_cast<Index>(bars.values.size());
    const float px = canvas.scale();
    if (n == 0 || area.w < 1 || area.h < 1 || !canvas.sees(area)) return;
    const Index drawn = std::min(n, static_cast<Index>(std::max(1.0f, area.w / px)));
    for (Index i = 0; i < drawn; ++i) {
        const Bin bin{i * n / drawn, std::max(i * n / drawn, (i + 1) * n / drawn - 1)};
        const bool lit = bars.lit && *bars.lit >= bin.first && *bars.lit <= bin.last;
        const Index shown = lit ? *bars.lit : largest(bars.values, bin);
        draw_bar(canvas, theme, area, bar_slot(area, drawn, i), bars, shown, lit);
    }
    const float zero = bar_y(area, bars.range, 0);
    canvas.line({area.x, zero}, {area.right(), zero}, theme.ink_soft, px);
    if (bars.level && std::isfinite(*bars.level)) {
        const float y = bar_y(area, bars.range, *bars.level);
        canvas.line({area.x, y}, {area.right(), y}, theme.ink, 1.5f * px, Dash::dashed);
    }
}

BarRange bar_range(std::span<const double> values) {
    double lo = 0;
    double hi = 0;
    for (const double v : values) {
        if (!std::isfinite(v)) continue;
        lo = std::min(lo, v);
        hi = std::max(hi, v);
    }
    if (lo == hi) return {};
    BarRange range{lo < 0 ? -nice_step(-lo) : 0, hi > 0 ? nice_step(hi) : 0};
    // A side that has values is never too thin to see them.
    const double least = 0.1 * (range.hi - range.lo);
    if (lo < 0) range.lo = std::min(range.lo, -least);
    if (hi > 0) range.hi = std::max(range.hi, least);
    return range;
}

BarRange both(const BarRange& a, const BarRange& b) {
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

} // namespace normscope
