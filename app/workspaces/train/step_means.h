#pragma once
#include "app/charts/line_chart.h"
#include "core/base/matrix.h"

#include <functional>
#include <vector>

// Lines against the steps of a race, as fine as a chart shows them.
namespace normscope {

// The last step of each of the places, of one width on the axis, that steps 1 … `steps` of a race
// of so many are drawn in.
std::vector<Index> places_of(Index steps, Index race, bool log);

// Appends for each place beyond step `from` the mean of value(step) over its steps; values that are
// not finite do not count, and a place of none is left out.
void append_means(std::vector<DataPoint>& out, Index from, const std::vector<Index>& ends,
                  const std::function<double(Index step)>& value);

// Ticks of the steps of the race alone, where the axis may go on beyond them.
std::vector<Tick> ticks_of_steps(const Canvas& canvas, Scale steps, const LinePlot& plot);

} // namespace normscope
