#include "app/charts/distribution_chart.h"
#include "app/charts/plot.h"
#include "app/study/add_norm/play.h"
#include "app/words/add_norm_words.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/tensor_style.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {

namespace {

constexpr double k_seconds_a_played_step = 4; // a sentence of speech
constexpr double k_longest_pause = 0.1;       // the first frame after a rest counts as no more
constexpr double k_next_instant = 1e-4;       // less: the same frame, drawn again
constexpr std::string_view k_pause = "Pause", k_go_on = "Go on", k_stop_play = "End the play";

// The step before or after the one that is lit, as it is at its end.
void walk(AddNormView& v, int steps) {
    go_to(v, std::clamp(v.playing.value_or(0) + steps, 0, k_worked_steps - 1) + 1);
}

void end(AddNormView& v) {
    v.playing.reset();
    v.play_runs = false;
}

bool at_the_end(const AddNormView& v) {
    return v.playing == k_worked_steps - 1 && v.played >= 1;
}

// Space: on from here, or a rest.
void go_on(AddNormPanel& p) {
    AddNormView& v = p.next;
    if (at_the_end(v)) return end(v);
    if (p.frame.view.reduce_motion) return walk(v, 1);
    v.play_runs = !v.play_runs;
}

constexpr std::array<std::string_view, k_played_steps> k_step_marks = {
    "1 Add", "2 Mean", "3 Variance", "4 Normalize", "5 Scale"};
constexpr float k_played_dot = 6;      // its radius
constexpr float k_stick_lane = 11;     // between the sticks of two values
constexpr std::size_t k_few_words = 8; // values whose numbers stand beside them

// The time as a place on a track, with the steps as marks.
void time_slider(AddNormPanel& p, Rect r) {
    const double time = p.view.played_time();
    Rect names = cut_bottom(r, 18);
    const Hit hit = p.hit("time", r, {.kind = PartKind::slider});
    const float radius = 8;
    const Rect track = r.inset(radius, (r.h - 4) / 2);
    const auto x_of = [&](double t) {
        return track.x + track.w * static_cast<float>(t / k_played_steps);
    };
    if (hit.held)
        go_to(p.next, std::clamp(static_cast<double>((p.mouse().x - track.x) / track.w), 0.0, 1.0) *
                          k_played_steps);
    if (hit.focused) {
        constexpr double k_step = 0.05;
        p.state.scroll_keys_used = true;
        if (key_pressed(Key::right, true)) go_to(p.next, std::min(time + k_step, 5.0));
        if (key_pressed(Key::left, true)) go_to(p.next, std::max(time - k_step, 0.0));
        if (key_pressed(Key::home)) go_to(p.next, 0);
        if (key_pressed(Key::end)) go_to(p.next, k_played_steps);
    }
    p.canvas.fill_rect(track, p.theme.rule, k_fully_round);
    p.canvas.fill_rect({track.x, track.y, x_of(time) - track.x, track.h}, p.theme.accent,
                       k_fully_round);
    for (int i = 0; i <= k_played_steps; ++i)
        p.canvas.fill_rect({x_of(i) - 1, r.center().y - 7, 2, 14}, p.theme.ink_soft);
    p.canvas.fill_circle({x_of(time), track.center().y}, radius, p.theme.accent);
    p.focus_ring(hit, r, 8);
    p.tooltip(hit, "Drag through the five steps");
    cut_left(names, radius);
    const int lit = p.view.playing.value_or(0);
    for (const auto i : indices(k_played_steps))
        p.label(cut_left(names, track.w / k_played_steps), entry_at(k_step_marks, i),
                TextRole::small, i == lit ? p.theme.ink : p.theme.ink_soft, Align::center);
}

// One unit as long upwards as along the line, so that a deviation's square is a square.
PlayedLine line_in(Rect plot, const PlayedRange& range) {
    const float side = 34;
    const double lo = range.hi > range.lo ? range.lo : -1;
    const double hi = range.hi > range.lo ? range.hi : 1;
    const float across = (plot.w - 2 * side) / static_cast<float>(hi - lo);
    const float upwards =
        range.farthest > 0 ? (plot.h - (2 * k_played_dot + 6)) / static_cast<float>(range.farthest)
                           : across;
    PlayedLine line;
    line.per_unit = std::max(std::min(across, upwards), 0.0f);
    line.zero = plot.center().x - static_cast<float>((lo + hi) / 2) * line.per_unit;
    line.base = plot.bottom();
    return line;
}

void axis(Ui& ui, Rect plot, const PlayedLine& line) {
    const Scale x{.lo = static_cast<double>((plot.x - line.zero) / line.per_unit),
                  .hi = static_cast<double>((plot.right() - line.zero) / line.per_unit),
                  .from = plot.x,
                  .to = plot.right()};
    ui.canvas.across(plot, line.base, ui.theme.ink_soft);
    const Rect labels{plot.x, line.base + 3, plot.w, 0};
    draw_columns(ui.canvas, ui.theme, {.plot = plot, .x = x, .y = {}},
                 column_ticks(ui.canvas, x, 20), labels);
}

Color color_of(const Theme& theme, const PlayedFrame& p) {
    if (p.step < 3) return theme.of(Stage::z);
    const auto way = static_cast<float>(p.scaled);
    return p.step == 3 ? mix(theme.of(Stage::z), theme.of(Stage::x_hat), way)
                       : mix(theme.of(Stage::x_hat), theme.of(Stage::y), way);
}

void squares(Ui& ui, const PlayedLine& line, const PlayedFrame& p) {
    const Color color = ui.theme.of(Stage::x_hat);
    for (const PlayedValue& v : p.values) {
        if (!std::isfinite(v.at) || !(v.area > 0)) continue;
        const float side = static_cast<float>(std::sqrt(v.area)) * line.per_unit;
        const float h = side * static_cast<float>(p.square);
        const float middle = line.x(p.mean);
        const Rect r{v.at < p.mean ? middle - side : middle, line.base - h, side, h};
        ui.canvas.fill_rect(r, color.with_alpha(0.13f));
        ui.canvas.stroke_rect(r, color.with_alpha(0.8f));
    }
}

// Numbers beside the dots, each in the first row above them that is free there, if there is one.
void numbers(Ui& ui, Rect plot, const PlayedFrame& p, std::span<const Point> at) {
    if (p.values.size() > k_few_words) return;
    std::vector<Rect> placed; // and dots, which no number hides
    for (const Point& dot : at) placed.push_back(square_around(dot, k_played_dot));
    const float line_h = ui.canvas.line_height(TextRole::number_small);
    for (const auto i : indices(at)) {
        const std::string text = cell_text(p.values[i].at, {});
        const float w = ui.text_width(text, TextRole::number_small) + 4;
        Rect r{std::clamp(at[i].x - w / 2, plot.x, std::max(plot.x, plot.right() - w)),
               at[i].y - (k_played_dot + 1) - line_h, w, line_h};
        const auto taken = [&](const Rect& other) { return r.overlaps(other); };
        while (std::ranges::any_of(placed, taken)) r.y -= 2;
        if (r.y < plot.y) continue;
        placed.push_back(r);
        ui.canvas.fill_rect(r, ui.theme.panel.with_alpha(0.75f), 3);
        ui.canvas.text_in(r, text, TextRole::number_small, ui.theme.ink);
    }
}

void values(Ui& ui, Rect plot, const PlayedLine& line, const PlayedFrame& p) {
    const Color color = color_of(ui.theme, p);
    const float middle = line.x(p.mean);
    std::vector<float> x;
    for (const PlayedValue& v : p.values) x.push_back(std::isfinite(v.at) ? line.x(v.at) : plot.x);
    const std::vector<int> level = stack_dots(x, 2 * k_played_dot - 1);
    const float most = plot.h - (2 * k_played_dot);
    const float lane =
        std::min(k_stick_lane, most / static_cast<float>(std::max<std::size_t>(x.size(), 1)));
    const float lifted = static_cast<float>(p.stick * (1 - p.square)) * lane;
    if (p.mean_drawn > 0) {
        const float top = line.base - plot.h * static_cast<float>(p.mean_drawn);
        ui.canvas.line({middle, line.base}, {middle, top}, ui.theme.ink, 1.5f, Dash::dashed);
    }
    std::vector<Point> at;
    for (const auto i : indices(x)) {
        at.push_back({x[i], line.base - (k_played_dot + 2) -
                                std::min(most, (2 * k_played_dot) * static_cast<float>(level[i])) -
                                lifted * static_cast<float>(i)});
        if (p.stick > 0 && p.square < 1)
            ui.canvas.line({middle, at[i].y},
                           {middle + (x[i] - middle) * static_cast<float>(p.stick), at[i].y},
                           ui.theme.of(Stage::x_hat), 2.5f);
    }
    for (const auto i : indices(x))
        if (std::isfinite(p.values[i].at)) ui.canvas.fill_circle(at[i], k_played_dot, color);
    numbers(ui, plot, p, at);
}

std::optional<Point> place_of(const AddNormPanel& p, PlayedAt where, const Flight& flight) {
    const AddNormMemory& memory = p.frame.memory.of<AddNormMemory>();
    if (where == PlayedAt::line) {
        if (!memory.line || !std::isfinite(flight.value)) return std::nullopt;
        return Point{memory.line->x(flight.value), memory.line->base - (k_played_dot + 2)};
    }
    const auto& cells = entry_at(memory.cells_at, where);
    if (!cells) return std::nullopt;
    const StatisticSets sets = p.frame.derived.sets();
    const Index set = worked_group(p);
    const Point at = cell_rect(cells->area, cells->port, sets.token(set, flight.place),
                               sets.feature(set, flight.place))
                         .center();
    return cells->area.contains(at) ? std::optional(at) : std::nullopt;
}

// Cells of the set that are still to come, and the distribution where it is of this set alone.
void hide_to_come(const AddNormPanel& p, Tensor which, Index made) {
    const auto& cells = entry_at(p.frame.memory.of<AddNormMemory>().cells_at, which);
    const StatisticSets sets = p.frame.derived.sets();
    if (!cells || sets.size() > k_most_played) return;
    const Index set = worked_group(p);
    p.canvas.push_clip(cells->area);
    for (Index place = made; place < sets.size(); ++place)
        p.canvas.fill_rect(
            cell_rect(cells->area, cells->port, sets.token(set, place), sets.feature(set, place)),
            p.theme.panel.with_alpha(0.9f));
    p.canvas.pop_clip();
    if (made < sets.size() && sets.size() == p.frame.derived.view(which).size())
        p.canvas.fill_rect(cells->distribution, p.theme.panel.with_alpha(0.9f));
}

} // namespace

void go_to(AddNormView& v, double time) {
    const int step = std::clamp(static_cast<int>(std::ceil(time)) - 1, 0, k_worked_steps - 1);
    v.playing = step;
    v.played = std::clamp(time - step, 0.0, 1.0);
    v.play_runs = false;
}

void run_play(AddNormPanel& p) {
    const AddNormView& v = p.view;
    const auto passed = static_cast<double>(ImGui::GetIO().DeltaTime);
    if (!v.playing || !v.play_runs || passed < k_next_instant) return;
    go_to(p.next,
          p.view.played_time() + std::min(passed, k_longest_pause) / k_seconds_a_played_step);
    p.next.play_runs = !at_the_end(p.next);
}

Index worked_group(const AddNormPanel& p) {
    if (!p.view.playing) return group_in_focus(p.frame);
    return p.frame.derived.sets().set_of(pinned(p.frame, Axis::token).value_or(0),
                                         pinned(p.frame, Axis::feature).value_or(0));
}

void play_keys(AddNormPanel& p) {
    if (!p.view.playing || ImGui::GetIO().WantTextInput) return;
    if (p.frame.view.menu || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))
        return; // that has them
    const auto pressed = [](Key key) {
        const bool down = key_pressed(key);
        if (down) take_key(key);
        return down;
    };
    const bool widget_has_arrows = p.state.focus != 0 && p.state.focus_visible;
    if (pressed(Key::space)) go_on(p);
    if (!widget_has_arrows && pressed(Key::right)) walk(p.next, 1);
    if (!widget_has_arrows && pressed(Key::left)) walk(p.next, -1);
    if (pressed(Key::escape)) end(p.next);
}

float play_controls_width(const Ui& ui) {
    return 2 * 34.0f + std::max(button_width(ui, k_pause), button_width(ui, k_go_on)) +
           button_width(ui, "Step 5 of 5") + button_width(ui, "Done") + 5 * 8.0f;
}

void play_button(AddNormPanel& p, Rect& row) {
    constexpr float k_gap = 10;
    if (p.view.playing) {
        if (right_button(p, "stop", row, {k_stop_play, "Esc"}, k_gap)) end(p.next);
        return;
    }
    if (!right_button(p, "play", row,
                      {"Play ▸",
                       "The five steps in motion; Space rests and goes on, arrows walk, Esc ends",
                       true, ButtonLook::primary},
                      k_gap))
        return;
    go_to(p.next, p.frame.view.reduce_motion ? 1 : 0);
    p.next.play_runs = !p.frame.view.reduce_motion;
    // For whom they were shown: what the mouse comes to lie over is another matter.
    p.state.keys_lead = true;
    pin_set(p.actions.view, p.frame.derived.sets(), worked_group(p));
    ImGui::SetScrollY(0); // where the cells that light up are
}

void play_controls(AddNormPanel& p, Rect area) {
    const AddNormView& v = p.view;
    if (p.state.picture || !v.playing) return;
    FlowLayout flow(area);
    const int at = *v.playing;
    if (button(p, "back", flow.next(34), {"◂", "Left arrow", at > 0})) walk(p.next, -1);
    if (!p.frame.view.reduce_motion) {
        const float w = std::max(button_width(p, k_pause), button_width(p, k_go_on));
        if (button(p, "pause", flow.next(w),
                   {v.play_runs ? k_pause : k_go_on, "Space", !at_the_end(v), ButtonLook::primary}))
            go_on(p);
    }
    const bool last = at + 1 == k_worked_steps;
    if (button(p, "forward", flow.next(34),
               {"▸", p.frame.view.reduce_motion ? "Space" : "Right arrow", !last || v.played < 1,
                p.frame.view.reduce_motion ? ButtonLook::primary : ButtonLook::plain}))
        walk(p.next, 1);
    const std::string now = worded("Step {} of {}", at + 1, k_worked_steps);
    p.label(flow.next(button_width(p, now)), now, TextRole::label, p.theme.ink, Align::center);
    if (button(p, flow, "done", {"Done", "Esc"})) end(p.next);
}

void stage_panel(AddNormPanel& p) {
    const IdScope scope(p, "stage");
    Rect inside = p.framed();
    const Index set = worked_group(p);
    Rect head = cut_top(inside, 28, 2);
    const std::string title = worded("Play · ") + set_name(p.document, p.frame.derived.sets(), set);
    left_words(p, head, title, TextRole::title, p.theme.ink, 14);
    if (head.w < play_controls_width(p)) head = cut_top(inside, 28, 2);
    play_controls(p, head);
    if (!p.state.picture) time_slider(p, cut_top(inside, 42));
    const PlayedFrame played = played_frame(p.frame.derived, set, p.view.played_time());
    p.label(cut_top(inside, 24), played_words(p.frame.derived, set, played));
    cut_bottom(inside, p.canvas.line_height(TextRole::small) + 5);
    const PlayedLine line = line_in(inside, played_range(p.frame.derived, set));
    p.frame.memory.of<AddNormMemory>().line = line;
    if (line.per_unit > 0) axis(p, inside, line);
    p.canvas.push_clip(inside);
    squares(p, line, played);
    values(p, inside, line, played);
    p.canvas.pop_clip();
}

void draw_flights(const AddNormPanel& p) {
    if (!p.view.playing || p.frame.view.reduce_motion) return;
    const PlayedFrame played = played_frame(p.frame.derived, worked_group(p), p.view.played_time());
    hide_to_come(p, Tensor::z, played.z_made);
    hide_to_come(p, Tensor::x_hat, played.x_hat_made);
    hide_to_come(p, Tensor::y, played.y_made);
    for (const Flight& flight : played.flights) {
        const auto from = place_of(p, flight.from, flight);
        const auto to = place_of(p, flight.to, flight);
        if (!from || !to) continue;
        const auto way = static_cast<float>(flight.way);
        const Stage stage =
            stage_of(static_cast<Tensor>(flight.from == PlayedAt::line ? flight.to : flight.from));
        const std::string text = cell_text(flight.value, {});
        const Size size = p.canvas.text_size(text, TextRole::number_small);
        const float lift = 18.0f * std::sin(way * std::numbers::pi_v<float>);
        const Point at = between(*from, *to, way);
        const Rect chip{at.x - size.w / 2 - 4, at.y - lift - size.h / 2, size.w + 8, size.h};
        p.canvas.fill_rect(chip, p.theme.panel, 4);
        p.canvas.stroke_rect(chip, p.theme.of(stage), 1.5f, 4);
        p.canvas.text_in(chip, text, TextRole::number_small, p.theme.ink_of(stage));
    }
}

} // namespace normscope
