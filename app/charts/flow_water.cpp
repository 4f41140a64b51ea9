#include "app/charts/flow_band.h"

#include "core/base/lists.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr int k_samples = 8; // of the band's edge, a column
constexpr int k_walkers = 40;
constexpr double k_crossing = 9; // seconds from the loss to the input

// Edges of the band over one run of finite slices: flat at each block's centre, an easy curve
// between two.
struct Edges {
    std::vector<Point> upper, axis, lower;
};

// draw(first, last) for every run of finite slices.
template<class Draw>
void each_run(const FlowBand& band, Draw&& draw) {
    const auto n = std::ssize(band.slices);
    for (Index i = 0; i < n; ++i) {
        const Index first = i;
        while (i < n && is_finite(band.slice(i))) ++i;
        if (i > first) draw(first, i - 1);
    }
}

Edges edges_of(const FlowBandPlot& p, const FlowBand& band, Index first, Index last) {
    Edges e;
    // On the way from one block's centre to the next one's.
    const auto add = [&](float x, Index from, Index to, float way) {
        const auto edge = [&](bool below) {
            const float y = p.edge(band.slice(from), below);
            return y + (p.edge(band.slice(to), below) - y) * eased(way);
        };
        e.upper.push_back({x, edge(false)});
        e.axis.push_back({x, p.axis});
        e.lower.push_back({x, edge(true)});
    };
    add(p.column(first).x, first, first, 0);
    for (Index k = 0; k <= k_samples * (last - first); ++k) {
        const Index i = first + k / k_samples, next = std::min(i + 1, last);
        const float way = static_cast<float>(k % k_samples) / k_samples;
        const float x = p.column(i).center().x;
        add(x + (p.column(next).center().x - x) * way, i, next, way);
    }
    add(p.column(last).right(), last, last, 0);
    return e;
}

// The part of each block that a path goes through, over the paler rest of the water.
void draw_parts(Canvas& canvas, const Theme& theme, const Edges& e, const FlowBand& band,
                Index first, Index last) {
    // edges_of(): the left end, then each centre with the samples after it; halfway to the next
    // centre is where the next column begins.
    for (Index i = first; i <= last; ++i) {
        const auto centre = static_cast<std::size_t>(1 + k_samples * (i - first));
        const std::size_t from = i == first ? 0 : centre - k_samples / 2;
        const std::size_t to = i == last ? centre + 1 : centre + k_samples / 2;
        const auto part = [&](const std::vector<Point>& edge) {
            return std::span(edge).subspan(from, to - from + 1);
        };
        if (band.crossed(i))
            canvas.fill_between(part(band.has_skip ? e.axis : e.upper), part(e.lower),
                                theme.of(Stage::f).with_alpha(0.7f));
        else
            canvas.fill_between(part(e.upper), part(e.axis), theme.of(Stage::x).with_alpha(0.7f));
    }
}

// A number of its own in [0, 1) for a walker, the round it is on and a block.
double chance(std::uint64_t walker, std::uint64_t round, std::uint64_t block) {
    return Random((walker * 1000003 + round) * 1000003 + block).uniform();
}

// Its row over block i, and whether it crosses the sublayer there.
struct Place {
    float y;
    bool crosses;
};

Place place_over(const FlowBandPlot& p, const FlowBand& band, std::uint64_t walker,
                 std::uint64_t round, Index i) {
    const FlowSlice& s = band.slice(i);
    const double both = s.skip + s.branch;
    const bool crosses =
        both > 0 && chance(walker, round, static_cast<std::uint64_t>(i)) < s.branch / both;
    const auto depth = static_cast<float>(0.15 + 0.7 * chance(walker, 0, 1u << 20));
    const bool below = crosses && (p.has_skip || walker % 2 == 0);
    return {p.axis + depth * (p.edge(s, below) - p.axis), crosses};
}

} // namespace

void draw_flow_water(Canvas& canvas, const Theme& theme, const FlowBandPlot& p,
                     const FlowBand& band) {
    const float strength = band.route.empty() ? 0.85f : 0.35f;
    for (const auto i : indices(p.n)) {
        if (is_finite(band.slice(i))) continue;
        const Rect column = p.column(i);
        canvas.fill_rect({column.x, p.river.y, column.w, p.river.h}, theme.nan.with_alpha(0.5f));
    }
    each_run(band, [&](Index first, Index last) {
        const Edges e = edges_of(p, band, first, last);
        // With a line along the edge, which a slope would have steps in.
        const auto fill = [&](const std::vector<Point>& upper, const std::vector<Point>& lower,
                              const std::vector<Point>& edge, Color color) {
            canvas.fill_between(upper, lower, color.with_alpha(strength));
            canvas.polyline(edge, color.with_alpha(strength));
        };
        if (band.has_skip) fill(e.upper, e.axis, e.upper, theme.of(Stage::x));
        fill(band.has_skip ? e.axis : e.upper, e.lower, e.lower, theme.of(Stage::f));
        if (std::ssize(band.route) == p.n) draw_parts(canvas, theme, e, band, first, last);
    });
    if (p.river.w / static_cast<float>(p.n) >= 8)
        for (Index i = 1; i < p.n; ++i) {
            const float x = p.column(i).x;
            canvas.line({x, p.axis - p.half}, {x, p.axis + p.half}, theme.panel.with_alpha(0.4f));
        }
    canvas.across(p.river, p.axis, theme.ink_soft);
}

void draw_flow_ghost(Canvas& canvas, const Theme& theme, FlowBandPlot p, FlowBand band) {
    if (band.ghost.size() != band.slices.size()) return;
    band.slices = band.ghost;
    p.has_skip = band.ghost_has_skip;
    each_run(band, [&](Index first, Index last) {
        const Edges e = edges_of(p, band, first, last);
        canvas.fill_between(e.upper, e.lower, theme.ink_soft.with_alpha(0.1f));
        for (const std::vector<Point>* edge : {&e.upper, &e.lower})
            canvas.polyline(*edge, theme.ink_soft.with_alpha(0.6f), 1, Dash::dashed);
    });
}

void draw_flow_route(Canvas& canvas, const Theme& theme, const FlowBandPlot& p,
                     const FlowBand& band) {
    if (std::ssize(band.route) != p.n) return;
    std::vector<Point> line{{p.river.x, p.axis}};
    for (const auto i : indices(p.n)) {
        const Rect column = p.column(i);
        const bool crosses = band.crossed(i);
        const float width = std::abs(p.edge(band.slice(i), crosses) - p.axis);
        const float away = std::max(7.0f, width / 2);
        const float y = crosses ? p.axis + away : p.axis - away;
        line.push_back({column.x + column.w * 0.3f, y});
        line.push_back({column.x + column.w * 0.7f, y});
    }
    line.push_back({p.river.right(), p.axis});
    canvas.polyline(line, theme.panel, 5);
    canvas.polyline(line, theme.ink, 2);
    for (const auto i : indices(p.n)) {
        if (!band.crossed(i)) continue;
        const Point at{p.column(i).center().x, entry_at(line, 2 * i + 1).y};
        canvas.fill_circle(at, std::min(4.0f, p.column(i).w * 0.4f), theme.ink);
    }
}

std::vector<FlowParticle> flow_particles(const FlowBandPlot& p, const FlowBand& band, int count,
                                         double seconds) {
    std::vector<FlowParticle> out;
    if (p.n == 0) return out;
    for (const auto k : indices(count)) {
        const auto walker = static_cast<std::uint64_t>(k);
        const double laps = seconds / k_crossing + static_cast<double>(k) / count;
        const double round = std::floor(laps);
        const double way = (1 - (laps - round)) * static_cast<double>(p.n); // n at the loss
        const Index i = std::clamp<Index>(static_cast<Index>(way), 0, p.n - 1);
        const auto lap = static_cast<std::uint64_t>(round);
        if (!is_finite(band.slice(i))) continue;
        const Place here = place_over(p, band, walker, lap, i);
        float y = here.y;
        // Over the last third of a block it moves to where it goes on.
        const double left = way - static_cast<double>(i);
        if (left < 1.0 / 3 && i > 0 && is_finite(band.slice(i - 1))) {
            const auto t = static_cast<float>(1 - 3 * left);
            y += (place_over(p, band, walker, lap, i - 1).y - y) * eased(t);
        }
        const float x = p.river.x + static_cast<float>(way / static_cast<double>(p.n)) * p.river.w;
        out.push_back({{x, y}, i, here.crosses});
    }
    return out;
}

void draw_flow_particles(Canvas& canvas, const Theme& theme, const FlowBandPlot& p,
                         const FlowBand& band, double seconds) {
    for (const FlowParticle& walker : flow_particles(p, band, k_walkers, seconds)) {
        canvas.fill_circle(walker.at, 3.5f, theme.panel);
        canvas.fill_circle(walker.at, 2.5f, theme.ink);
    }
}

} // namespace normscope
