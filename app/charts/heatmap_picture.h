#pragma once
#include "app/charts/heatmap.h"

namespace normscope {

// The cells of `map` that fall into `area` as one picture, a pixel a cell where cells are larger
// than a pixel, a pixel for several cells (the one of the largest magnitude) where they are
// smaller.
void draw_heatmap_picture(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                          HeatmapPicture& picture);

} // namespace normscope
