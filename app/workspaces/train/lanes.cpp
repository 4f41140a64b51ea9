#include "app/charts/number_format.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_column = 62, k_tools = 24 + 8;
constexpr float k_with_cost = 440; // of a row that has room for it

// A box that is ticked.
bool tick_box(Ui& ui, NamePart part, Rect r, bool ticked, std::string_view hint) {
    const Hit hit = ui.hit(part, r, {.kind = PartKind::button});
    const float side = 18;
    const Rect box{r.x + (r.w - side) / 2, r.y + (r.h - side) / 2, side, side};
    ui.canvas.fill_rect(box,
                        ticked        ? ui.theme.accent
                        : hit.hovered ? ui.theme.control_hover
                                      : ui.theme.control,
                        4);
    ui.canvas.stroke_rect(box, ui.theme.border, 1, 4);
    if (ticked) {
        const Point low{box.x + side * 0.43f, box.y + side * 0.72f};
        ui.canvas.line({box.x + side * 0.22f, box.y + side * 0.5f}, low, ui.theme.on_accent, 2);
        ui.canvas.line(low, {box.x + side * 0.79f, box.y + side * 0.28f}, ui.theme.on_accent, 2);
    }
    ui.focus_ring(hit, box, 4);
    ui.tooltip(hit, hint);
    return hit.clicked;
}

struct LaneNumbers {
    std::string loss, accuracy, hit, cost;
    bool diverged = false;
};

// At a step: the table shows the one under the mouse.
LaneNumbers numbers_at(const LaneState* lane, Index step) {
    LaneNumbers out{"–", "–", "–", "–"};
    if (!lane) return out;
    const LaneTrace& trace = lane->trace;
    out.diverged = trace.diverged && step > trace.diverged->step;
    if (const auto loss = trace.loss_at(step)) out.loss = number_text(*loss, 3);
    const bool shot = lane->shot && lane->shot->finite && lane->shot->step == step;
    const TestLook* const look = trace.look_at(step);
    if (shot)
        out.accuracy = percent_text(lane->shot->test_accuracy);
    else if (look && !out.diverged)
        out.accuracy = percent_text(look->accuracy);
    if (trace.hit && *trace.hit <= step) out.hit = fmt::format("{}", *trace.hit);
    if (trace.steps() > 0)
        out.cost = number_text(1000 * trace.seconds / static_cast<double>(trace.steps()), 2);
    return out;
}

// Whether the fold of Lanes is open: every lane shows its cost, and can be left out or removed.
bool has_more(const TrainPanel& p) {
    return p.view.more_lanes && !p.state.picture;
}

bool has_cost(const TrainPanel& p, Rect row) {
    return has_more(p) && row.w >= k_with_cost;
}

void heads_row(TrainPanel& p, Rect row) {
    const bool cost = has_cost(p, row);
    const auto mark = mark_of(p);
    if (has_more(p)) cut_right(row, k_tools);
    const auto head = [&](NamePart id, std::string_view text, std::string_view hint) {
        const Rect r = cut_right(row, k_column);
        soft_label(p, r, text, Align::right);
        p.tooltip(p.hit(id, r, k_by_mouse), hint, r);
    };
    if (cost) head("ms", tr("ms/step"), "What a step takes on one core");
    const std::string to = mark ? worded("to {}", percent_text(*mark)) : worded("to –");
    head("to-mark", to, "The first step, of every 25th, with so many test examples right");
    head("accuracy", tr("accuracy"), "Of test examples that no step reads, in evaluation mode");
    head("loss", tr("loss"), worded("Mean loss of the last {} batches", k_loss_mean));
}

void name_cell(TrainPanel& p, Rect cell, const SeenLane& lane) {
    const Hit hit = p.hit("name", cell, {.kind = PartKind::button});
    const bool chosen = p.view.lane == lane.index && !p.state.picture;
    const bool renaming = p.view.renaming == lane.index;
    if (renaming && p.editing_text(hit.id)) {
        if (const auto name = p.edit_text(hit.id, cell, TextRole::small, Align::left, cell.w)) {
            p.next.renaming.reset();
            if (trim(*name) != lane.name) p.edit(RenameLane{lane.index, std::string(trim(*name))});
        }
        return;
    }
    if (renaming) p.next.renaming.reset();
    if (chosen || hit.hovered)
        p.canvas.fill_rect(cell, chosen ? p.theme.accent : p.theme.control_hover, 4);
    p.label(cell.inset(6, 0), Text::typed(lane.name), TextRole::small,
            chosen    ? p.theme.on_accent
            : lane.on ? p.theme.ink
                      : p.theme.ink_soft);
    p.focus_ring(hit, cell, 4);
    p.tooltip(hit,
              worded("{}: click to change its settings, double-click or F2 to rename it, Delete "
                     "to remove it",
                     lane.name),
              cell);
    if (hit.double_clicked || (hit.focused && key_pressed(Key::f2))) {
        p.next.renaming = lane.index;
        p.begin_text_edit(hit.id, lane.name, true);
    } else if (hit.clicked) {
        p.next.lane = chosen ? std::nullopt : std::optional(lane.index);
    } else if (hit.focused && key_pressed(Key::del)) {
        p.edit(RemoveLane{lane.index});
    }
}

void lane_row(TrainPanel& p, Rect row, std::size_t index, Index step) {
    const IdScope scope(p, fmt::format("lane-{}", index));
    const SeenLane lane = lane_at(p, index);
    row = row.inset(0, 1);
    p.canvas.across(row, row.y, p.theme.rule);
    const bool more = has_more(p), cost = has_cost(p, row);
    if (more &&
        tick_box(p, "on", cut_left(row, 24, 6), lane.on,
                 lane.on ? "Leaves the lane out of the race" : "Takes the lane into the race"))
        p.edit(SwitchLane{index, !lane.on});
    LineStyle style = lane.style;
    if (!lane.on) style.color = style.color.with_alpha(0.35f);
    draw_swatch(p, cut_left(row, 26, 4), style, k_lane_marker);
    if (more && button(p, "remove", cut_right(row, 24, 8),
                       {"×", "Removes the lane; Ctrl+Z brings it back",
                        p.document.train.lanes->size() > 1})) {
        p.edit(RemoveLane{index});
        p.next.lane.reset();
    }
    const LaneNumbers numbers = numbers_at(lane.state, step);
    for (const std::string* text :
         {&numbers.cost, &numbers.hit, &numbers.accuracy, &numbers.loss}) {
        if (text == &numbers.cost && !cost) continue;
        Rect cell = cut_right(row, k_column);
        if (text == &numbers.loss && numbers.diverged) {
            const float w = p.text_width(*text, TextRole::number_small) + 10;
            p.canvas.fill_rect({cell.right() - w + 5, cell.y + 4, w, cell.h - 8},
                               p.theme.nan.with_alpha(0.5f), 3);
        }
        p.label(cell, *text, TextRole::number_small, p.theme.ink, Align::right);
    }
    cut_right(row, 4);
    name_cell(p, row, lane);
}

// The lane that reached the mark first, and how many have not; empty where there is no mark, or no
// step is taken.
std::string first_words(const TrainPanel& p, Index step) {
    const auto mark = mark_of(p);
    if (!mark || step == 0) return {};
    const std::vector<SeenLane> lanes = seen_lanes(p);
    std::string first; // names
    Index soonest = 0;
    std::size_t tied = 0, reached = 0;
    for (const SeenLane& lane : lanes) {
        const auto hit = lane.state ? lane.state->trace.hit : std::nullopt;
        if (!hit || *hit > step) continue;
        ++reached;
        if (tied == 0 || *hit < soonest) {
            first = lane.name;
            soonest = *hit;
            tied = 1;
        } else if (*hit == soonest) {
            first = worded("{}” and “{}", first, lane.name);
            ++tied;
        }
    }
    const std::string percent = percent_text(*mark);
    if (reached == 0) return worded("No lane has reached {}.", percent);
    if (tied == lanes.size()) return worded("All lanes reached {} at step {}.", percent, soonest);
    if (reached == lanes.size())
        return worded("“{}” reached {} first, at step {}. All lanes have reached it.", first,
                      percent, soonest);
    if (reached == tied)
        return worded("“{}” reached {} at step {}. No other lane has reached it.", first, percent,
                      soonest);
    return worded("“{}” reached {} first, at step {}. {} of {} lanes have not reached it.", first,
                  percent, soonest, lanes.size() - reached, lanes.size());
}

} // namespace

void lanes_panel(TrainPanel& p) {
    const Index step = p.view.pointed.value_or(p.document.train.step);
    Column rows = p.column("lanes", {.title = "Lanes", .hint = worded("at step {}", step)});
    heads_row(p, rows.next(24));
    const std::size_t count = p.document.train.lanes->size();
    for (const auto i : indices(count)) lane_row(p, rows.next(30), i, step);
    rows.measured(
        [&](Rect r) {
            const float two_lines = 2 * p.canvas.line_height(TextRole::small);
            const std::string words = first_words(p, step);
            return std::max(two_lines, paragraph(p, r, words, TextRole::small));
        },
        6);
    if (p.state.picture) return;
    Rect row = rows.next(28, 4);
    more(p, cut_right(row, more_width(p)), p.view.more_lanes, p.next.more_lanes);
    const bool room = count < k_most_lanes;
    const std::string_view full = "Six lanes race already: remove one first";
    const auto next = [&](NamePart id, std::string_view label, bool there, std::string_view hint) {
        return left_button(p, id, row, {label, hint, there}, 6);
    };
    if (next("add", "Add a lane", room,
             room ? "With the settings of all lanes; then change what is to differ" : full)) {
        p.edit(AddLane{});
        p.next.lane = count;
    }
    if (!has_more(p)) return;
    row = rows.next(28);
    const auto chosen = p.view.lane;
    const bool one = chosen && *chosen < count;
    if (next("copy", "Copy this lane", one && room,
             !one   ? "Click a lane first"
             : room ? "A lane with the settings of the one that is chosen"
                    : full)) {
        p.edit(DuplicateLane{*chosen});
        p.next.lane = *chosen + 1;
    }
    const bool any = race_of(p).head > 0;
    if (next("numbers", "Numbers as CSV…", any,
             any ? "A line for each step of each lane: loss, accuracy, and what is inside"
                 : "Run the race first"))
        p.actions.own_numbers = true;
}

} // namespace normscope
