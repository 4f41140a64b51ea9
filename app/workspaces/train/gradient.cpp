#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_least_gradient = 1e-5, k_most_gradient = 10;
constexpr int k_gradient_columns = 120;
constexpr std::size_t k_gradient_layers = 16;
constexpr float k_gradient_head = 28, k_gradient_ticks = 20;
constexpr ChoiceName k_quantities[] = {{"gradient", "gradient"}, {"update", "update : data"}};

// Pale to rust, by the logarithm.
Color gradient_color(const Theme& theme, double norm) {
    if (!std::isfinite(norm)) return theme.nan;
    const double span = std::log10(k_most_gradient / k_least_gradient);
    const double t = norm > 0 ? std::log10(norm / k_least_gradient) / span : 0;
    return mix(theme.heat_mid, theme.heat_high, static_cast<float>(std::clamp(t, 0.0, 1.0)));
}

// "Layer norm · layer 6 · step 640: gradient 0.38".
void tell_gradient(TrainPanel& p, Rect r, const SeenLane& lane,
                   const std::vector<std::size_t>& rows) {
    const Hit hit = p.hit(fmt::format("lane-{}", lane.index), r, k_by_mouse);
    if (!hit.hovered) return;
    const LaneTrace& trace = lane.state->trace;
    const Index step = point_at_step(p, step_scale(p, r));
    if (step > shown_steps(p, trace)) return;
    const auto count = static_cast<int>(rows.size());
    const int row = std::clamp(
        static_cast<int>((p.mouse().y - r.y) / r.h * static_cast<float>(count)), 0, count - 1);
    const std::size_t layer = entry_at(rows, row);
    const LayerTrace& at = trace.layer(step, layer);
    p.tooltip(hit,
              worded("{} · layer {} · step {}: gradient {}", lane.name, layer + 1, step,
                     number_text(static_cast<double>(at.gradient_norm), 3)),
              r);
}

void gradient_cells(TrainPanel& p, Rect r, const SeenLane& lane) {
    const LaneTrace& trace = lane.state->trace;
    const Index now = shown_steps(p, trace);
    const std::vector<std::size_t> rows = layers_down(trace.layer_count, k_gradient_layers);
    if (!rows.empty()) tell_gradient(p, r, lane, rows);
    const Scale x = step_scale(p, r);
    const float w = r.w / k_gradient_columns,
                h = r.h / static_cast<float>(std::max<std::size_t>(rows.size(), 1));
    for (const auto col : indices(k_gradient_columns)) {
        const float at = r.x + w * static_cast<float>(col);
        const auto step = static_cast<Index>(std::lround(x.value(at + w / 2)));
        if (step < 1 || step > now) continue;
        for (const auto row : indices(rows)) {
            const double norm = static_cast<double>(trace.layer(step, rows[row]).gradient_norm);
            p.canvas.fill_rect({at, r.y + h * static_cast<float>(row), w + 0.5f, h},
                               gradient_color(p.theme, norm));
        }
    }
    draw_diverged(p, r, trace);
    p.canvas.stroke_rect(r, p.theme.border);
}

void gradient_legend(Ui& ui, Rect row) {
    soft_label(ui, cut_left(row, 36), "1e-5");
    Rect bar = cut_left(row, 90).inset(0, row.h * 0.3f);
    constexpr int k_steps = 30;
    for (const auto i : indices(k_steps)) {
        const double t = static_cast<double>(i) / (k_steps - 1);
        const double norm = k_least_gradient * std::pow(k_most_gradient / k_least_gradient, t);
        ui.canvas.fill_rect(
            {bar.x + bar.w * static_cast<float>(i) / k_steps, bar.y, bar.w / k_steps + 0.5f, bar.h},
            gradient_color(ui.theme, norm));
    }
    cut_left(row, 6);
    soft_label(ui, row, "10");
}

constexpr double k_usual_ratio = -3; // one thousandth of the data a step
constexpr double k_least_ratio = -6, k_most_ratio = 1;

struct RatioLine {
    std::vector<DataPoint> mean;
    std::vector<DataRange> layers; // of the chosen lane
};

RatioLine ratio_line(const TrainPanel& p, const SeenLane& lane) {
    RatioLine out;
    const LaneTrace& trace = lane.state->trace;
    const Index now = shown_steps(p, trace);
    const auto of_layer = [&](Index step, std::size_t layer) {
        return static_cast<double>(trace.layer(step, layer).update_ratio);
    };
    append_means(out.mean, 0, places_of(p, now), [&](Index step) {
        double sum = 0;
        for (const auto l : indices(trace.layer_count)) sum += of_layer(step, l);
        return sum / static_cast<double>(trace.layer_count);
    });
    if (p.view.lane != lane.index) return out;
    for (const DataPoint& mean : out.mean) {
        const auto step = std::clamp<Index>(static_cast<Index>(std::lround(mean.x)), 1, now);
        DataRange range{mean.x, mean.y, mean.y};
        for (const auto l : indices(trace.layer_count)) {
            range.lo = std::min(range.lo, of_layer(step, l));
            range.hi = std::max(range.hi, of_layer(step, l));
        }
        out.layers.push_back(range);
    }
    return out;
}

// log₁₀(‖update‖/‖data‖) of every lane against the step, the mean of its layers, with the line that
// a learning rate is usually measured by. Of the lane that is chosen, all its layers.
void update_chart(TrainPanel& p, Rect r, const std::vector<SeenLane>& lanes) {
    std::vector<RatioLine> lines;
    for (const SeenLane& lane : lanes) lines.push_back(ratio_line(p, lane));
    LineChart chart = step_chart(p);
    chart.y_lo = k_usual_ratio - 1;
    chart.y_hi = k_usual_ratio + 1;
    for (const RatioLine& line : lines)
        for (const DataPoint& mean : line.mean) {
            chart.y_lo = std::max(k_least_ratio, std::min(chart.y_lo, std::floor(mean.y)));
            chart.y_hi = std::min(k_most_ratio, std::max(chart.y_hi, std::ceil(mean.y)));
        }
    chart.levels.push_back({k_usual_ratio, "−3: usual", p.theme.ink_soft});
    for (const auto i : indices(lines)) {
        const LineStyle& style = lanes[i].style;
        chart.series.push_back({lines[i].mean, style, 1.5f, lines[i].layers});
    }
    const auto now = static_cast<double>(p.document.train.step);
    const std::array<DataPoint, 2> cursor = {{{now, chart.y_lo}, {now, chart.y_hi}}};
    if (now > 0) chart.series.push_back({cursor, {p.theme.ink}, 1.5f});
    const LinePlot plot = plot_steps(p, r, chart);
    if (p.hit("updates", plot.plot, k_by_mouse).hovered) point_at_step(p, plot.x);
    draw_line_chart(p.canvas, p.theme, r, chart);
}

} // namespace

void train_gradient_panel(TrainPanel& p) {
    const IdScope scope(p, "train-gradient");
    const bool updates = p.view.updates;
    Rect inside = p.framed({.title = updates ? "Update : data" : "Gradient by layer",
                            .hint = updates ? "log₁₀(‖update‖/‖weights‖), mean of the layers"
                                            : "norm; layer 1 below"});
    const std::vector<SeenLane> lanes = trained_lanes(p);
    if (lanes.empty())
        return soft_label(p, inside, "Run the race: the gradients of every layer stand here",
                          Align::center);
    Rect head = cut_top(inside, k_gradient_head, 4);
    if (!p.state.picture)
        if (const auto c =
                segmented(p, "quantity", cut_right(head, segmented_width(p, k_quantities)),
                          k_quantities, updates ? 1 : 0))
            p.next.updates = *c == 1;
    if (updates) return update_chart(p, inside, lanes);
    gradient_legend(p, head);
    Rect ticks = cut_bottom(inside, k_gradient_ticks);
    const float name_w = std::min(widest_name(p, lanes), inside.w * 0.4f);
    const float h = inside.h / static_cast<float>(lanes.size());
    for (const SeenLane& lane : lanes) {
        Rect row = cut_top(inside, h).inset(0, 2);
        lane_heading(p, cut_left(row, name_w, 6), lane);
        gradient_cells(p, row, lane);
    }
    cut_left(ticks, name_w + 6);
    step_ends(p, ticks);
}

} // namespace normscope
