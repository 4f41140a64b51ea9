#include "app/charts/flow_water.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr int k_samples = 8; // of the band's edge, a column

// Edges of the band over one run of finite slices: flat at each block's centre, an easy curve
// between two.
struct Edges {
    std::vector<Point> upper, axis, lower;
};

Edges edges_of(const FlowBandPlot& p, const FlowBand& band, Index first, Index last) {
    Edges e;
    const auto n = static_cast<Index>(band.slices.size());
    const auto add = [&](float x, float skip, float branch) {
        e.upper.push_back({x, p.axis - skip * p.upper});
        e.axis.push_back({x, p.axis});
        e.lower.push_back({x, p.axis + branch * p.lower});
    };
    const auto widths = [&](Index i) {
        const FlowSlice& s = band.slices[static_cast<std::size_t>(i)];
        return std::pair(flow_width(band.widths, s.skip), flow_width(band.widths, s.branch));
    };
    const auto [skip, branch] = widths(first);
    add(flow_column(p, n, first).x, skip, branch);
    for (Index i = first; i <= last; ++i) {
        const float x = flow_column(p, n, i).center().x;
        const auto [s0, b0] = widths(i);
        add(x, s0, b0);
        if (i == last) {
            add(flow_column(p, n, i).right(), s0, b0);
            break;
        }
        const float next = flow_column(p, n, i + 1).center().x;
        const auto [s1, b1] = widths(i + 1);
        for (int k = 1; k < k_samples; ++k) {
            const float t = static_cast<float>(k) / k_samples;
            const float ease = t * t * (3 - 2 * t);
            add(x + (next - x) * t, s0 + (s1 - s0) * ease, b0 + (b1 - b0) * ease);
        }
    }
    return e;
}

// The part of each block that a path goes through, over the paler rest of the water.
void draw_parts(Canvas& canvas, const Theme& theme, const FlowBandPlot& p, const FlowBand& band,
                Index first, Index last) {
    const Edges e = edges_of(p, band, first, last);
    // edges_of(): the left end, then each centre with the samples after it; halfway to the next
    // centre is where the next column begins.
    for (Index i = first; i <= last; ++i) {
        const auto centre = static_cast<std::size_t>(1 + k_samples * (i - first));
        const std::size_t from = i == first ? 0 : centre - k_samples / 2;
        const std::size_t to = i == last ? centre + 1 : centre + k_samples / 2;
        const auto part = [&](const std::vector<Point>& edge) {
            return std::span(edge).subspan(from, to - from + 1);
        };
        if (band.route[static_cast<std::size_t>(i)] != 0)
            canvas.fill_between(part(e.axis), part(e.lower), theme.of(Stage::f).with_alpha(0.7f));
        else
            canvas.fill_between(part(e.upper), part(e.axis), theme.of(Stage::x).with_alpha(0.7f));
    }
}

} // namespace

void draw_flow_water(Canvas& canvas, const Theme& theme, const FlowBandPlot& p,
                     const FlowBand& band) {
    const auto n = static_cast<Index>(band.slices.size());
    const float px = canvas.scale();
    const float strength = band.route.empty() ? 0.85f : 0.35f;
    for (Index i = 0; i < n;) {
        if (!is_finite(band.slices[static_cast<std::size_t>(i)])) {
            const Rect column = flow_column(p, n, i);
            canvas.fill_rect({column.x, p.river.y, column.w, p.river.h},
                             theme.nan.with_alpha(0.5f));
            ++i;
            continue;
        }
        Index last = i;
        while (last + 1 < n && is_finite(band.slices[static_cast<std::size_t>(last + 1)])) ++last;
        const Edges e = edges_of(p, band, i, last);
        // With a line along the edge, which a slope would have steps in.
        const auto fill = [&](const std::vector<Point>& upper, const std::vector<Point>& lower,
                              const std::vector<Point>& edge, Color color) {
            canvas.fill_between(upper, lower, color.with_alpha(strength));
            canvas.polyline(edge, color.with_alpha(strength), px);
        };
        if (band.has_skip) fill(e.upper, e.axis, e.upper, theme.of(Stage::x));
        fill(e.axis, e.lower, e.lower, theme.of(Stage::f));
        if (static_cast<Index>(band.route.size()) == n) draw_parts(canvas, theme, p, band, i, last);
        i = last + 1;
    }
    if (p.river.w / static_cast<float>(n) >= 8 * px)
        for (Index i = 1; i < n; ++i) {
            const float x = flow_column(p, n, i).x;
            canvas.line({x, p.axis - p.upper}, {x, p.axis + p.lower}, theme.panel.with_alpha(0.4f),
                        px);
        }
    canvas.line({p.river.x, p.axis}, {p.river.right(), p.axis}, theme.ink_soft, px);
}

void draw_flow_route(Canvas& canvas, const Theme& theme, const FlowBandPlot& p,
                     const FlowBand& band) {
    const auto n = static_cast<Index>(band.slices.size());
    const float px = canvas.scale();
    if (static_cast<Index>(band.route.size()) != n) return;
    std::vector<Point> line{{p.river.x, p.axis}};
    for (Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Rect column = flow_column(p, n, i);
        const FlowSlice& s = band.slices[at];
        const bool crosses = band.route[at] != 0;
        const float width = crosses ? flow_width(band.widths, s.branch) * p.lower
                                    : flow_width(band.widths, s.skip) * p.upper;
        const float away = std::max(7 * px, width / 2);
        const float y = crosses ? p.axis + away : p.axis - away;
        line.push_back({column.x + column.w * 0.3f, y});
        line.push_back({column.x + column.w * 0.7f, y});
    }
    line.push_back({p.river.right(), p.axis});
    canvas.polyline(line, theme.panel, 5 * px);
    canvas.polyline(line, theme.ink, 2 * px);
    for (Index i = 0; i < n; ++i) {
        if (band.route[static_cast<std::size_t>(i)] == 0) continue;
        const Point at{flow_column(p, n, i).center().x,
                       line[static_cast<std::size_t>(2 * i + 1)].y};
        canvas.fill_circle(at, std::min(4.0f * px, flow_column(p, n, i).w * 0.4f), theme.ink);
    }
}

} // namespace normscope
