#include "app/workspaces/train/step_means.h"

#include <cmath>

namespace normscope {

namespace {

constexpr int k_most_points = 260; // of a line: one for each pixel or two of the plot

} // namespace

std::vector<Index> places_of(Index steps, Index race, bool log) {
    std::vector<Index> ends;
    const double most = static_cast<double>(race);
    Index last = 0;
    for (int i = 1; i <= k_most_points && last < steps; ++i) {
        const double t = static_cast<double>(i) / k_most_points;
        const auto end = static_cast<Index>(std::floor(log ? std::pow(most, t) : most * t));
        if (end <= last) continue;
        if (end > steps) break;
        ends.push_back(last = end);
    }
    // A rest that is shorter than its place would leap about: the place before takes it.
    const Index place = ends.size() > 1 ? ends.back() - ends[ends.size() - 2] : 0;
    if (last < steps && 2 * (steps - last) < place)
        ends.back() = steps;
    else if (last < steps)
        ends.push_back(steps);
    return ends;
}

void append_means(std::vector<DataPoint>& out, Index from, const std::vector<Index>& ends,
                  const std::function<double(Index step)>& value) {
    for (const Index end : ends) {
        if (end <= from) continue;
        double sum = 0;
        Index count = 0;
        for (Index step = from + 1; step <= end; ++step)
            if (const double v = value(step); std::isfinite(v)) {
                sum += v;
                ++count;
            }
        if (count > 0)
            out.push_back({(static_cast<double>(from + 1) + static_cast<double>(end)) / 2,
                           sum / static_cast<double>(count)});
        from = end;
    }
}

std::vector<Tick> ticks_of_steps(const Canvas& canvas, Scale steps, const LinePlot& plot) {
    steps.from = plot.x.pixel(steps.lo);
    steps.to = plot.x.pixel(steps.hi);
    return count_ticks(canvas, steps);
}

} // namespace normscope
