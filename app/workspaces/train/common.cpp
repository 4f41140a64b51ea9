#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"
#include "core/train/run.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

LineStyle lane_style(const Theme& theme, std::size_t look) {
    const std::array<LineStyle, k_most_lanes> styles = {{
        {theme.ink, Dash::solid, Marker::circle},
        {theme.of(Stage::y), Dash::solid, Marker::triangle},
        {theme.of(Stage::x), Dash::dashed, Marker::diamond},
        {theme.of(Stage::x_hat), Dash::dotted, Marker::ring},
        {theme.of(Stage::gamma), Dash::dashed, Marker::square},
        {theme.of(Stage::f), Dash::dotted, Marker::wedge},
    }};
    return styles[look % styles.size()];
}

Guess guess_of(const TrainPanel& p) {
    const TrainConfig& c = p.document.train.common;
    if (const auto& data = race_of(p).data) return data->guess;
    const Index choices = kind_of(c.task) == TaskKind::points ? 2 : c.symbols;
    return {std::log(static_cast<double>(choices)), {}};
}

} // namespace

TrainMemory& memory_of(const TrainPanel& p) {
    return p.frame.memory.of<TrainMemory>();
}

const RaceState& race_of(const TrainPanel& p) {
    return memory_of(p).runner.state();
}

SeenLane lane_at(const TrainPanel& p, std::size_t index) {
    const RaceSetup& setup = p.document.train;
    const Lane& lane = (*setup.lanes)[index];
    const auto& states = race_of(p).lanes;
    return {index,
            lane_name(setup, lane),
            lane.on,
            lane.look,
            lane_style(p.theme, lane.look),
            index < states.size() ? states[index].get() : nullptr};
}

std::vector<SeenLane> seen_lanes(const TrainPanel& p) {
    const std::vector<Lane>& lanes = *p.document.train.lanes;
    std::vector<SeenLane> out;
    for (const auto i : indices(lanes))
        if (lanes[i].on) out.push_back(lane_at(p, i));
    return out;
}

std::vector<SeenLane> trained_lanes(const TrainPanel& p) {
    std::vector<SeenLane> lanes = seen_lanes(p);
    std::erase_if(lanes, [](const SeenLane& l) { return !l.state || l.state->trace.steps() == 0; });
    return lanes;
}

std::vector<SeenLane> chosen_first(const TrainPanel& p, std::vector<SeenLane> lanes) {
    const auto at =
        std::ranges::find_if(lanes, [&](const SeenLane& l) { return p.view.lane == l.index; });
    if (at != lanes.end()) std::rotate(lanes.begin(), at, at + 1);
    return lanes;
}

Index shown_steps(const TrainPanel& p, const LaneTrace& trace) {
    return std::min(p.document.train.step, trace.steps());
}

std::vector<std::size_t> layers_down(std::size_t layers, std::size_t most) {
    std::vector<std::size_t> out;
    const std::size_t n = std::min(layers, std::max<std::size_t>(most, 1));
    for (const auto i : indices(n))
        out.push_back(n == 1 ? layers - 1 : (layers - 1) * (n - 1 - i) / (n - 1));
    return out;
}

float widest_name(const Ui& ui, const std::vector<SeenLane>& lanes) {
    float w = 0;
    for (const SeenLane& lane : lanes) w = std::max(w, small_width(ui, Text::typed(lane.name)));
    return w + 32;
}

void lane_heading(Ui& ui, Rect row, const SeenLane& lane, std::string_view words) {
    if (!words.empty()) {
        const float w = ui.text_width(words, TextRole::number_small) + 1;
        ui.label(cut_right(row, w, 6), words, TextRole::number_small, ui.theme.ink, Align::right);
    }
    draw_swatch(ui, cut_left(row, 24, 6), lane.style, k_lane_marker);
    ui.label(row, Text::typed(lane.name), TextRole::small);
}

std::string diverged_words(const TrainPanel& p, const SeenLane& lane) {
    if (!lane.state || !lane.state->trace.diverged) return {};
    const Index at = lane.state->trace.diverged->step;
    return p.document.train.step > at ? worded("no number (NaN) after step {}", at) : std::string();
}

void draw_no_numbers(Ui& ui, Rect r) {
    if (r.w <= 0 || r.h <= 0) return;
    ui.canvas.push_clip(r);
    ui.canvas.fill_rect(r, ui.theme.nan.with_alpha(0.16f));
    const float step = 10;
    for (float x = r.x - r.h; x < r.right(); x += step)
        ui.canvas.line({x, r.bottom()}, {x + r.h, r.y}, ui.theme.nan.with_alpha(0.3f));
    ui.canvas.pop_clip();
}

void draw_diverged(TrainPanel& p, Rect r, const LaneTrace& trace) {
    if (!trace.diverged || p.document.train.step <= trace.diverged->step) return;
    const auto first = static_cast<double>(std::max<Index>(1, trace.diverged->step));
    const float from = step_scale(p, r).pixel(first);
    draw_no_numbers(p, {from, r.y, r.right() - from, r.h});
}

void step_ends(TrainPanel& p, Rect row) {
    soft_label(p, row, "1");
    soft_label(p, row, worded("step {}", p.document.train.common.steps), Align::right);
}

LineLevel base_line(const TrainPanel& p) {
    const double loss = guess_of(p).loss;
    const double choices = std::round(std::exp(loss));
    const bool alike = std::abs(loss - std::log(choices)) < 1e-9; // as frequent as each other
    return {loss,
            alike ? worded("log {} = {}: a guess", choices, number_text(loss, 3))
                  : worded("{}: a guess", number_text(loss, 3)),
            p.theme.ink_soft};
}

std::optional<double> mark_of(const TrainPanel& p) {
    return hit_accuracy(p.document.train.common.task, guess_of(p));
}

Scale step_scale(const TrainPanel& p, Rect r) {
    const auto steps = static_cast<double>(std::max<Index>(2, p.document.train.common.steps));
    return {p.view.log_steps ? ScaleKind::log : ScaleKind::linear, 1, steps, r.x, r.right()};
}

LineChart step_chart(const TrainPanel& p) {
    const Scale steps = step_scale(p, {});
    LineChart chart;
    chart.x_kind = steps.kind;
    chart.x_lo = steps.lo;
    chart.x_hi = steps.hi;
    chart.x_title = tr("step");
    return chart;
}

LinePlot plot_steps(const TrainPanel& p, Rect r, LineChart& chart) {
    const LinePlot plot = line_plot(p.canvas, r, chart);
    Scale steps = step_scale(p, {});
    steps.from = plot.x.pixel(steps.lo);
    steps.to = plot.x.pixel(steps.hi);
    chart.x_ticks = count_ticks(p.canvas, steps);
    return plot;
}

Index point_at_step(const TrainPanel& p, const Scale& steps) {
    const auto step = static_cast<Index>(std::lround(steps.value(p.mouse().x)));
    const Index shown = std::clamp<Index>(step, 1, p.document.train.common.steps);
    p.next.pointed = shown;
    return shown;
}

std::string percent_text(double share) {
    const double percent = 100 * share;
    return fixed_text(percent, std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1) + " %";
}

std::vector<Index> places_of(const TrainPanel& p, Index steps) {
    constexpr int k_most_points = 260; // of a line: one for each pixel or two of the plot
    std::vector<Index> ends;
    const double most = static_cast<double>(p.document.train.common.steps);
    Index last = 0;
    for (int i = 1; i <= k_most_points && last < steps; ++i) {
        const double t = static_cast<double>(i) / k_most_points;
        const auto end =
            static_cast<Index>(std::floor(p.view.log_steps ? std::pow(most, t) : most * t));
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

} // namespace normscope
