#pragma once
#include "app/workspaces/train/panels.h"

#include <cstddef>
#include <vector>

// The parts of Inside: a row for each layer, the last at the top.
namespace normscope {

// The first of the lanes that has γ and β; null: none has.
const SeenLane* affine_lane(const std::vector<SeenLane>& lanes);

// Histograms of γ and β of such a lane, below a heading and above the ends of their axes.
float affine_columns_width(const Ui& ui);
void affine_columns(Ui& ui, Rect area, const SeenLane& lane, const std::vector<std::size_t>& layers,
                    float head, float ticks);

} // namespace normscope
