#include "app/charts/line_chart.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_goal = 0.99;

// Fine at the beginning, where most happens.
SliderSpec updates_slider(int updates) {
    return {.value = static_cast<double>(updates),
            .to_unit = [](double v) { return std::cbrt(v / k_most_updates); },
            .from_unit = [](double t) { return std::round(t * t * t * k_most_updates); },
            .reset = 44,
            .text = fmt::format("{}", updates),
            .hint = "How often the batch was seen in training",
            .accepted = whole_numbers(0, k_most_updates)};
}

void controls(BatchPanel& p, Column& rows) {
    const BatchSetup& s = p.document.batch;
    p.control<&BatchSetup::momentum>(rows.row(tr("momentum")));
    const auto moved = slide<int>(p, setting<&BatchSetup::updates>(), rows.row(tr("updates")),
                                  updates_slider(s.updates));
    if (moved) p.edit(set<&BatchSetup::updates>(*moved));
    const bool on = s.nan_update > 0;
    const auto buttons = [&](FlowLayout& flow) {
        if (button(p, flow, "step", {"Step", "One more update", s.updates < k_most_updates}))
            p.edit(set<&BatchSetup::updates>(s.updates + 1));
        if (button(p, flow, "reset",
                   {"Reset", "Mean 0, variance 1, no updates, no NaN batch", s.updates > 0 || on}))
            p.edit(ResetRunning{});
        if (button(p, flow, "nan",
                   {"NaN batch", "One batch on the way holds a NaN", true,
                    on ? ButtonLook::primary : ButtonLook::plain}))
            p.edit(set<&BatchSetup::nan_update>(on ? 0 : std::max(1, (s.updates + 1) / 2)));
        if (!on) return;
        const std::string text = worded("at update {}", s.nan_update);
        constexpr Accepted k_updates = whole_numbers(1, k_most_updates);
        if (const auto at = number_field(p, setting<&BatchSetup::nan_update>(),
                                         flow.next(button_width(p, text)), s.nan_update, text,
                                         "Click to type", k_updates))
            p.edit(set<&BatchSetup::nan_update>(static_cast<int>(*at)));
    };
    rows.flow(buttons, 6);
}

// Room for the updates made and for the way to the goal.
int chart_end(int updates, double momentum) {
    const int goal = updates_to_reach(k_goal, momentum);
    for (const int end : {60, 120, 250, 500, 1000, 2500})
        if (updates <= end * 9 / 10 && goal <= end * 19 / 20) return end;
    return k_most_updates;
}

// The points of a curve: a few hundred are as smooth as the screen shows. The last is always there.
std::vector<DataPoint> curve(const std::vector<double>& share) {
    const std::size_t step = std::max<std::size_t>(1, share.size() / 500);
    std::vector<DataPoint> points;
    for (std::size_t n = 0; n < share.size(); n += step)
        points.push_back({static_cast<double>(n), share[n]});
    if (points.back().x < static_cast<double>(share.size() - 1))
        points.push_back({static_cast<double>(share.size() - 1), share.back()});
    return points;
}

void chart(Ui& ui, Rect r, BatchSetup s, const TrainAndEval& t) {
    if (t.learned_on == 0) s.updates = 0; // none was made
    const int end = chart_end(s.updates, s.momentum);
    const auto share = running_share(s.momentum, end, 0);
    const auto seen = running_share(s.momentum, s.updates, s.nan_update);
    const std::vector<DataPoint> ahead = curve(share);
    const std::vector<DataPoint> done = curve(seen);
    const std::array<DataPoint, 2> goal = {DataPoint{0, k_goal}, DataPoint{double(end), k_goal}};
    LineChart c;
    c.x_hi = end;
    c.x_title = tr("updates");
    c.y_title = "share of the way to the batch's μ and σ²; dashed: 99 %";
    const Color color = ui.theme.of(Stage::x_hat);
    c.series.push_back({goal, {ui.theme.ink_soft, Dash::dashed}, 1});
    c.series.push_back({ahead, {color.with_alpha(0.5f), Dash::dotted}, 1.5f});
    c.series.push_back({done, {color}, 2.5f});
    if (!std::isnan(seen.back())) c.marks.push_back({double(s.updates), seen.back(), "", color});
    draw_line_chart(ui.canvas, ui.theme, r, c);
    if (s.nan_update == 0 || s.nan_update > s.updates) return;
    const LinePlot p = line_plot(ui.canvas, r, c);
    const float x = p.x.pixel(s.nan_update);
    const float y = p.y.pixel(entry_at(share, s.nan_update - 1));
    const float d = 6;
    const Color error = ui.theme.error;
    ui.canvas.fill_rect({x, p.plot.y, std::max(0.0f, p.x.pixel(s.updates) - x), p.plot.h},
                        error.with_alpha(0.10f));
    ui.canvas.down(p.plot, x, error, 1.5f, Dash::dashed);
    ui.canvas.line({x - d, y - d}, {x + d, y + d}, error, 2.5f);
    ui.canvas.line({x - d, y + d}, {x + d, y - d}, error, 2.5f);
    const float w = small_width(ui, "NaN for good");
    const bool right = x + 8 + w <= p.plot.right();
    ui.canvas.text({right ? x + 8.0f : x - 8.0f, p.plot.bottom() - 24.0f}, "NaN for good",
                   TextRole::small, error, right ? Align::left : Align::right);
}

std::string words(const Frame& f, const TrainAndEval& t) {
    const BatchSetup& s = f.document.batch;
    if (t.learned_on == 0)
        return "There is one sample in all, and a batch of one cannot be trained on: no update is "
               "made, the running mean stays 0 and the running variance 1.";
    if (t.poisoned)
        return worded("Update {} was NaN, and (1 − m)·NaN + m·μ is NaN however many good "
                      "batches follow: evaluation is NaN for good. Training does not show it. "
                      "The way out: reset the running statistics, then train on finite "
                      "batches.",
                      s.nan_update);
    const auto share = running_share(s.momentum, s.updates, 0);
    std::string updates =
        s.updates == 1 ? worded("{} update", s.updates) : worded("{} updates", s.updates);
    if (t.train_error) updates = worded("{} with batches of all {} samples", updates, t.learned_on);
    std::string way = worded("{}: {:.1f} % of the way; 99 % takes {}.", updates, 100 * share.back(),
                             updates_to_reach(k_goal, s.momentum)) +
                      ' ';
    if (s.nan_update > s.updates)
        way += worded("The NaN batch is still ahead, at update {}.", s.nan_update) + ' ';
    const Index features = t.running.mean.size();
    const Index nans = t.running.mean.array().isNaN().count();
    if (nans > 0) {
        Index first = 0;
        while (!std::isnan(t.running.mean(first))) ++first;
        const std::string& name = group_name(f.document, Axis::feature, first);
        return way + worded("{}: not all of its samples are finite, and so its "
                            "running μ and σ² are NaN from the first update on.",
                            nans == 1 ? worded("Not for “{}”", name)
                            : nans == features
                                ? worded("Not for “{}” and all others", name)
                                : worded("Not for “{}” and {} more", name, nans - 1));
    }
    const Index d = probed_cell(f).feature;
    // With decimals that are seen in either.
    const auto of = [](double running, double batch) {
        const double seen = std::min(std::abs(running), std::abs(batch));
        const auto text = [&](double v) {
            return seen < 1e-2 ? number_text(v, 3) : compact_text(v, 3);
        };
        return worded("{} of {}", text(running), text(batch));
    };
    return way + worded("“{}”: running μ {}, σ² {} (÷ ({} − 1)).",
                        group_name(f.document, Axis::feature, d), of(t.running.mean(d), t.mean(d)),
                        of(t.running.var(d), t.variance(d)), t.train_error ? "T" : "B");
}

} // namespace

void running_panel(BatchPanel& p) {
    const TrainAndEval& t = study_of(p.frame).training();
    Column rows =
        p.column("running", {.title = "Running statistics", .hint = "(1 − m)·running + m·batch"});
    controls(p, rows);
    Rect inside = rows.rest();
    const Rect text = cut_bottom(inside, t.poisoned ? 92 : 64, 4);
    paragraph(p, text, words(p.frame, t), TextRole::small,
              t.poisoned ? p.theme.error : p.theme.ink_soft);
    chart(p, inside, p.document.batch, t);
}

} // namespace normscope
