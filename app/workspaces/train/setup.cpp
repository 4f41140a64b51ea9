#include "app/io/class_column.h"
#include "app/io/file.h"
#include "app/language/language.h"
#include "app/workspaces/shared/labelled_rows.h"
#include "app/workspaces/train/panels.h"

#include <array>
#include <utility>

namespace normscope {

namespace {

// The lane whose settings are shown, if there is one.
std::optional<std::size_t> shown_lane(const Frame& f) {
    const auto lane = f.view.of<TrainView>().lane;
    return lane && *lane < f.document.train.lanes->size() ? lane : std::nullopt;
}

// The settings that hold at the step that is looked at.
TrainConfig shown_config(const Frame& f) {
    const RaceSetup& setup = f.document.train;
    const auto lane = shown_lane(f);
    return lane ? config_at(setup, (*setup.lanes)[*lane], setup.step)
                : common_at(setup, setup.step);
}

// The number of steps is the race's, whatever else held before a branch.
TrainConfig with_steps_of_race(const RaceSetup& setup, TrainConfig now, const TrainConfig& next) {
    now.steps = next.steps;
    if (now != next || next.schedule == Schedule::linear) return next;
    TrainConfig out = setup.common;
    out.steps = next.steps;
    return out;
}

constexpr float k_of_h = 28, k_change_h = 28;

// "From 640: Learning rate → 0.03": what the first lane that branched last did.
std::string branch_words(const RaceSetup& setup) {
    const auto step = last_branch(setup);
    if (!step) return {};
    for (const Lane& lane : *setup.lanes)
        if (!lane.past.empty() && lane.past.back().until == *step)
            if (auto told = error_text(
                    describe_difference(lane.past.back().config, config_of(setup, lane), {}));
                !told.empty()) {
                // What is said of a run everywhere else need not be said here.
                for (const std::string_view where : {" of the run", " in training"})
                    if (const auto at = told.find(where); at != std::string::npos)
                        told.erase(at, where.size());
                return worded("From {}: {}", *step, told);
            }
    return worded("Branched at step {}", *step);
}

// What a change does while a race is under way: it branches, or begins anew.
void change_row(Ui& ui, Rect row, const Frame& f, Actions& a) {
    const RaceSetup& setup = f.document.train;
    if (!can_branch(setup)) {
        soft_label(ui, row, "A change begins the race anew");
        return;
    }
    const std::string here = worded("from step {}", setup.step);
    const std::array<ChoiceName, 2> choices = {{{"here", here}, {"anew", "from 0"}}};
    const std::array<std::string_view, 2> hints = {
        "Goes on from this step with its weights. Another depth or width, a norm or none, ReZero, "
        "another task or seed has other shapes or data: that begins anew at 0",
        "Begins anew with the first weights"};
    const Rect r = cut_right(row, segmented_width(ui, choices));
    if (const auto c =
            segmented(ui, "change", r, choices, f.view.of<TrainView>().go_on ? 0 : 1, hints))
        a.view.of<TrainView>().go_on = *c == 0;
    soft_label(ui, row, "A change goes on");
}

// Of all lanes, or of the one that was clicked.
void whose_settings(Ui& ui, Rect row, const Frame& f, Actions& a) {
    const RaceSetup& setup = f.document.train;
    const auto lane = shown_lane(f);
    if (!lane) {
        const std::string branched = branch_words(setup);
        if (!branched.empty() &&
            right_button(ui, "begin-anew", row,
                         {"Anew", ButtonLook::plain, true,
                          branches_later(setup)
                              ? "Trains from step 0 with the settings of the branch"
                              : "Trains from step 0 with these settings"},
                         ui.px(6)))
            a.edits.push_back(BeginAnew{});
        soft_label(ui, row,
                   branched.empty() ? "Of all lanes; click a lane to change it alone" : branched);
        return;
    }
    if (right_button(
            ui, "all-lanes", row,
            {"All lanes", ButtonLook::plain, true, "Shows the settings that all lanes have"},
            ui.px(6)))
        a.view.of<TrainView>().lane.reset();
    const Lane& shown = (*setup.lanes)[*lane];
    lane_heading(ui, row, {*lane, lane_name(setup, shown), shown.look, nullptr}, "");
}

// The input with a text: three sonnets, where there is none. Error: they are not found.
Result<Shared<RaceInput>> with_text(const Shared<RaceInput>& now) {
    if (!now->given.text.empty()) return now;
    auto text = read_asset("texts/sonnets.txt");
    if (!text) return tl::unexpected(text.error());
    RaceInput out = *now;
    out.name = "Three sonnets";
    out.given.text = std::move(*text);
    return Shared<RaceInput>(std::move(out));
}

} // namespace

TrainConfig with_task(const TrainConfig& now, Task task) {
    TrainConfig next = now;
    next.task = task;
    if (kind_of(task) == kind_of(now.task)) return next;
    next = usual_config(task);
    next.seed = now.seed;
    if (kind_of(task) == TaskKind::sequences) {
        next.width = 32;
        next.batch = 16;
        next.steps = 500;
    }
    if (kind_of(task) == TaskKind::text) {
        next.width = 64;
        next.ffn = 256;
        next.batch = 8;
        next.steps = 400;
    }
    return next;
}

Result<Edit> race_on_file(const Document& d, const std::filesystem::path& path) {
    RaceInput input;
    input.name = path.filename().string();
    const bool is_text = path.extension() == ".txt";
    if (is_text) {
        auto text = read_file(path);
        if (!text) return tl::unexpected(text.error());
        input.given.text = std::move(*text);
    } else {
        auto points = load_points(path);
        if (!points) return tl::unexpected(points.error());
        input.given.points = std::move(*points);
    }
    const SetRace edit{with_task(d.train.common, is_text ? Task::text : Task::own), false,
                       Shared<RaceInput>(std::move(input))};
    if (const auto raced = apply(d, edit); !raced)
        return fail(path.filename().string() + ": " + error_text(raced.error()));
    return Edit(edit);
}

float race_setup_height(const Ui& ui, const Frame& f, float width) {
    return ui.px(20 + 28 + k_of_h + k_change_h + 8) + setup_rows_height(ui, f, shown_config(f),
                                                                        shown_lane(f).has_value(),
                                                                        row_control_w(ui, width));
}

void race_setup_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "setup");
    Rect inside = panel(ui, "", r, {.title = "Setup"});
    const std::string_view own = "Your data…";
    const float own_w = button_width(ui, own);
    if (!ui.state.picture &&
        button(ui, "your-data", {r.right() - ui.px(10) - own_w, r.y + ui.px(7), own_w, ui.px(26)},
               {own, ButtonLook::plain, true,
                "A table with two or more columns and one of classes (.csv, .npy …), or a text "
                "(.txt)"}))
        a.own_file = true;
    whose_settings(ui, cut_top(inside, ui.px(k_of_h), ui.px(4)), f, a);
    change_row(ui, cut_top(inside, ui.px(k_change_h), ui.px(4)), f, a);
    const auto lane = shown_lane(f);
    const TrainConfig now = shown_config(f);
    const RaceSetup& setup = f.document.train;
    auto [next, class_column] = setup_rows(ui, inside, f, now, lane.has_value());
    if (class_column) {
        RaceInput input = *setup.input;
        auto points = with_class(input.given.points, *class_column, input.name);
        if (points) {
            input.given.points = std::move(*points);
            a.edits.push_back(SetRace{next, false, Shared<RaceInput>(std::move(input))});
        } else {
            ui.state.complaint = sentence(points.error());
        }
        return;
    }
    if (next == now) return;
    if (!lane) next = with_steps_of_race(setup, now, next);
    const bool go_on = f.view.of<TrainView>().go_on;
    if (lane)
        a.edits.push_back(SetLane{*lane, next, go_on});
    else if (next.task == Task::text && now.task != Task::text) {
        const auto input = with_text(setup.input);
        if (input)
            a.edits.push_back(SetRace{next, go_on, *input});
        else
            ui.state.complaint = sentence(input.error());
    } else
        a.edits.push_back(SetRace{next, go_on});
}

} // namespace normscope
