#include "app/language/language.h"
#include "app/layout/sliders.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_least_seconds = 0.5; // of a race: a shorter one is not seen
constexpr double k_look_ahead = 0.25;   // seconds of a race that are trained before they are shown
constexpr float k_knob = 8;             // the radius of the scrubber's
constexpr float k_one_line = 900;       // that all fits into

constexpr double k_paces[] = {5, 10, 25, 50, 100, 250, 500, double{k_fastest}};

double pace_of(const TrainView& view, const TrainConfig& c) {
    const double fastest = static_cast<double>(c.steps) / k_least_seconds;
    return view.pace == k_fastest ? fastest : std::min(fastest, static_cast<double>(view.pace));
}

void pace_control(TrainPanel& p, Rect r) {
    left_words(p, r, tr("speed"), TextRole::small, p.theme.ink_soft, 8);
    const Index now = p.view.pace;
    SliderSpec spec =
        listed(static_cast<double>(now), k_paces, static_cast<double>(TrainView().pace),
               "Steps a second that are shown; at the right end as many as the "
               "machine takes");
    spec.text = now == k_fastest ? worded("fastest") : worded("{} steps/s", now);
    spec.accepted = whole_numbers(1, double{k_fastest});
    slide_into(p, "pace", r, spec, p.next.pace);
}

void go_to(TrainPanel& p, Index step) {
    const RaceSetup& setup = p.document.train;
    const Index to = std::clamp<Index>(step, 0, setup.common.steps);
    if (to != setup.step) p.edit(set<&RaceSetup::step>(to));
}

// Along the track, step 0 at its beginning.
struct Track {
    Rect bar;
    bool log;
    double steps;

    float place(double step) const {
        const double t = log ? std::log1p(step) / std::log1p(steps) : step / steps;
        return bar.x + bar.w * static_cast<float>(std::clamp(t, 0.0, 1.0));
    }
    Index step_at(float x) const {
        const double t = std::clamp(static_cast<double>((x - bar.x) / bar.w), 0.0, 1.0);
        return static_cast<Index>(std::lround(log ? std::expm1(t * std::log1p(steps)) : t * steps));
    }
};

Track track_of(const TrainPanel& p, Rect r) {
    return {r.inset(k_knob, (r.h - 4) / 2), p.view.log_steps,
            static_cast<double>(p.document.train.common.steps)};
}

std::optional<Index> step_by_key(const Hit& hit, Ui& ui, Index step, Index steps) {
    if (!hit.focused) return std::nullopt;
    ui.state.scroll_keys_used = true;
    const Index by = shift_down() ? 10 : 1, page = std::max<Index>(1, steps / 10);
    if (key_pressed(Key::left, true)) return step - by;
    if (key_pressed(Key::right, true)) return step + by;
    if (key_pressed(Key::page_down, true)) return step + page;
    if (key_pressed(Key::page_up, true)) return step - page;
    if (key_pressed(Key::home)) return 0;
    if (key_pressed(Key::end)) return steps;
    return std::nullopt;
}

void scrubber(TrainPanel& p, Rect r) {
    const RaceSetup& setup = p.document.train;
    const Hit hit = p.hit("step", r, {.kind = PartKind::slider});
    const float radius = k_knob;
    const Track track = track_of(p, r);
    p.canvas.fill_rect(track.bar, p.theme.rule, k_fully_round);
    // As far as it has been trained.
    Rect done = track.bar;
    done.w = track.place(static_cast<double>(race_of(p).head)) - done.x;
    p.canvas.fill_rect(done, p.theme.ink_soft, k_fully_round);
    p.canvas.fill_circle({track.place(static_cast<double>(setup.step)), track.bar.center().y},
                         radius, p.theme.accent);
    p.focus_ring(hit, r, k_knob);
    p.tooltip(hit, "The step that everything shows: drag to go back, ← → by one, Home, End");
    if (hit.held)
        go_to(p, track.step_at(p.mouse().x));
    else if (const auto step = step_by_key(hit, p, setup.step, setup.common.steps))
        go_to(p, *step);
}

// A marker at the step at which each lane reached the mark.
void hits_row(TrainPanel& p, Rect r) {
    const Track track = track_of(p, r);
    float free = r.right(); // up to the first of them
    for (const SeenLane& lane : seen_lanes(p)) {
        if (!lane.state || !lane.state->trace.hit ||
            *lane.state->trace.hit > p.document.train.common.steps)
            continue;
        const float at = track.place(static_cast<double>(*lane.state->trace.hit));
        free = std::min(free, at);
        draw_marker(p.canvas, lane.style.marker, {at, r.center().y}, 4, lane.style.color);
    }
    const auto mark = mark_of(p);
    if (free == r.right() || !mark) return;
    soft_label(p, {r.x, r.y, free - r.x - 8, r.h},
               worded("{}, tested every {} steps", percent_text(*mark), k_look_every));
}

void track_ticks(TrainPanel& p, Rect r) {
    const Track track = track_of(p, r);
    std::vector<double> values{0};
    if (track.log)
        for (double v = 10; v * 3 < track.steps; v *= 10) values.push_back(v);
    else
        values.push_back(std::floor(track.steps / 2));
    values.push_back(track.steps);
    for (const double v : values) {
        const std::string text = fmt::format("{:.0f}", v);
        const float w = small_width(p, text) + 1;
        const float x = std::clamp(track.place(v) - w / 2, r.x, r.right() - w);
        soft_label(p, {x, r.y, w, r.h}, text);
    }
}

std::string size_words(double bytes) {
    return bytes < 1e9 ? worded("{:.0f} MB", std::max(1.0, bytes / 1e6))
                       : worded("{:.1f} GB", bytes / 1e9);
}

} // namespace

void run_panel(TrainPanel& p) {
    const RaceSetup& setup = p.document.train;
    const RaceState& state = race_of(p);
    Column rows = p.column("run", {});
    const bool one_line = rows.width() >= k_one_line && !p.state.picture;
    Rect row = rows.next(28, one_line ? 0 : 6);
    bool running = p.frame.view.running;
    const bool can_run =
        setup.step < setup.common.steps && !seen_lanes(p).empty() && !state.too_large();
    constexpr float k_gap = 6;
    const std::string starts = worded("Trains all lanes side by side; it takes about {} of memory",
                                      size_words(state.bytes));
    if (button(p, "run", cut_left(row, button_width(p, "Pause"), k_gap),
               {running ? "Pause" : "Run",
                running             ? "Stops here"
                : can_run           ? starts
                : state.too_large() ? "It would take too much memory"
                                    : "The race is over: go back, or take more steps in Setup",
                running || can_run, ButtonLook::primary})) {
        running = !running;
        p.next.due = 0;
    }
    if (left_button(p, "one-step", row, {"Step", "One step of every lane", can_run && !running},
                    k_gap))
        go_to(p, setup.step + 1);
    if (left_button(p, "reset", row, {"Reset", "Back to the first weights", setup.step > 0}, 18)) {
        go_to(p, 0);
        running = false;
    }
    if (!p.state.picture) pace_control(p, one_line ? cut_left(row, 270, 18) : rows.next(28, 6));
    if (state.too_large()) {
        p.actions.view.running = false;
        rows.measured([&](Rect r) {
            return error_paragraph(
                p, r,
                worded("This race would take about {}, and at most {} are used: take fewer lanes, "
                       "layers, features or points, or a smaller batch",
                       size_words(state.bytes), size_words(k_most_race_bytes)));
        });
        return;
    }
    Rect words = one_line ? cut_right(row, 150, 12) : row;
    const Rect track = one_line ? row : rows.next(24);
    Rect marks = rows.next(16), ticks = rows.next(16);
    marks.x = ticks.x = track.x;
    marks.w = ticks.w = track.w;
    p.label(words,
            state.behind ? worded("training: {} of {}", state.head, setup.step)
                         : worded("step {} of {}", setup.step, setup.common.steps),
            TextRole::small, p.theme.ink, Align::right);
    scrubber(p, track);
    hits_row(p, marks);
    track_ticks(p, ticks);
    p.next.head = state.head;
    bool& runs = p.actions.view.running;
    runs = running && can_run && p.actions.edits.empty();
    if (runs)
        memory_of(p).ahead = std::max<Index>(
            1, static_cast<Index>(std::ceil(pace_of(p.view, setup.common) * k_look_ahead)));
}

std::optional<Edit> race_due(View& view, const Document& d, double seconds) {
    TrainView& own = view.of<TrainView>();
    const RaceSetup& setup = d.train;
    own.due = std::min(own.due + seconds * pace_of(own, setup.common),
                       static_cast<double>(std::max<Index>(1, setup.common.steps / 10)));
    const auto steps = std::min(static_cast<Index>(own.due), own.head - setup.step);
    if (steps <= 0) return std::nullopt;
    own.due -= static_cast<double>(steps);
    return set<&RaceSetup::step>(std::min(setup.step + steps, setup.common.steps));
}

} // namespace normscope
