#include "app/charts/paired_bars.h"

#include "app/charts/number_format.h"
#include "app/charts/signed_bars.h"
#include "app/charts/ticks.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr TextRole k_role = TextRole::small;

std::vector<Tick> share_ticks(const Canvas& canvas, double hi, float height) {
    std::vector<Tick> ticks =
        row_ticks(canvas, {ScaleKind::linear, 0, hi, height, 0}, k_role, 1.8f);
    for (Tick& t : ticks) t.label = number_text(t.value * 100, 3) + " %";
    return ticks;
}

} // namespace

double share_limit(std::span<const double> first, std::span<const double> second) {
    double most = 0;
    for (const auto shares : {first, second})
        for (const double s : shares)
            if (std::isfinite(s)) most = std::max(most, s);
    if (most <= 0) return 1;
    return std::min(1.0, nice_range(0, most, 5).hi);
}

PairedBarsPlot paired_bars_plot(const Canvas& canvas, Rect area, const PairedBars& chart) {
    const float px = canvas.scale();
    const float line = canvas.line_height(k_role);
    Rect r = area;
    cut_top(r, line / 2);
    if (!chart.x_title.empty()) cut_bottom(r, line);
    // Below the lower half of the label at 0.
    Rect names = cut_bottom(r, 1.5f * line + 3 * px);
    cut_left(r, widest_label(canvas, share_ticks(canvas, chart.hi, r.h), k_role) + 8 * px);
    return {r, {r.x, names.y, r.w, names.h}};
}

void draw_paired_bars(Canvas& canvas, const Theme& theme, Rect area, const PairedBars& chart) {
    const float px = canvas.scale();
    const float line = canvas.line_height(k_role);
    const auto n = static_cast<Index>(chart.first.size());
    const PairedBarsPlot p = paired_bars_plot(canvas, area, chart);
    if (n == 0 || p.bars.w < 10 * px || p.bars.h < 10 * px) return;
    const Scale y{ScaleKind::linear, 0, chart.hi, p.bars.bottom(), p.bars.y};
    draw_rows(canvas, theme, p.bars, y, share_ticks(canvas, chart.hi, p.bars.h));
    for (Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Rect slot = bar_slot(p.bars, n, i);
        if (chart.lit == i || chart.chosen == i)
            canvas.fill_rect({slot.x, slot.y, slot.w, p.names.bottom() - slot.y},
                             theme.control_hover, 3 * px);
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
        if (chart.chosen == i) canvas.stroke_rect(slot, theme.focus, 2 * px, 3 * px);
    }
    canvas.line({p.bars.x, p.bars.bottom()}, {p.bars.right(), p.bars.bottom()}, theme.ink_soft, px);

    float widest = 0;
    for (const std::string& name : chart.names)
        widest = std::max(widest, canvas.text_size(name, k_role).w);
    const float apart = p.bars.w / static_cast<float>(n);
    const float gap = 8 * px;
    const auto step = std::max<Index>(1, static_cast<Index>(std::ceil((widest + gap) / apart)));
    struct Span {
        float from, to;
    };
    std::vector<Span> taken;
    const auto write = [&](Index i, Color color) {
        const std::string& name = chart.names[static_cast<std::size_t>(i)];
        const float half = canvas.text_size(name, k_role).w / 2;
        const float x = moved_within(bar_slot(p.bars, n, i).center().x, half, area.x, area.right());
        for (const Span& other : taken)
            if (x - half < other.to + gap && other.from < x + half + gap) return;
        taken.push_back({x - half, x + half});
        canvas.text({x, p.names.y + line / 2 + 2 * px}, name, k_role, color, Align::center);
    };
    // Those that are looked at have theirs, also in the place of a neighbour's.
    for (const std::optional<Index> marked : {chart.lit, chart.chosen})
        if (marked && *marked < n) write(*marked, theme.ink);
    // The ends first, so that what they leave no room gives way to them.
    for (const Index end : {Index{0}, n - 1}) write(end, theme.ink_soft);
    for (Index i = 0; i < n; i += step) write(i, theme.ink_soft);
    draw_x_title(canvas, theme, p.bars, area, chart.x_title);
}

} // namespace normscope
