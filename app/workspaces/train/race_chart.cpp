#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace normscope {

namespace {

constexpr ChoiceName k_axes[] = {{"linear", "linear"}, {"log", "log"}};
constexpr double k_least_shown_loss = 1e-6, k_most_shown_loss = 1e4;

constexpr std::string_view k_what_loss_is =
    "A lane is one network. Its loss is 0 where its answers are right and sure.";
constexpr float k_loss_words_w = 1500; // of the longest words above the chart, in one line
constexpr double k_below_guess = 0.95; // of its loss: what is nearer may be chance

constexpr ChoiceName k_smooth[] = {{"on", "on"}, {"off", "off"}};

// A lane's losses as they are drawn.
struct LossLine {
    SeenLane lane;
    std::vector<DataPoint> past, future; // up to the step that is looked at, and beyond
    std::vector<DataPoint> batches;      // of the past, where that is smoothed
    std::vector<DataPoint> before;       // of its run before its settings changed
};

// Appends the losses of batches beyond step `from`: of each place the mean of its steps.
void append_batches(std::vector<DataPoint>& out, Index from, const std::vector<Index>& ends,
                    const LaneTrace& trace) {
    append_means(out, from, ends,
                 [&](Index step) { return static_cast<double>(entry_at(trace.loss, step - 1)); });
}

// Appends the losses beyond step `from` as the person wants them: smoothed as the table has them.
void append_losses(std::vector<DataPoint>& out, const TrainPanel& p, Index from, Index to,
                   const LaneTrace& trace) {
    const std::vector<Index> ends = places_of(p, to);
    if (!p.view.smooth) return append_batches(out, from, ends, trace);
    for (const Index end : ends)
        if (end > from) out.push_back({static_cast<double>(end), *trace.loss_at(end)});
}

LossLine line_of(const TrainPanel& p, const SeenLane& lane) {
    LossLine out{lane, {}, {}, {}, {}};
    if (!lane.state) return out;
    const auto& all_before = race_of(p).before;
    const LaneTrace& trace = lane.state->trace;
    const Index race = p.document.train.common.steps;
    const Index now = shown_steps(p, trace);
    if (const auto before = all_before.find(lane.look);
        before != all_before.end() && before->second.get() != lane.state) {
        const LaneTrace& old = before->second->trace;
        const Lane& own = (*p.document.train.lanes)[lane.index];
        const Index from = own.past.empty() ? 0 : own.past.back().until;
        append_losses(out.before, p, from, std::min(old.steps(), race), old);
    }
    append_losses(out.past, p, 0, now, trace);
    if (p.view.smooth) append_batches(out.batches, 0, places_of(p, now), trace);
    append_losses(out.future, p, now, std::min(trace.steps(), race), trace);
    if (!out.past.empty() && !out.future.empty())
        out.future.insert(out.future.begin(), out.past.back());
    return out;
}

LineRange loss_range(const std::vector<LossLine>& lines, double base, bool log) {
    std::vector<double> values{base * (log ? 1 : 1.2)};
    for (const LossLine& line : lines)
        for (const auto* points : {&line.past, &line.future})
            for (const DataPoint& p : *points)
                values.push_back(std::clamp(p.y, k_least_shown_loss, k_most_shown_loss));
    if (log) values.push_back(base / 3);
    LineRange range = line_range(log ? ScaleKind::log : ScaleKind::linear, values);
    // One that blew up would press all others onto the axis.
    const double decade = std::pow(10, 2 + std::ceil(std::log10(std::max(1.0, base))));
    range.hi = std::min(range.hi, log ? decade : 4 * base);
    return range;
}

// A line's last point that is looked at, with the lane's name, from top to bottom.
std::vector<LineMark> ends_of(const TrainPanel& p, const std::vector<LossLine>& lines,
                              LineRange range, float most_w) {
    std::vector<LineMark> out;
    for (const LossLine& line : lines) {
        const std::string diverged = diverged_words(p, line.lane);
        if (line.past.empty() && diverged.empty()) continue;
        const DataPoint end = line.past.empty() ? DataPoint{1, range.hi} : line.past.back();
        const std::string words =
            diverged.empty() ? line.lane.name : line.lane.name + ": " + diverged;
        out.push_back({end.x, std::clamp(end.y, range.lo, range.hi),
                       p.canvas.elide(Text::typed(words), TextRole::small, most_w),
                       line.lane.style.color,
                       diverged.empty() ? line.lane.style.marker : Marker::cross});
    }
    std::ranges::sort(out, std::ranges::greater(), &LineMark::y);
    return out;
}

// The axis goes on beyond the last step, so that names have a place.
double axis_end(const LineChart& steps, float share) {
    const double t = 1 / static_cast<double>(1 - share);
    if (steps.x_kind == ScaleKind::log) return std::pow(steps.x_hi, t);
    return std::lerp(steps.x_lo, steps.x_hi, t);
}

// Whether one predicts first; the axes, and how the lines are drawn.
void race_choices(TrainPanel& p, Rect& inside) {
    Rect row = cut_top(inside, 28);
    const bool may = can_predict(p.document.train);
    if (right_button(p, "predict", row,
                     {"Predict first",
                      may ? "Say what you expect, then run the race: both are shown"
                          : "Reset first: one predicts before the race",
                      may, may && p.view.predicting ? ButtonLook::primary : ButtonLook::plain}))
        p.next.predicting = !p.view.predicting;
    const Rect folds = cut_left(row, more_width(p), 8);
    if (!more(p, folds, p.view.more_axes, p.next.more_axes)) return;
    cut_top(inside, 4);
    row = cut_top(inside, 28);
    const auto one = [&](NamePart id, std::string_view label, std::span<const ChoiceName> choices,
                         int now) {
        left_words(p, row, label, TextRole::small, p.theme.ink_soft, 7);
        return segmented(p, id, cut_left(row, segmented_width(p, choices), 14), choices, now);
    };
    if (const auto c = one("loss-axis", tr("loss"), k_axes, p.view.log_loss ? 1 : 0))
        p.next.log_loss = *c == 1;
    if (const auto c = one("steps-axis", tr("steps"), k_axes, p.view.log_steps ? 1 : 0))
        p.next.log_steps = *c == 1;
    if (const auto c = one("smooth", tr("smooth"), k_smooth, p.view.smooth ? 0 : 1))
        p.next.smooth = *c == 0;
}

// Pale lines are of one thing: of the runs before a change, else of single batches.
bool any_before(const std::vector<LossLine>& lines) {
    return std::ranges::any_of(lines, [](const LossLine& line) { return !line.before.empty(); });
}

// How the lines are smoothed, and the runs that the pale ones are of.
std::string race_words(const TrainPanel& p, const std::vector<LossLine>& lines) {
    const auto step = last_branch(p.document.train);
    const std::string pale = step ? worded("branched at step {}; pale: as it was going", *step)
                             : any_before(lines) ? worded("begun anew; pale: before the change")
                                                 : std::string();
    if (!p.view.smooth) return pale.empty() ? worded("of each batch") : pale;
    return pale.empty() ? worded("smoothed over {} steps; pale: each batch", k_loss_mean)
                        : worded("smoothed over {} steps; {}", k_loss_mean, pale);
}

// A sentence at the end of a race: whether it takes norm and skip.
std::string needed_words(const TrainPanel& p) {
    const RaceSetup& setup = p.document.train;
    unsigned there = 0, reached = 0; // lanes: a bit for each of the four, by norm and skip
    for (const SeenLane& lane : seen_lanes(p)) {
        const TrainConfig c = config_of(setup, (*setup.lanes)[lane.index]);
        const unsigned bits = c.skip == Skip::none ? 1 : 4;
        const unsigned bit = norm_entry(c.norm).normalizes() ? 2 * bits : bits;
        there |= bit;
        if (lane.state && lane.state->trace.hit) reached |= bit;
    }
    if (setup.step < setup.common.steps || there != 15) return {};
    if (reached == 8)
        return ' ' +
               worded("It takes both here: the skip brings every layer its gradient, the norm "
                      "keeps sizes in range. Is it so with fewer layers?");
    return reached == 15 ? ' ' + worded("All four learn here: so few layers need neither.") : "";
}

// A wrong answer costs at least log 2 with two classes: a lane below the guess line whose answers
// are no more often right than a guess is surer of its right answers.
std::string surer_words(const TrainPanel& p) {
    const auto& data = race_of(p).data;
    if (!data || data->class_count != 2 || !data->guess.test_accuracy) return {};
    const Index step = p.document.train.step;
    for (const SeenLane& lane : trained_lanes(p)) {
        const LaneTrace& trace = lane.state->trace;
        const auto loss = trace.loss_at(step);
        const TestLook* const look = trace.look_at(step);
        if (!loss || !look || !diverged_words(p, lane).empty() ||
            *loss > k_below_guess * data->guess.loss || look->accuracy > *data->guess.test_accuracy)
            continue;
        return ' ' + worded("“{}” is below the guess line with {} right: it is surer where it is "
                            "right than where it is wrong.",
                            lane.name, percent_text(look->accuracy));
    }
    return {};
}

} // namespace

void race_panel(TrainPanel& p) {
    const IdScope scope(p, "race");
    const RaceSetup& setup = p.document.train;
    std::vector<LossLine> lines;
    const std::vector<SeenLane> lanes = seen_lanes(p);
    for (const SeenLane& lane : lanes) lines.push_back(line_of(p, lane));
    const bool wide = p.rect.w > 760;
    Rect inside = p.framed({.title = wide ? "Loss of each lane: the same start, the same batches"
                                          : "Loss of each lane",
                            .hint = race_words(p, lines)});
    if (!p.state.picture) race_choices(p, inside);
    if (!p.state.picture) {
        const std::string words = worded(k_what_loss_is) + needed_words(p) + surer_words(p);
        const float room = lines_height(p, inside.w, k_loss_words_w);
        cut_top(inside, std::max(room, soft_paragraph(p, inside, words)));
    }
    cut_top(inside, 4);
    if (can_predict(setup) && p.view.predicting) return ask_prediction(p, inside);
    if (const std::string verdict = prediction_verdict(p); !verdict.empty())
        p.label(cut_top(inside, 22), verdict, TextRole::small);
    LineChart chart = step_chart(p);
    chart.levels.push_back(base_line(p));
    const LineRange range = loss_range(lines, chart.levels.front().y, p.view.log_loss);
    chart.y_kind = p.view.log_loss ? ScaleKind::log : ScaleKind::linear;
    chart.x_hi = axis_end(chart, std::min(0.34f, widest_name(p, lanes) / (inside.w - 50.0f)));
    chart.y_lo = range.lo;
    chart.y_hi = range.hi;
    for (const LossLine& line : lines)
        chart.series.push_back({line.before, {line.lane.style.color.with_alpha(0.45f)}, 1});
    const std::vector<DataPoint> predicted = predicted_curve(p);
    chart.series.push_back({predicted, {p.theme.focus.with_alpha(0.6f)}, 5});
    const double fork = static_cast<double>(last_branch(setup).value_or(0));
    const std::array<DataPoint, 2> fork_line = {{{fork, range.lo}, {fork, range.hi}}};
    if (fork > 0) chart.series.push_back({fork_line, {p.theme.ink_soft, Dash::dashed}, 1});
    const auto now = static_cast<double>(setup.step);
    const std::array<DataPoint, 2> cursor = {{{now, range.lo}, {now, range.hi}}};
    if (setup.step > 0) chart.series.push_back({cursor, {p.theme.ink}, 1.5f});
    if (!any_before(lines))
        for (const LossLine& line : lines)
            chart.series.push_back({line.batches, {line.lane.style.color.with_alpha(0.3f)}, 1});
    for (const LossLine& line : lines)
        chart.series.push_back(
            {line.future, {line.lane.style.color.with_alpha(0.35f), line.lane.style.dash}, 1.5f});
    for (const LossLine& line : lines)
        chart.series.push_back({line.past, {line.lane.style.color, line.lane.style.dash}});
    const LinePlot plot = plot_steps(p, inside, chart);
    const Hit hit = p.hit("chart", plot.plot, k_by_mouse);
    if (hit.hovered && race_of(p).head > 0) point_at_step(p, plot.x);
    chart.marks = ends_of(p, lines, range, plot.plot.w * 0.6f);
    draw_line_chart(p.canvas, p.theme, inside, chart);
}

} // namespace normscope
