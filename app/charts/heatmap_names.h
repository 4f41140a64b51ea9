#pragma once
#include "app/charts/heatmap.h"

namespace normscope {

// Cells [first, end) of one axis that can be seen.
struct VisibleSpan {
    Index first = 0, end = 0;
};

// The names left of the cells and above them. Where they would crowd, every 2nd, 5th, 10th, … is
// written; the marked one is always. No name lies over another or leaves the strip.
void draw_row_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    VisibleSpan rows);
void draw_col_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    VisibleSpan cols);

} // namespace normscope
