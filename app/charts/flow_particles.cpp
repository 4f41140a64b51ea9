#include "app/charts/flow_particles.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr int k_count = 40;
constexpr double k_crossing = 9; // seconds from the loss to the input

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
    const FlowSlice& s = band.slices[static_cast<std::size_t>(i)];
    const double both = s.skip + s.branch;
    const bool crosses =
        both > 0 && chance(walker, round, static_cast<std::uint64_t>(i)) < s.branch / both;
    const auto depth = static_cast<float>(0.15 + 0.7 * chance(walker, 0, 1u << 20));
    if (crosses) return {p.axis + depth * flow_width(band.widths, s.branch) * p.lower, true};
    return {p.axis - depth * flow_width(band.widths, s.skip) * p.upper, false};
}

} // namespace

std::vector<FlowParticle> flow_particles(const FlowBandPlot& p, const FlowBand& band, int count,
                                         double seconds) {
    const auto n = static_cast<Index>(band.slices.size());
    std::vector<FlowParticle> out;
    if (n == 0) return out;
    for (int k = 0; k < count; ++k) {
        const auto walker = static_cast<std::uint64_t>(k);
        const double laps = seconds / k_crossing + static_cast<double>(k) / count;
        const double round = std::floor(laps);
        const double way = (1 - (laps - round)) * static_cast<double>(n); // n at the loss
        const Index i = std::clamp<Index>(static_cast<Index>(way), 0, n - 1);
        const auto lap = static_cast<std::uint64_t>(round);
        if (!is_finite(band.slices[static_cast<std::size_t>(i)])) continue;
        const Place here = place_over(p, band, walker, lap, i);
        float y = here.y;
        // Over the last third of a block it moves to where it goes on.
        const double left = way - static_cast<double>(i);
        if (left < 1.0 / 3 && i > 0 && is_finite(band.slices[static_cast<std::size_t>(i - 1)])) {
            const auto t = static_cast<float>(1 - 3 * left);
            const float ease = t * t * (3 - 2 * t);
            y += (place_over(p, band, walker, lap, i - 1).y - y) * ease;
        }
        const float x = p.river.x + static_cast<float>(way / static_cast<double>(n)) * p.river.w;
        out.push_back({{x, y}, i, here.crosses});
    }
    return out;
}

void draw_flow_particles(Canvas& canvas, const Theme& theme, const FlowBandPlot& p,
                         const FlowBand& band, double seconds) {
    const float px = canvas.scale();
    for (const FlowParticle& walker : flow_particles(p, band, k_count, seconds)) {
        canvas.fill_circle(walker.at, 3.5f * px, theme.panel);
        canvas.fill_circle(walker.at, 2.5f * px, theme.ink);
    }
}

} // namespace normscope
