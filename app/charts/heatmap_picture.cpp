#include "app/charts/heatmap_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace normscope {

namespace {

constexpr int k_shades = 256;

std::uint32_t packed(Color c) {
    return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8 |
           static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.a) << 24;
}

// heat_color() at equal steps from −limit to limit, and the colour of what is not a number.
struct Shades {
    std::array<std::uint32_t, k_shades + 1> color;
    std::uint32_t nan;
    double per_unit;

    Shades(const Theme& theme, double limit)
        : nan(packed(theme.nan)), per_unit(k_shades / 2 / limit) {
        for (int i = 0; i <= k_shades; ++i)
            color[static_cast<std::size_t>(i)] =
                packed(heat_color(theme, (i - k_shades / 2) / per_unit, limit));
    }

    std::uint32_t operator()(double v) const {
        if (!std::isfinite(v)) return nan;
        const double i =
            std::clamp(v * per_unit + k_shades / 2, 0.0, static_cast<double>(k_shades));
        return color[static_cast<std::size_t>(i + 0.5)];
    }
};

std::uint64_t mixed(std::uint64_t key, std::uint64_t value) {
    key ^= value + 0x9e3779b97f4a7c15ull + (key << 6) + (key >> 2);
    return key;
}
std::uint64_t bits(double v) {
    std::uint64_t out = 0;
    std::memcpy(&out, &v, sizeof out);
    return out;
}

// Cells [first, end) of one axis that fall into each of n pixels.
std::vector<Index> pixel_edges(float origin, float cells, Index count, int pixels) {
    std::vector<Index> edges(static_cast<std::size_t>(pixels) + 1);
    for (int i = 0; i <= pixels; ++i) {
        const double at = static_cast<double>(origin) +
                          static_cast<double>(cells) * i / static_cast<double>(pixels);
        edges[static_cast<std::size_t>(i)] =
            std::clamp<Index>(static_cast<Index>(std::floor(at + 1e-4)), 0, count);
    }
    return edges;
}

// One row of pixels: the value of the largest magnitude of the cells behind each. NaN and ∞ win,
// because they must not vanish either.
template<class S>
void largest_of(const S* values, Index stride, Index row, Index row_end,
                std::span<const Index> cols, std::vector<S>& line, std::span<double> out) {
    const Index from = cols.front();
    const Index to = std::max(from + 1, cols.back());
    const auto width = static_cast<std::size_t>(to - from);
    line.assign(values + row * stride + from, values + row * stride + from + width);
    for (Index r = row + 1; r < row_end; ++r) {
        const S* p = values + r * stride + from;
        for (std::size_t c = 0; c < width; ++c) {
            // Not (|p| ≤ |line|) is also true for a NaN in p; one in line stays.
            const bool keep = std::abs(p[c]) <= std::abs(line[c]) || line[c] != line[c];
            line[c] = keep ? line[c] : p[c];
        }
    }
    for (std::size_t x = 0; x < out.size(); ++x) {
        const Index a = cols[x] - from;
        const Index b = std::max(a + 1, cols[x + 1] - from);
        S best = line[static_cast<std::size_t>(std::min<Index>(a, to - from - 1))];
        for (Index c = a + 1; c < b; ++c) {
            const S v = line[static_cast<std::size_t>(c)];
            if (best != best) break;
            if (!(std::abs(v) <= std::abs(best))) best = v;
        }
        out[x] = static_cast<double>(best);
    }
}

} // namespace

void draw_heatmap_picture(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                          HeatmapPicture& picture) {
    const Index rows = map.values.rows();
    const Index cols = map.values.cols();
    const float seen_rows =
        std::min(area.h / map.port.cell_h, static_cast<float>(rows) - map.port.row);
    const float seen_cols =
        std::min(area.w / map.port.cell_w, static_cast<float>(cols) - map.port.col);
    const Rect drawn{area.x, area.y, seen_cols * map.port.cell_w, seen_rows * map.port.cell_h};
    const int w = std::max(1, static_cast<int>(std::min(drawn.w, std::ceil(seen_cols))));
    const int h = std::max(1, static_cast<int>(std::min(drawn.h, std::ceil(seen_rows))));

    std::uint64_t key = mixed(map.version, map.id);
    for (const float v :
         {map.port.row, map.port.col, map.port.cell_w, map.port.cell_h, drawn.w, drawn.h})
        key = mixed(key, bits(static_cast<double>(v)));
    key = mixed(key, bits(map.limit));
    key = mixed(key, static_cast<std::uint64_t>(theme.kind));
    key = mixed(key, static_cast<std::uint64_t>(rows) << 32 | static_cast<std::uint64_t>(cols));
    if (map.marks.lit) key = mixed(key, static_cast<std::uint64_t>(map.marks.lit->rows * 2 + 1));

    if (picture.key != key || picture.rgba.empty()) {
        picture.key = key;
        picture.w = w;
        picture.h = h;
        picture.rgba.resize(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
        Theme faded = theme;
        if (map.marks.lit && map.marks.lit->rows == 0) {
            // Nothing of this card takes part: the whole picture steps back.
            for (Color* c : {&faded.heat_low, &faded.heat_mid, &faded.heat_high, &faded.nan})
                *c = mix(*c, theme.panel, 0.8f);
        }
        const Shades shades(faded, map.limit);
        const auto row_edges = pixel_edges(map.port.row, seen_rows, rows, h);
        const auto col_edges = pixel_edges(map.port.col, seen_cols, cols, w);
        map.values.visit([&](const auto* data) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(data)>>;
            std::vector<S> line;
            std::vector<double> out(static_cast<std::size_t>(w));
            for (int y = 0; y < h; ++y) {
                const Index from = std::min(row_edges[static_cast<std::size_t>(y)], rows - 1);
                const Index to = std::max(from + 1, row_edges[static_cast<std::size_t>(y) + 1]);
                largest_of<S>(data, cols, from, to, col_edges, line, out);
                std::uint32_t* pixels =
                    picture.rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(w);
                for (std::size_t x = 0; x < out.size(); ++x) pixels[x] = shades(out[x]);
            }
        });
    }
    canvas.image(drawn, {picture.key, picture.w, picture.h, picture.rgba});
}

} // namespace normscope
