#pragma once
#include "app/charts/canvas.h"

#include <string_view>

namespace normscope {

// The colours of a heat map from −limit to limit with their numbers, in one row; `of`: the matrices
// that they are of, at the left; may be empty.
void draw_color_key(Canvas& canvas, const Theme& theme, Rect row, double limit,
                    std::string_view of = {});
float color_key_width(const Canvas& canvas, double limit, std::string_view of = {});

} // namespace normscope
