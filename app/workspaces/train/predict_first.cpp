#include "app/language/language.h"
#include "app/workspaces/shared/pen.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr int k_drawn_places = 60;                     // along the axis of steps
constexpr double k_least_drawn = -6, k_most_drawn = 2; // log10(loss)
constexpr float k_asked_row = 32, k_asked_line = 24;
constexpr ChoiceName k_fates[] = {{"open", "–"}, {"first", "first"}, {"blows-up", "blows up"}};

const RacePrediction* prediction_of(const TrainPanel& p) {
    const auto& predicted = p.view.predicted;
    return predicted && predicted->of == p.document.train ? &*predicted : nullptr;
}

int fate_of(const RacePrediction* predicted, std::size_t look) {
    if (!predicted) return 0;
    if (predicted->first == look) return 1;
    return std::ranges::count(predicted->blow_up, look) > 0 ? 2 : 0;
}

RacePrediction& prediction_in(TrainPanel& p) {
    const RaceSetup& setup = p.document.train;
    auto& predicted = p.next.predicted;
    if (!predicted || !(predicted->of == setup)) predicted = {setup, {}, {}, {}};
    return *predicted;
}

void ask_lane(TrainPanel& p, Rect row, const SeenLane& lane) {
    const IdScope scope(p, fmt::format("lane-{}", lane.index));
    const Rect fate = cut_right(row, segmented_width(p, k_fates), 8);
    lane_heading(p, row, lane);
    const auto chosen = segmented(p, "fate", {fate.x, fate.y + 2, fate.w, 28}, k_fates,
                                  fate_of(prediction_of(p), lane.look));
    if (!chosen) return;
    RacePrediction& predicted = prediction_in(p);
    std::erase(predicted.blow_up, lane.look);
    if (predicted.first == lane.look) predicted.first.reset();
    if (*chosen == 1) predicted.first = lane.look;
    if (*chosen == 2) predicted.blow_up.push_back(lane.look);
}

void draw_on_chart(TrainPanel& p, Rect area) {
    const std::vector<DataPoint> drawn = predicted_curve(p);
    LineChart chart = step_chart(p);
    chart.y_kind = ScaleKind::log;
    chart.y_lo = std::pow(10.0, k_least_drawn);
    chart.y_hi = std::pow(10.0, k_most_drawn);
    chart.levels.push_back(base_line(p));
    chart.series.push_back({drawn, {p.theme.focus}, 5});
    const LinePlot plot = plot_steps(p, area, chart);
    const Hit hit = p.hit("pen", plot.plot, k_by_mouse);
    if (const auto stroke = pen_moved(p, hit)) {
        const auto point = [&](Point at) {
            const double t = static_cast<double>((at.x - plot.plot.x) / plot.plot.w);
            return DataPoint{t * k_drawn_places, std::log10(plot.y.value(at.y))};
        };
        pen_stroke(prediction_in(p).drawn, k_drawn_places, point(stroke->first),
                   point(stroke->second), k_least_drawn, k_most_drawn);
    }
    draw_line_chart(p.canvas, p.theme, area, chart);
}

// "Batch norm first; No norm and RMS norm blew up".
std::string outcome_words(const std::string& first, const std::vector<std::string>& blown,
                          std::string_view one_does, std::string_view several_do) {
    std::string out = first.empty() ? std::string() : worded("{} first", first);
    for (const auto i : indices(blown)) {
        const bool last = i + 1 == blown.size();
        out += i > 0 ? (last ? tr(" and ") : ", ") : out.empty() ? "" : "; ";
        out += blown[i];
    }
    return blown.empty() ? out : worded("{} {}", out, blown.size() == 1 ? one_does : several_do);
}

} // namespace

bool can_predict(const RaceSetup& setup) {
    return setup.step == 0;
}

void ask_prediction(TrainPanel& p, Rect inside) {
    p.label(cut_top(inside, k_asked_line),
            "Which lane has the lowest loss in the end? Which blow up? Then press Run.",
            TextRole::small);
    Rect right = cut_right(inside, std::floor(inside.w * 0.46f));
    cut_left(right, 12);
    for (const SeenLane& lane : seen_lanes(p)) ask_lane(p, cut_top(inside, k_asked_row), lane);
    soft_label(p, cut_top(right, k_asked_line), "Or draw the loss of the first: drag");
    draw_on_chart(p, right);
}

std::string prediction_verdict(const TrainPanel& p) {
    const RacePrediction* const predicted = prediction_of(p);
    const Index step = p.document.train.step;
    if (!predicted || step == 0) return {};
    std::string guessed_first, first;
    std::vector<std::string> guessed_blown, blown;
    double least = 0;
    for (const SeenLane& lane : seen_lanes(p)) {
        const int fate = fate_of(predicted, lane.look);
        if (fate == 1) guessed_first = lane.name;
        if (fate == 2) guessed_blown.push_back(lane.name);
        if (!diverged_words(p, lane).empty()) {
            blown.push_back(lane.name);
        } else if (const auto loss = lane.state ? lane.state->trace.loss_at(step) : std::nullopt;
                   loss && (first.empty() || *loss < least)) {
            least = *loss;
            first = lane.name;
        }
    }
    const std::string guess = outcome_words(guessed_first, guessed_blown, "blows up", "blow up");
    if (guess.empty() && predicted->drawn.empty()) return {};
    return worded("You: {}. Step {}: {}", guess.empty() ? worded("the thick line") : guess, step,
                  outcome_words(first, blown, "blew up", "blew up"));
}

std::vector<DataPoint> predicted_curve(const TrainPanel& p) {
    std::vector<DataPoint> out;
    const Scale places = step_scale(p, {0, 0, k_drawn_places, 0});
    if (const RacePrediction* const predicted = prediction_of(p))
        for (const auto& [place, loss] : predicted->drawn)
            out.push_back({places.value(static_cast<float>(place)), std::pow(10.0, loss)});
    return out;
}

} // namespace normscope
