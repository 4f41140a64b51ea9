#pragma once
#include "app/charts/bars.h"
#include "app/charts/canvas.h"
#include "app/charts/plot.h"
#include "core/base/lists.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// The gradient at the input of one block: its norm, and those of the parts that came down the skip
// and through the sublayer.
struct FlowSlice {
    double total = 0;
    double skip = 0;
    double branch = 0;
};

bool is_finite(const FlowSlice& slice); // all three

// A norm with three digits in every form, as one stands beside another: 4.00e-3, 0.0600, 0.500,
// 12.0, 500, 1.20e4; 0 as "0".
std::string flow_norm_text(double norm);

// The scale of the river's width: a norm of `lo` (0 on a linear axis) has none, one of `hi` all.
using FlowWidths = Scale;

// The kind of the river's scale: linear, unless the least part would be a hair beside the largest.
// The kind `before` stays as long as it shows all parts: a logarithmic one always, a linear one
// until a part is clearly lost in it.
ScaleKind flow_scale(std::span<const FlowSlice> slices,
                     std::optional<ScaleKind> before = std::nullopt);

// Holds every finite norm of a part: from 0 to a round number, or whole decades, one more below the
// least so that it is seen.
FlowWidths flow_widths(ScaleKind kind, std::span<const FlowSlice> slices);

// The river of gradients: blocks from left to right, the loss at the right. Above its axis lies the
// part that came down the skip, below it the part that came through the sublayer; without a skip
// that part lies on both sides.
struct FlowBand {
    std::span<const FlowSlice> slices; // one a block
    double top = 0;                    // ‖∂L/∂x_L‖, at the loss
    FlowWidths widths;
    bool has_skip = true;
    std::span<const FlowSlice> ghost = {}; // the river before the last change, on the same widths
    bool ghost_has_skip = true;
    std::string_view sublayer;                // "FFN": the boxes' name
    std::span<const std::uint8_t> route = {}; // 1 a block that a path crosses, 0 where it takes the
                                              // skip; empty: none is lit
    std::optional<Index> lit = std::nullopt;  // the block under the mouse
    std::optional<Index> chosen = std::nullopt; // one that was clicked, or that the keyboard is at
    // The half of the lit block's box that is looked at, in a block with two sublayers: 0 left,
    // 1 right.
    std::optional<int> lit_half = std::nullopt;

    const FlowSlice& slice(Index block) const { return entry_at(slices, block); }
    bool crossed(Index block) const { return !route.empty() && entry_at(route, block) != 0; }
};

// The share of the largest width that a norm has, 0 to 1; 0 for what is not finite.
float flow_width(const FlowWidths& widths, double norm);

struct FlowBandPlot {
    Index n = 0;       // blocks
    Rect values;       // the norms, above
    Rect river;        // the columns of the blocks
    Rect boxes;        // below
    Rect loss;         // right of the river, over its whole height
    Rect names, ticks; // left of it
    float axis = 0;    // the pixel row between the parts
    float half = 0;    // of the largest width, above the axis and below it
    FlowWidths widths;
    bool has_skip = true;

    Rect column(Index block) const { return bar_slot(river, n, block); }

    // The edge of the band over a block: below the axis, or above it.
    float edge(const FlowSlice& slice, bool below) const {
        const double part = below || !has_skip ? slice.branch : slice.skip;
        return axis + (below ? half : -half) * flow_width(widths, part);
    }

    // The block whose column, box or value is at a point.
    std::optional<Index> block_at(Point at) const {
        const float top = values.y;
        return bar_at({river.x, top, river.w, boxes.bottom() - top}, n, at);
    }

    // The half of a block's column that a point is in: 0 left, 1 right.
    int half_at(Index block, Point at) const { return at.x < column(block).center().x ? 0 : 1; }
};

// How draw_flow_band() divides `area`.
FlowBandPlot flow_band_plot(const Canvas& canvas, Rect area, const FlowBand& band);

// Norms that are NaN or ∞ interrupt the river: a column in the colour of NaN, with its word where
// there is room.
void draw_flow_band(Canvas& canvas, const Theme& theme, Rect area, const FlowBand& band);

// The band itself, in runs of finite slices, with the parts that a route goes through over the
// paler rest of it.
void draw_flow_water(Canvas& canvas, const Theme& theme, const FlowBandPlot& plot,
                     const FlowBand& band);

// The ghost of `band`: pale over the water, with dashed edges. Nothing where it has other blocks.
void draw_flow_ghost(Canvas& canvas, const Theme& theme, FlowBandPlot plot, FlowBand band);

// A path from the loss to the input as a line: through the lower part where it crosses a sublayer.
void draw_flow_route(Canvas& canvas, const Theme& theme, const FlowBandPlot& plot,
                     const FlowBand& band);

// A walker of the river. It goes from the loss to the input, at every block down the skip or
// through the sublayer, by the share of each part's norm.
struct FlowParticle {
    Point at;
    Index block = 0; // 0 at the input
    bool crosses = false;
};

// The `count` walkers at a moment; the same ones for the same moment. Walkers over a block whose
// norms are NaN or ∞ are left out.
std::vector<FlowParticle> flow_particles(const FlowBandPlot& plot, const FlowBand& band, int count,
                                         double seconds);

void draw_flow_particles(Canvas& canvas, const Theme& theme, const FlowBandPlot& plot,
                         const FlowBand& band, double seconds);

} // namespace normscope
