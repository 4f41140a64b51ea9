#include "app/charts/number_format.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/train/run.h"

#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_lane_row = 30, k_lanes_head = 24, k_column = 68, k_tools = 24 + 8;

// A box that is ticked.
bool tick_box(Ui& ui, NamePart part, Rect r, bool ticked, std::string_view hint) {
    const Hit hit = ui.state.picture ? Hit{} : ui.hit(part, r, {.kind = PartKind::button});
    const float side = ui.px(18);
    const Rect box{r.x + (r.w - side) / 2, r.y + (r.h - side) / 2, side, side};
    ui.canvas.fill_rect(box,
                        ticked        ? ui.theme.accent
                        : hit.hovered ? ui.theme.control_hover
                                      : ui.theme.control,
                        ui.px(4));
    ui.canvas.stroke_rect(box, ui.theme.border, ui.px(1), ui.px(4));
    if (ticked) {
        const Point low{box.x + side * 0.43f, box.y + side * 0.72f};
        const float w = ui.px(2);
        ui.canvas.line({box.x + side * 0.22f, box.y + side * 0.5f}, low, ui.theme.on_accent, w);
        ui.canvas.line(low, {box.x + side * 0.79f, box.y + side * 0.28f}, ui.theme.on_accent, w);
    }
    ui.focus_ring(hit, box, ui.px(4));
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
    if (trace.hit) out.hit = fmt::format("{}", *trace.hit);
    if (trace.steps() > 0)
        out.cost = number_text(1000 * trace.seconds / static_cast<double>(trace.steps()), 2);
    return out;
}

void heads_row(Ui& ui, Rect row, const Frame& f) {
    const auto mark = hit_accuracy(f.document.train.common.task, guess_of(f));
    if (!ui.state.picture) cut_right(row, ui.px(k_tools));
    const auto head = [&](NamePart id, std::string_view text, std::string_view hint) {
        const Rect r = cut_right(row, ui.px(k_column));
        soft_label(ui, r, text, Align::right);
        ui.tooltip(ui.hit(id, r, {.focusable = false}), hint, r);
    };
    head("ms", tr("ms/step"), "What a step takes on one core");
    const std::string to = mark ? worded("to ") + percent_text(*mark) : worded("to –");
    head("to-mark", to, "The first step, of every 25th, with so many test examples right");
    head("accuracy", tr("accuracy"), "Of test examples that no step reads, in evaluation mode");
    head("loss", tr("loss"), "Mean loss of the last 10 batches");
}

void name_cell(Ui& ui, Rect cell, const Frame& f, Actions& a, const SeenLane& lane, bool on) {
    const TrainView& v = f.view.of<TrainView>();
    TrainView& view = a.view.of<TrainView>();
    const Hit hit = ui.state.picture ? Hit{} : ui.hit("name", cell, {.kind = PartKind::button});
    const bool chosen = v.lane == lane.index && !ui.state.picture;
    if (v.renaming == lane.index && ui.editing_text(hit.id)) {
        if (const auto name = ui.edit_text(hit.id, cell, TextRole::small, Align::left, cell.w)) {
            view.renaming.reset();
            if (trim(*name) != lane.name)
                a.edits.push_back(RenameLane{lane.index, std::string(trim(*name))});
        }
        return;
    }
    if (v.renaming == lane.index) view.renaming.reset();
    if (chosen || hit.hovered)
        ui.canvas.fill_rect(cell, chosen ? ui.theme.accent : ui.theme.control_hover, ui.px(4));
    ui.name_label(cell.inset(ui.px(6), 0), lane.name, TextRole::small,
                  chosen ? ui.theme.on_accent
                  : on   ? ui.theme.ink
                         : ui.theme.ink_soft);
    ui.focus_ring(hit, cell, ui.px(4));
    ui.tooltip(hit,
               lane.name +
                   worded(": click to change its settings, double-click or F2 to rename it, "
                          "Delete to remove it"),
               cell);
    if (hit.double_clicked || (hit.focused && key_pressed(Key::f2))) {
        view.renaming = lane.index;
        ui.begin_text_edit(hit.id, lane.name, true);
    } else if (hit.clicked) {
        view.lane = chosen ? std::nullopt : std::optional(lane.index);
    } else if (hit.focused && key_pressed(Key::del)) {
        a.edits.push_back(RemoveLane{lane.index});
    }
}

void lane_row(Ui& ui, Rect row, const Frame& f, Actions& a, std::size_t index, Index step) {
    const IdScope scope(ui, fmt::format("lane-{}", index));
    const RaceSetup& setup = f.document.train;
    const Lane& lane = (*setup.lanes)[index];
    const RaceState& state = f.memory.of<TrainMemory>().runner.state();
    const LaneState* const known = index < state.lanes.size() ? state.lanes[index].get() : nullptr;
    row = row.inset(0, ui.px(1));
    ui.canvas.across(row, row.y, ui.theme.rule, ui.px(1));
    if (tick_box(ui, "on", cut_left(row, ui.px(24), ui.px(6)), lane.on,
                 lane.on ? "Leaves the lane out of the race" : "Takes the lane into the race"))
        a.edits.push_back(SwitchLane{index, !lane.on});
    LineStyle style = lane_style(ui.theme, lane.look);
    if (!lane.on) style.color = style.color.with_alpha(0.35f);
    draw_swatch(ui, cut_left(row, ui.px(26), ui.px(4)), style, k_lane_marker);
    if (!ui.state.picture && button(ui, "remove", cut_right(row, ui.px(24), ui.px(8)),
                                    {"×", ButtonLook::plain, setup.lanes->size() > 1,
                                     "Removes the lane; Ctrl+Z brings it back"})) {
        a.edits.push_back(RemoveLane{index});
        a.view.of<TrainView>().lane.reset();
    }
    const LaneNumbers numbers = numbers_at(known, step);
    for (const std::string* text :
         {&numbers.cost, &numbers.hit, &numbers.accuracy, &numbers.loss}) {
        Rect cell = cut_right(row, ui.px(k_column));
        if (text == &numbers.loss && numbers.diverged) {
            const float w = ui.canvas.text_size(*text, TextRole::number_small).w + ui.px(10);
            ui.canvas.fill_rect(
                {cell.right() - w + ui.px(5), cell.y + ui.px(4), w, cell.h - ui.px(8)},
                ui.theme.nan.with_alpha(0.5f), ui.px(3));
        }
        ui.label(cell, *text, TextRole::number_small, ui.theme.ink, Align::right);
    }
    cut_right(row, ui.px(4));
    name_cell(ui, row, f, a, {index, lane_name(setup, lane), lane.look, known}, lane.on);
}

} // namespace

float lanes_height(const Ui& ui) {
    return ui.px(20 + 28 + k_lanes_head + k_lane_row * k_most_lanes + 6 + 28);
}

void lanes_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "lanes");
    const RaceSetup& setup = f.document.train;
    const Index step = f.view.of<TrainView>().pointed.value_or(setup.step);
    Rect inside = panel(ui, "", r, {.title = "Lanes", .hint = worded("at step {}", step)});
    heads_row(ui, cut_top(inside, ui.px(k_lanes_head)), f);
    for (std::size_t i = 0; i < setup.lanes->size(); ++i)
        lane_row(ui, cut_top(inside, ui.px(k_lane_row)), f, a, i, step);
    if (ui.state.picture) return;
    cut_top(inside, ui.px(6));
    Rect row = cut_top(inside, ui.px(28));
    const std::size_t count = setup.lanes->size();
    const std::string_view full = "Six lanes race already: remove one first";
    const auto next = [&](NamePart id, std::string_view label, bool there, std::string_view hint) {
        return left_button(ui, id, row, {label, ButtonLook::plain, there, hint}, ui.px(6));
    };
    if (next("add", "Add a lane", count < k_most_lanes,
             count < k_most_lanes ? "With the settings of all lanes; then change what is to differ"
                                  : full)) {
        a.edits.push_back(AddLane{});
        a.view.of<TrainView>().lane = count;
    }
    const auto chosen = f.view.of<TrainView>().lane;
    const bool one = chosen && *chosen < count;
    if (next("copy", "Copy this lane", one && count < k_most_lanes,
             !one                   ? "Click a lane first"
             : count < k_most_lanes ? "A lane with the settings of the one that is chosen"
                                    : full)) {
        a.edits.push_back(DuplicateLane{*chosen});
        a.view.of<TrainView>().lane = *chosen + 1;
    }
    const bool any = f.memory.of<TrainMemory>().runner.state().head > 0;
    if (next("numbers", "Numbers as CSV…", any,
             any ? "A line for each step of each lane: loss, accuracy, and what is inside"
                 : "Run the race first"))
        a.own_numbers = true;
}

} // namespace normscope
