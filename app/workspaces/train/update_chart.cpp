#include "app/workspaces/train/update_chart.h"

#include "app/language/language.h"
#include "app/workspaces/train/step_means.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr double k_usual_ratio = -3; // one thousandth of the data a step
constexpr double k_least_ratio = -6, k_most_ratio = 1;

struct RatioLine {
    LaneStyle style;
    std::vector<DataPoint> mean;
    std::vector<DataRange> layers; // of the chosen lane
};

RatioLine ratio_line(const Frame& f, const Theme& theme, const SeenLane& lane) {
    RatioLine out{lane_style(theme, lane.look), {}, {}};
    const LaneTrace& trace = lane.state->trace;
    const Index race = f.document.train.common.steps;
    const Index now = std::min({trace.steps(), race, f.document.train.step});
    const auto ends = places_of(now, race, f.view.of<TrainView>().log_steps);
    const auto of_layer = [&](Index step, std::size_t layer) {
        return static_cast<double>(trace.layer(step, layer).update_ratio);
    };
    append_means(out.mean, 0, ends, [&](Index step) {
        double sum = 0;
        for (std::size_t l = 0; l < trace.layer_count; ++l) sum += of_layer(step, l);
        return sum / static_cast<double>(trace.layer_count);
    });
    if (f.view.of<TrainView>().lane != lane.index) return out;
    for (const DataPoint& p : out.mean) {
        const auto step = std::clamp<Index>(static_cast<Index>(std::lround(p.x)), 1, now);
        DataRange range{p.x, p.y, p.y};
        for (std::size_t l = 0; l < trace.layer_count; ++l) {
            range.lo = std::min(range.lo, of_layer(step, l));
            range.hi = std::max(range.hi, of_layer(step, l));
        }
        out.layers.push_back(range);
    }
    return out;
}

} // namespace

void update_chart(Ui& ui, Rect r, const Frame& f, Actions& a, const std::vector<SeenLane>& lanes) {
    std::vector<RatioLine> lines;
    for (const SeenLane& lane : lanes) lines.push_back(ratio_line(f, ui.theme, lane));
    double lo = k_usual_ratio - 1, hi = k_usual_ratio + 1;
    for (const RatioLine& line : lines)
        for (const DataPoint& p : line.mean) {
            lo = std::max(k_least_ratio, std::min(lo, std::floor(p.y)));
            hi = std::min(k_most_ratio, std::max(hi, std::ceil(p.y)));
        }
    const Scale steps = step_scale(f, 0, 1);
    LineChart chart;
    chart.x_kind = steps.kind;
    chart.x_lo = steps.lo;
    chart.x_hi = steps.hi;
    chart.y_lo = lo;
    chart.y_hi = hi;
    chart.x_title = tr("step");
    chart.levels.push_back({k_usual_ratio, "-3: usual", ui.theme.ink_soft});
    for (const RatioLine& line : lines)
        chart.series.push_back({"", line.mean, line.style.color, line.style.dash, 1.5f, line.layers,
                                line.style.marker});
    const auto now = static_cast<double>(f.document.train.step);
    const std::array<DataPoint, 2> cursor = {{{now, lo}, {now, hi}}};
    if (now > 0)
        chart.series.push_back({"", cursor, ui.theme.ink, Dash::solid, 1.5f, {}, Marker::none});
    const LinePlot plot = line_plot(ui.canvas, r, chart);
    chart.x_ticks = ticks_of_steps(ui.canvas, steps, plot);
    if (ui.hit("updates", plot.plot, {.focusable = false}).hovered)
        a.view.of<TrainView>().pointed = step_under_mouse(ui, f, plot.plot.x, plot.plot.right());
    draw_line_chart(ui.canvas, ui.theme, r, chart);
}

} // namespace normscope
