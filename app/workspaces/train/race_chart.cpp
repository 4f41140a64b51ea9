#include "app/language/language.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr std::array<ChoiceName, 2> k_axes = {{{"linear", "linear"}, {"log", "log"}}};
constexpr double k_least_shown_loss = 1e-6, k_most_shown_loss = 1e4;

// A lane's losses as they are drawn: the mean of the steps that fall on one place.
struct LossLine {
    SeenLane lane;
    LineStyle style;
    std::vector<DataPoint> past, future; // up to the step that is looked at, and beyond
    std::vector<DataPoint> before;       // of its run before its settings changed
};

auto losses_of(const LaneTrace& trace) {
    return [&trace](Index step) {
        return static_cast<double>(trace.loss[static_cast<std::size_t>(step - 1)]);
    };
}

LossLine line_of(const Frame& f, const Theme& theme, const SeenLane& lane) {
    LossLine out{lane, lane_style(theme, lane.look), {}, {}, {}};
    if (!lane.state) return out;
    const auto& all_before = f.memory.of<TrainMemory>().runner.state().before;
    const LaneTrace& trace = lane.state->trace;
    const Index race = f.document.train.common.steps;
    const Index known = std::min(trace.steps(), race);
    const Index now = std::min(known, f.document.train.step);
    const bool log = f.view.of<TrainView>().log_steps;
    if (const auto before = all_before.find(lane.look);
        before != all_before.end() && before->second.get() != lane.state) {
        const LaneTrace& old = before->second->trace;
        const Lane& own = (*f.document.train.lanes)[lane.index];
        const Index from = own.past.empty() ? 0 : own.past.back().until;
        append_means(out.before, from, places_of(std::min(old.steps(), race), race, log),
                     losses_of(old));
    }
    append_means(out.past, 0, places_of(now, race, log), losses_of(trace));
    append_means(out.future, now, places_of(known, race, log), losses_of(trace));
    if (!out.past.empty() && !out.future.empty())
        out.future.insert(out.future.begin(), out.past.back());
    return out;
}

LineRange loss_range(const std::vector<LossLine>& lines, const BaseLine& base, bool log) {
    std::vector<double> values{base.loss * (log ? 1 : 1.2)};
    for (const LossLine& line : lines)
        for (const auto* points : {&line.past, &line.future})
            for (const DataPoint& p : *points)
                values.push_back(std::clamp(p.y, k_least_shown_loss, k_most_shown_loss));
    if (log) values.push_back(base.loss / 3);
    LineRange range = line_range(log ? ScaleKind::log : ScaleKind::linear, values);
    // One that blew up would press all others onto the axis.
    if (!log) range.hi = std::min(range.hi, 4 * base.loss);
    return range;
}

// A line's last point that is looked at, and what stands beside it.
struct LineEnd {
    Point at;
    std::string words;
    Color color;
    Marker marker;
    float row = 0; // of the words: apart from the others'
};

std::vector<LineEnd> ends_of(const std::vector<LossLine>& lines, const LinePlot& plot,
                             LineRange range, Index step) {
    std::vector<LineEnd> out;
    for (const LossLine& line : lines) {
        const std::string diverged = diverged_words(line.lane, step);
        if (line.past.empty() && diverged.empty()) continue;
        const DataPoint end = line.past.empty() ? DataPoint{1, range.hi} : line.past.back();
        const Point at{plot.x.pixel(end.x), plot.y.pixel(std::clamp(end.y, range.lo, range.hi))};
        out.push_back({at, diverged.empty() ? line.lane.name : line.lane.name + ": " + diverged,
                       line.style.color, diverged.empty() ? line.style.marker : Marker::cross,
                       at.y});
    }
    return out;
}

// From top to bottom, a line of text for each; those at the bottom push the others up.
void spread(std::vector<LineEnd>& ends, Rect plot, float line) {
    std::ranges::sort(ends, {}, [](const LineEnd& e) { return e.at.y; });
    float least = plot.y + line / 2;
    for (LineEnd& end : ends) {
        end.row = std::max(end.row, least);
        least = end.row + line;
    }
    float most = plot.bottom() - line / 2;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
        end->row = std::min(end->row, most);
        most = end->row - line;
    }
}

// Beside its line's end at the right, where the axis leaves room for it.
void draw_ends(Ui& ui, std::vector<LineEnd> ends, Rect plot) {
    const float line = ui.canvas.line_height(TextRole::small);
    spread(ends, plot, line);
    const float gap = ui.px(14);
    const AsTyped names(ui.canvas);
    for (const LineEnd& end : ends) {
        const float room = plot.right() - end.at.x - gap;
        const float w = std::min(small_width(ui, end.words) + 1, room);
        const Rect words{end.at.x + gap, end.row - line / 2, w, line};
        ui.canvas.fill_rect(words, ui.theme.panel.with_alpha(0.85f), ui.px(3));
        if (std::abs(end.row - end.at.y) > line / 3)
            ui.canvas.line(end.at, {words.x - ui.px(2), end.row}, end.color, ui.px(1));
        ui.label(words, end.words, TextRole::small, ui.theme.ink);
    }
    for (const LineEnd& end : ends) {
        ui.canvas.fill_circle(end.at, ui.px(6), ui.theme.panel);
        draw_marker(ui.canvas, end.marker, end.at, ui.px(end.marker == Marker::cross ? 6.0f : 4.5f),
                    end.color);
    }
}

// The axis goes on beyond the last step, so that names have a place.
double axis_end(const Scale& steps, float share) {
    const double t = 1 / static_cast<double>(1 - share);
    if (steps.kind == ScaleKind::log) return std::pow(steps.hi, t);
    return steps.lo + (steps.hi - steps.lo) * t;
}

float widest_name(const Ui& ui, const std::vector<LossLine>& lines) {
    const AsTyped names(ui.canvas);
    float w = 0;
    for (const LossLine& line : lines) w = std::max(w, small_width(ui, line.lane.name));
    return w + ui.px(32);
}

// The axes, and whether one predicts first.
void race_choices(Ui& ui, Rect row, const Frame& f, Actions& a) {
    const TrainView& v = f.view.of<TrainView>();
    TrainView& next = a.view.of<TrainView>();
    const bool may = can_predict(f.document.train);
    if (right_button(ui, "predict", row,
                     {"Predict first",
                      may && v.predicting ? ButtonLook::primary : ButtonLook::plain, may,
                      may ? "Say what you expect, then run the race: both are shown"
                          : "Reset first: one predicts before the race"}))
        next.predicting = !v.predicting;
    const float w = segmented_width(ui, k_axes);
    const auto one = [&](NamePart id, std::string_view label, bool now, bool& into) {
        const float label_w = small_width(ui, label) + 1;
        soft_label(ui, cut_left(row, label_w, ui.px(6)), label);
        if (const auto c = segmented(ui, id, cut_left(row, w, ui.px(14)), k_axes, now ? 1 : 0))
            into = *c == 1;
    };
    one("loss-axis", tr("loss"), v.log_loss, next.log_loss);
    one("steps-axis", tr("steps"), v.log_steps, next.log_steps);
}

// What the pale lines are of.
std::string race_words(const RaceSetup& setup, const std::vector<LossLine>& lines) {
    if (const auto step = last_branch(setup))
        return worded("branched at step {}; pale: as it was going", *step);
    if (std::ranges::any_of(lines, [](const LossLine& line) { return !line.before.empty(); }))
        return "begun anew; pale: before the change";
    return "of each batch; the same start, the same batches";
}

} // namespace

void race_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "race");
    const RaceSetup& setup = f.document.train;
    const TrainView& v = f.view.of<TrainView>();
    std::vector<LossLine> lines;
    for (const SeenLane& lane : seen_lanes(f)) lines.push_back(line_of(f, ui.theme, lane));
    Rect inside = panel(ui, "", r, {.title = "Race: loss", .hint = race_words(setup, lines)});
    if (!ui.state.picture) race_choices(ui, cut_top(inside, ui.px(28)), f, a);
    cut_top(inside, ui.px(4));
    if (can_predict(setup) && v.predicting) return ask_prediction(ui, inside, f, a);
    if (const std::string verdict = prediction_verdict(f); !verdict.empty())
        ui.label(cut_top(inside, ui.px(22)), verdict, TextRole::small, ui.theme.ink);
    const BaseLine base = base_line(f);
    const LineRange range = loss_range(lines, base, v.log_loss);
    const Scale steps = step_scale(f, 0, 1);
    LineChart chart = step_chart(f);
    chart.y_kind = v.log_loss ? ScaleKind::log : ScaleKind::linear;
    chart.x_hi = axis_end(steps, std::min(0.34f, widest_name(ui, lines) / (inside.w - ui.px(50))));
    chart.y_lo = range.lo;
    chart.y_hi = range.hi;
    chart.levels.push_back({base.loss, base.text, ui.theme.ink_soft});
    for (const LossLine& line : lines)
        chart.series.push_back(
            {line.lane.name, line.before, line.style.color.with_alpha(0.45f), Dash::solid, 1});
    const std::vector<DataPoint> predicted = predicted_curve(f);
    chart.series.push_back({"", predicted, ui.theme.focus.with_alpha(0.6f), Dash::solid, 5});
    const double fork = static_cast<double>(last_branch(setup).value_or(0));
    const std::array<DataPoint, 2> fork_line = {{{fork, range.lo}, {fork, range.hi}}};
    if (fork > 0) chart.series.push_back({"", fork_line, ui.theme.ink_soft, Dash::dashed, 1});
    const auto now = static_cast<double>(setup.step);
    const std::array<DataPoint, 2> cursor = {{{now, range.lo}, {now, range.hi}}};
    if (setup.step > 0) chart.series.push_back({"", cursor, ui.theme.ink, Dash::solid, 1.5f});
    for (const LossLine& line : lines)
        chart.series.push_back({line.lane.name, line.future, line.style.color.with_alpha(0.35f),
                                line.style.dash, 1.5f});
    for (const LossLine& line : lines)
        chart.series.push_back({line.lane.name, line.past, line.style.color, line.style.dash, 2});
    const LinePlot plot = line_plot(ui.canvas, inside, chart);
    chart.x_ticks = ticks_of_steps(ui.canvas, steps, plot);
    if (ui.hit("chart", plot.plot, {.focusable = false}).hovered) point_at_step(ui, f, a, plot.x);
    draw_line_chart(ui.canvas, ui.theme, inside, chart);
    draw_ends(ui, ends_of(lines, plot, range, setup.step), plot.plot);
}

} // namespace normscope
