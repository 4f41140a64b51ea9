#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_least_gradient = 1e-5, k_most_gradient = 10;
constexpr int k_gradient_columns = 120;
constexpr std::size_t k_gradient_layers = 16;
constexpr float k_name_w = 160, k_gradient_head = 28, k_gradient_ticks = 20;
constexpr std::array<ChoiceName, 2> k_quantities = {
    {{"gradient", "gradient"}, {"update", "update : data"}}};

// Pale to rust, by the logarithm.
Color gradient_color(const Theme& theme, double norm) {
    if (!std::isfinite(norm)) return theme.nan;
    const double span = std::log10(k_most_gradient / k_least_gradient);
    const double t = norm > 0 ? std::log10(norm / k_least_gradient) / span : 0;
    return mix(theme.heat_mid, theme.heat_high, static_cast<float>(std::clamp(t, 0.0, 1.0)));
}

// "Layer norm · layer 6 · step 640: gradient 0.38".
void tell_gradient(Ui& ui, Rect r, const Frame& f, Actions& a, const SeenLane& lane,
                   const std::vector<std::size_t>& rows) {
    const Hit hit = ui.hit(fmt::format("lane-{}", lane.index), r, {.focusable = false});
    if (!hit.hovered) return;
    const LaneTrace& trace = lane.state->trace;
    const Index step = point_at_step(ui, f, a, step_scale(f, r.x, r.right()));
    if (step > std::min(f.document.train.step, trace.steps())) return;
    const auto count = static_cast<int>(rows.size());
    const int row = std::clamp(
        static_cast<int>((ui.mouse().y - r.y) / r.h * static_cast<float>(count)), 0, count - 1);
    const std::size_t layer = rows[static_cast<std::size_t>(row)];
    const LayerTrace& at = trace.layer(step, layer);
    ui.tooltip(hit,
               worded("{} · layer {} · step {}: gradient {}", lane.name, layer + 1, step,
                      number_text(static_cast<double>(at.gradient_norm), 3)),
               r);
}

void gradient_cells(Ui& ui, Rect r, const Frame& f, Actions& a, const SeenLane& lane) {
    const LaneTrace& trace = lane.state->trace;
    const Index now = std::min(f.document.train.step, trace.steps());
    const std::vector<std::size_t> rows = layers_down(trace.layer_count, k_gradient_layers);
    if (!rows.empty()) tell_gradient(ui, r, f, a, lane, rows);
    const Scale x = step_scale(f, r.x, r.right());
    const float w = r.w / k_gradient_columns,
                h = r.h / static_cast<float>(std::max<std::size_t>(rows.size(), 1));
    for (int col = 0; col < k_gradient_columns; ++col) {
        const float at = r.x + w * static_cast<float>(col);
        const auto step = static_cast<Index>(std::lround(x.value(at + w / 2)));
        if (step < 1 || step > now) continue;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const double norm = static_cast<double>(trace.layer(step, rows[row]).gradient_norm);
            ui.canvas.fill_rect({at, r.y + h * static_cast<float>(row), w + 0.5f, h},
                                gradient_color(ui.theme, norm));
        }
    }
    draw_diverged(ui, r, f, trace);
    ui.canvas.stroke_rect(r, ui.theme.border, ui.px(1));
}

void gradient_legend(Ui& ui, Rect row) {
    soft_label(ui, cut_left(row, ui.px(36)), "1e-5");
    Rect bar = cut_left(row, ui.px(90)).inset(0, row.h * 0.3f);
    constexpr int k_steps = 30;
    for (int i = 0; i < k_steps; ++i) {
        const double t = static_cast<double>(i) / (k_steps - 1);
        const double norm = k_least_gradient * std::pow(k_most_gradient / k_least_gradient, t);
        ui.canvas.fill_rect(
            {bar.x + bar.w * static_cast<float>(i) / k_steps, bar.y, bar.w / k_steps + 0.5f, bar.h},
            gradient_color(ui.theme, norm));
    }
    cut_left(row, ui.px(6));
    soft_label(ui, row, "10");
}

constexpr double k_usual_ratio = -3; // one thousandth of the data a step
constexpr double k_least_ratio = -6, k_most_ratio = 1;

struct RatioLine {
    LineStyle style;
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

// log₁₀(‖update‖/‖data‖) of every lane against the step, the mean of its layers, with the line that
// a learning rate is usually measured by. Of the lane that is chosen, all its layers.
void update_chart(Ui& ui, Rect r, const Frame& f, Actions& a, const std::vector<SeenLane>& lanes) {
    std::vector<RatioLine> lines;
    for (const SeenLane& lane : lanes) lines.push_back(ratio_line(f, ui.theme, lane));
    double lo = k_usual_ratio - 1, hi = k_usual_ratio + 1;
    for (const RatioLine& line : lines)
        for (const DataPoint& p : line.mean) {
            lo = std::max(k_least_ratio, std::min(lo, std::floor(p.y)));
            hi = std::min(k_most_ratio, std::max(hi, std::ceil(p.y)));
        }
    LineChart chart = step_chart(f);
    chart.y_lo = lo;
    chart.y_hi = hi;
    chart.levels.push_back({k_usual_ratio, "-3: usual", ui.theme.ink_soft});
    for (const RatioLine& line : lines)
        chart.series.push_back({"", line.mean, line.style.color, line.style.dash, 1.5f, line.layers,
                                line.style.marker});
    const auto now = static_cast<double>(f.document.train.step);
    const std::array<DataPoint, 2> cursor = {{{now, lo}, {now, hi}}};
    if (now > 0) chart.series.push_back({"", cursor, ui.theme.ink, Dash::solid, 1.5f});
    const LinePlot plot = line_plot(ui.canvas, r, chart);
    chart.x_ticks = ticks_of_steps(ui.canvas, step_scale(f, 0, 1), plot);
    if (ui.hit("updates", plot.plot, {.focusable = false}).hovered)
        point_at_step(ui, f, a, step_scale(f, plot.plot.x, plot.plot.right()));
    draw_line_chart(ui.canvas, ui.theme, r, chart);
}

} // namespace

void train_gradient_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "train-gradient");
    const bool updates = f.view.of<TrainView>().updates;
    Rect inside = panel(ui, "", r,
                        {.title = updates ? "Update : data" : "Gradient by layer",
                         .hint = updates ? "log₁₀(‖update‖/‖weights‖), mean of the layers"
                                         : "norm; layer 1 below"});
    const std::vector<SeenLane> lanes = trained_lanes(f);
    if (lanes.empty()) {
        soft_label(ui, inside, "Run the race: the gradients of every layer stand here",
                   Align::center);
        return;
    }
    Rect head = cut_top(inside, ui.px(k_gradient_head), ui.px(4));
    if (!ui.state.picture)
        if (const auto c =
                segmented(ui, "quantity", cut_right(head, segmented_width(ui, k_quantities)),
                          k_quantities, updates ? 1 : 0))
            a.view.of<TrainView>().updates = *c == 1;
    if (updates) return update_chart(ui, inside, f, a, lanes);
    gradient_legend(ui, head);
    Rect ticks = cut_bottom(inside, ui.px(k_gradient_ticks));
    const float name_w = std::min(ui.px(k_name_w), inside.w * 0.35f);
    const float h = inside.h / static_cast<float>(lanes.size());
    for (const SeenLane& lane : lanes) {
        Rect row = cut_top(inside, h).inset(0, ui.px(2));
        const Rect name = cut_left(row, name_w, ui.px(6));
        lane_heading(ui, name, lane, "");
        gradient_cells(ui, row, f, a, lane);
    }
    cut_left(ticks, name_w + ui.px(6));
    step_ends(ui, ticks, f);
}

} // namespace normscope
