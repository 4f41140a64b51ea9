#include "app/charts/heatmap.h"

#include "app/charts/ticks.h"
#include "core/base/lists.h"
#include "core/base/parallel.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace normscope {

namespace {

constexpr int k_shades = 256; // on each side of 0

// heat_color() at equal steps from −limit to limit, and the colour of what is not a number.
struct Shades {
    static constexpr int k_nan = 2 * k_shades + 1;
    std::array<std::uint32_t, k_nan + 1> color;
    double per_unit;

    Shades(const Theme& theme, double limit) : per_unit(limit > 0 ? k_shades / limit : 0) {
        for (int i = -k_shades; i <= k_shades; ++i)
            entry_at(color, i + k_shades) = packed(heat_color(theme, i, limit > 0 ? k_shades : 0));
        color[k_nan] = packed(theme.nan);
    }

    // Finds the place of each value in `color`: a line at once, and without a branch, so that the
    // compiler takes several values in a register.
    template<class S>
    void find(const S* values, int* index, std::size_t n) const {
        constexpr double most = 2 * k_shades;
        for (std::size_t i = 0; i < n; ++i) {
            const double v = static_cast<double>(values[i]);
            const double at = v * per_unit + (k_shades + 0.5);
            const double from_0 = at > 0 ? at : 0; // 0 also for a NaN
            const int shade = static_cast<int>(from_0 < most ? from_0 : most);
            index[i] = v - v == 0 ? shade : k_nan; // ∞ − ∞ is NaN
        }
    }
};

// How one axis is cut into pixels: cells edges[i] ≤ c < edges[i + 1] are behind pixel i, and all
// pixels together cover `length` from `start`, which lies before the area where a cell is cut off.
struct AxisPixels {
    std::vector<Index> edges;
    float start = 0, length = 0;

    int count() const { return static_cast<int>(edges.size()) - 1; }
};

AxisPixels cut_axis(const CellAxis& seen_axis, Index cells, float scale) {
    const auto [area_start, area_length, first, cell] = seen_axis;
    AxisPixels axis;
    const auto begin = std::clamp<Index>(static_cast<Index>(std::floor(first)), 0, cells);
    const double seen = std::min(static_cast<double>(area_length) / static_cast<double>(cell),
                                 static_cast<double>(cells) - static_cast<double>(first));
    const double end = static_cast<double>(first) + seen;
    if (cell * scale >= 1) {
        const auto last = std::clamp<Index>(static_cast<Index>(std::ceil(end - 1e-4)), 0, cells);
        for (Index c = begin; c <= std::max(last, begin); ++c) axis.edges.push_back(c);
        axis.start = area_start + (static_cast<float>(begin) - first) * cell;
        axis.length = static_cast<float>(axis.count()) * cell;
        return axis;
    }
    axis.start = area_start;
    axis.length = static_cast<float>(seen) * cell;
    const int pixels = std::max(1, static_cast<int>(std::lround(axis.length * scale)));
    for (int i = 0; i <= pixels; ++i) {
        const double at = static_cast<double>(first) + seen * i / pixels;
        axis.edges.push_back(
            std::clamp<Index>(static_cast<Index>(std::floor(at + 1e-4)), begin, cells));
    }
    return axis;
}

// Waking a thread for fewer costs more than it saves.
constexpr Index k_values_a_thread = 1 << 20;

template<class S>
void fill_picture(const S* values, Index stride, const AxisPixels& rows, const AxisPixels& cols,
                  const Shades& shades, std::vector<std::uint32_t>& rgba) {
    const Index first = cols.edges.front();
    const auto width = static_cast<std::size_t>(cols.edges.back() - first);
    // Behind pixel x are the columns from[x] to last[x]; where another pixel has more, the last
    // one stands in for them, which changes nothing. So all pixels of a line are found at once,
    // without a branch that depends on values.
    const std::size_t pixels = cols.edges.size() - 1;
    std::vector<std::uint32_t> from(pixels), last(pixels);
    std::uint32_t most = 1;
    for (std::size_t x = 0; x < pixels; ++x) {
        from[x] = static_cast<std::uint32_t>(cols.edges[x] - first);
        const auto end = static_cast<std::uint32_t>(cols.edges[x + 1] - first);
        last[x] = std::max(from[x] + 1, end) - 1;
        most = std::max(most, end - from[x]);
    }
    const auto fill_rows = [&](int /*chunk*/, Index begin, Index end) {
        std::vector<S> line(width), best(pixels), next(pixels);
        std::vector<int> shade(pixels);
        std::uint32_t* pixel = rgba.data() + static_cast<std::size_t>(begin) * pixels;
        for (auto y = static_cast<std::size_t>(begin); y < static_cast<std::size_t>(end); ++y) {
            const S* p = values + rows.edges[y] * stride + first;
            std::copy(p, p + width, line.begin());
            for (Index r = rows.edges[y] + 1; r < rows.edges[y + 1]; ++r) {
                p += stride;
                keep_larger(line.data(), p, static_cast<Index>(width));
            }
            for (std::size_t x = 0; x < pixels; ++x) best[x] = line[from[x]];
            for (std::uint32_t more = 1; more < most; ++more) {
                for (std::size_t x = 0; x < pixels; ++x)
                    next[x] = line[std::min(from[x] + more, last[x])];
                keep_larger(best.data(), next.data(), static_cast<Index>(pixels));
            }
            shades.find(best.data(), shade.data(), pixels);
            for (const int i : shade) *pixel++ = entry_at(shades.color, i);
        }
    };
    const Index read = (rows.edges.back() - rows.edges.front()) * static_cast<Index>(width);
    parallel_chunks(useful_threads(processor_threads(), read, k_values_a_thread),
                    std::ssize(rows.edges) - 1, fill_rows);
}

std::uint64_t mixed(std::uint64_t key, std::uint64_t value) {
    key ^= value + 0x9e3779b97f4a7c15ull + (key << 12) + (key >> 4);
    return key * 0xff51afd7ed558ccdull;
}

} // namespace

void draw_heatmap_picture(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                          HeatmapPicture& picture) {
    const Index rows = map.values.rows(), cols = map.values.cols();
    const AxisPixels down = cut_axis(down_axis(area, map.port), rows, map.port.scale);
    const AxisPixels across = cut_axis(across_axis(area, map.port), cols, map.port.scale);
    if (down.count() < 1 || across.count() < 1) return;

    std::uint64_t key = mixed(map.version, map.id);
    for (const float v : {map.port.row, map.port.col, map.port.cell_w, map.port.cell_h,
                          map.port.scale, area.w, area.h})
        key = mixed(key, std::bit_cast<std::uint32_t>(v));
    key = mixed(key, std::bit_cast<std::uint64_t>(map.limit));
    key = mixed(key, static_cast<std::uint64_t>(theme.kind));
    key = mixed(key, static_cast<std::uint64_t>(rows) << 32 | static_cast<std::uint64_t>(cols));

    if (picture.key != key || picture.rgba.empty()) {
        picture.key = key;
        picture.w = across.count();
        picture.h = down.count();
        picture.rgba.resize(static_cast<std::size_t>(picture.w) *
                            static_cast<std::size_t>(picture.h));
        const Shades shades(theme, map.limit);
        map.values.visit([&](const auto* values) {
            fill_picture(values, cols, down, across, shades, picture.rgba);
        });
    }
    canvas.image({across.start, down.start, across.length, down.length},
                 {picture.key, picture.w, picture.h, picture.rgba});
}

double common_limit(std::span<const double> largest_magnitudes) {
    double largest = 0;
    for (const double v : largest_magnitudes)
        if (std::isfinite(v)) largest = std::max(largest, v);
    if (largest <= 0) return 1;
    return round_up(largest, {1, 1.5, 2, 3, 4, 5, 7});
}

NormLimits norm_limits(std::span<const double> largest_in, std::span<const double> largest_out) {
    constexpr double k_pale = 10; // a colour of less than this part of the full one is pale
    const double in = common_limit(largest_in);
    const double out = common_limit(largest_out);
    const double larger = std::max(in, out);
    return larger > k_pale * std::min(in, out) ? NormLimits{in, out} : NormLimits{larger, larger};
}

double own_limit(const MatrixView& values) {
    const double largest =
        values.visit_all([](auto all) { return largest_magnitude(all.data, all.size); });
    return common_limit({&largest, 1});
}

} // namespace normscope
