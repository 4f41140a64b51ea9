#pragma once
#include "app/charts/line_chart.h"

#include <map>

namespace normscope {

// A stroke of the pen over a curve that is drawn by hand at x = 0 … `most`, from one point to
// another, so that a quick one leaves no gaps. It stays within lo … hi.
void pen_stroke(std::map<int, double>& drawn, int most, DataPoint from, DataPoint to, double lo,
                double hi);

} // namespace normscope
