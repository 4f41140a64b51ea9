#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr float k_nan_strip = 20, k_largest_line = 22;

// A lane's mean losses by rate, those that are there.
std::vector<DataPoint> swept(const LaneSweep& sweep) {
    std::vector<DataPoint> out;
    for (const SweepPoint& point : sweep.points)
        if (point.seeds > point.diverged) out.push_back({point.rate, point.loss});
    return out;
}

// Rates by which every seed diverged: × above the plot, the lanes side by side.
void diverged_strip(Ui& ui, Rect strip, const LinePlot& plot, const std::vector<SeenLane>& lanes,
                    const std::vector<LaneSweep>& sweeps) {
    ui.canvas.fill_rect({plot.plot.x, strip.y, plot.plot.w, strip.h},
                        ui.theme.nan.with_alpha(0.16f));
    soft_label(ui, {strip.x, strip.y, plot.plot.x - strip.x - 6, strip.h}, "NaN", Align::right);
    for (const auto i : indices(lanes)) {
        if (lanes[i].index >= sweeps.size()) continue;
        const float beside =
            5.0f * (static_cast<float>(i) - static_cast<float>(lanes.size() - 1) / 2);
        for (const SweepPoint& point : sweeps[lanes[i].index].points)
            if (point.seeds > 0 && point.diverged == point.seeds)
                draw_marker(ui.canvas, Marker::cross,
                            {plot.x.pixel(point.rate) + beside, strip.center().y}, 4,
                            lanes[i].style.color);
    }
}

// "Largest that trains: ● 0.03 ▲ 0.1 …".
void largest_line(Ui& ui, Rect row, const std::vector<SeenLane>& lanes,
                  const std::vector<LaneSweep>& sweeps) {
    const std::string_view title = "Largest that trains";
    left_words(ui, row, title, TextRole::small, ui.theme.ink_soft, 1);
    for (const SeenLane& lane : lanes) {
        if (lane.index >= sweeps.size()) continue;
        const auto largest = sweeps[lane.index].largest();
        const std::string text = largest ? number_text(*largest, 2) : std::string("–");
        const float w = ui.text_width(text, TextRole::number_small) + 1;
        if (row.w < w + 30) return;
        cut_left(row, 12);
        const Rect mark = cut_left(row, 10);
        draw_marker(ui.canvas, lane.style.marker, mark.center(), 4, lane.style.color);
        cut_left(row, 4);
        ui.label(cut_left(row, w), text, TextRole::number_small);
    }
}

void sweep_chart(TrainPanel& p, Rect inside, const std::vector<SeenLane>& lanes,
                 const std::vector<LaneSweep>& sweeps) {
    const std::vector<double> rates = sweep_rates(p.document.train.common);
    std::vector<std::vector<DataPoint>> points;
    std::vector<double> losses;
    for (const SeenLane& lane : lanes) {
        points.push_back(lane.index < sweeps.size() ? swept(sweeps[lane.index])
                                                    : std::vector<DataPoint>());
        for (DataPoint& point : points.back())
            losses.push_back(point.y = std::clamp(point.y, 1e-6, 1e3));
    }
    LineChart chart;
    chart.x_kind = chart.y_kind = ScaleKind::log;
    chart.x_lo = rates.front() / 1.4;
    chart.x_hi = rates.back() * 1.4;
    const LineRange range =
        losses.empty() ? LineRange{0.01, 1} : line_range(ScaleKind::log, losses);
    chart.y_lo = range.lo;
    chart.y_hi = range.hi;
    for (std::size_t i = 0; i < rates.size(); i += 2)
        chart.x_ticks.push_back({rates[i], number_text(rates[i], 2)});
    chart.x_title = "learning rate";
    const double now = p.document.train.common.lr;
    const std::array<DataPoint, 2> present = {{{now, range.lo}, {now, range.hi}}};
    if (now >= chart.x_lo && now <= chart.x_hi)
        chart.series.push_back({present, {p.theme.ink_soft, Dash::dashed}, 1});
    for (const auto i : indices(lanes)) {
        const LineStyle& style = lanes[i].style;
        chart.series.push_back({points[i], style});
    }
    const Rect strip = cut_top(inside, k_nan_strip);
    const LinePlot plot = line_plot(p.canvas, inside, chart);
    diverged_strip(p, strip, plot, lanes, sweeps);
    draw_line_chart(p.canvas, p.theme, inside, chart);
    for (const auto i : indices(lanes)) {
        if (lanes[i].index >= sweeps.size()) continue;
        const auto largest = sweeps[lanes[i].index].largest();
        const auto at = std::ranges::find_if(
            points[i], [&](const DataPoint& point) { return largest && point.x == *largest; });
        if (at != points[i].end())
            p.canvas.stroke_circle({plot.x.pixel(at->x), plot.y.pixel(at->y)}, 8,
                                   lanes[i].style.color, 1.5f);
    }
}

} // namespace

void sweep_panel(TrainPanel& p) {
    const IdScope scope(p, "sweep");
    TrainMemory& memory = memory_of(p);
    const RateSweep& sweep = memory.sweep;
    // A picture shows what the screen knew last.
    auto& seen = p.next.swept;
    if (!p.state.picture || !seen) seen = sweep.lanes();
    const std::vector<LaneSweep>& known = *seen;
    const bool unfinished = sweep.done() < sweep.all();
    const bool going = p.view.sweeping && unfinished;
    Rect inside = p.framed({.title = "Learning-rate sweep",
                            .hint = worded("loss after {} steps, {} seeds",
                                           p.document.train.common.steps, k_sweep_seeds)});
    const std::vector<SeenLane> lanes = seen_lanes(p);
    if (!p.state.picture) {
        Rect row = cut_top(inside, 28);
        const std::string_view label = going                            ? "Stop"
                                       : sweep.done() > 0 && unfinished ? "Go on"
                                                                        : "Sweep";
        const bool left = unfinished && !sweep.error();
        const bool pressed = button(p, "sweep", cut_left(row, button_width(p, "Sweep")),
                                    {label,
                                     going  ? "Keeps what is known"
                                     : left ? "Trains every lane by eight rates and five seeds"
                                            : "Every rate has been run",
                                     left});
        p.next.sweeping = memory.sweeping = going != pressed;
        cut_left(row, 8);
        soft_label(p, row,
                   sweep.error() ? error_text(*sweep.error())
                                 : worded("{} of {} runs", sweep.done(), sweep.all()));
        cut_top(inside, 4);
    }
    largest_line(p, cut_bottom(inside, k_largest_line), lanes, known);
    sweep_chart(p, inside, lanes, known);
}

} // namespace normscope
