#pragma once
#include "app/charts/canvas.h"
#include "core/base/matrix.h"

#include <optional>
#include <span>
#include <string>

namespace normscope {

// Two shares (0 to 1) a place, side by side: what there is, and what it carries.
struct PairedBars {
    std::span<const double> first, second; // as many
    std::span<const std::string> names;    // as many, below
    double hi = 1;                         // the share at the top of the axis
    Color first_color, second_color;
    std::string_view x_title;
    std::optional<Index> lit = std::nullopt;
    std::optional<Index> chosen = std::nullopt;
};

struct PairedBarsPlot {
    Rect bars;
    Rect names; // below; a press on either means the bar
};

// How draw_paired_bars() divides `area`.
PairedBarsPlot paired_bars_plot(const Canvas& canvas, Rect area, const PairedBars& chart);

// A round share, at least as much as any; 1 for nothing but zeros.
double share_limit(std::span<const double> first, std::span<const double> second);

// Names that have no room are left out, evenly; those of `lit` and `chosen` last.
void draw_paired_bars(Canvas& canvas, const Theme& theme, Rect area, const PairedBars& chart);

} // namespace normscope
