#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/model/choices.h"
#include "app/widgets/paragraph.h"
#include "app/workspaces/shared/labelled_rows.h"
#include "app/workspaces/shared/sliders.h"
#include "app/workspaces/train/panels.h"
#include "app/workspaces/train/race_file.h"
#include "app/workspaces/train/setup_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr std::array<double, 12> k_train_widths = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
constexpr std::array<double, 14> k_batches = {1,  2,  4,  8,   12,  16,  24,
                                              32, 48, 64, 128, 256, 384, 512};
constexpr std::array<double, 14> k_race_steps = {50,   100,  200,  300,  400,  500,  800,
                                                 1000, 1500, 2000, 3000, 4000, 5000, 10000};
constexpr std::array<double, 9> k_warmups = {0, 10, 20, 50, 60, 100, 200, 500, 1000};
constexpr double k_least_rate = 1e-4, k_most_rate = 10;
constexpr std::array<ChoiceName, 2> k_mask_choices = {{{"on", "on"}, {"off", "off"}}};
constexpr std::array<std::string_view, 2> k_place_hints = {"Before the activation: φ(N(Wh + b))",
                                                           "After the activation: N(φ(Wh + b))"};
constexpr std::array<std::string_view, 3> k_train_skip_hints = {"h + F(h)", "F(h) alone",
                                                                "h + α·F(h), α learned from 0 on"};

TrainConfig with_train_width(TrainConfig c, Index width) {
    const Index times = std::max<Index>(1, c.ffn / c.width);
    c.width = width;
    c.ffn = std::min(times * width, k_most_train_ffn);
    while (c.width % c.heads != 0) --c.heads;
    c.norm.groups = fitting_groups(c.norm.groups, width);
    return c;
}

struct RowPainter {
    Ui& ui;
    const RaceSetup& setup;
    const TrainConfig& now;
    TrainConfig& next;

    template<auto... Path>
    std::optional<double> track(Rect r, const SliderSpec& spec) const {
        return slide(ui, setting<Path...>(), r, spec);
    }
    template<auto... Path>
    std::optional<int> choice(Rect r, SetupRow row, int current,
                              std::span<const std::string_view> hints = {}) const {
        return wrapped_choice(ui, setting<Path...>(), r, choices_of_row(row, setup, now), current,
                              hints);
    }
    template<auto Member>
    void of_enum(Rect r) const {
        if (const auto c = wrapped_choice(ui, setting<Member>(), r, now.*Member)) next.*Member = *c;
    }

    void task(Rect r) const {
        const auto tasks = raced_tasks(setup);
        const auto at = std::ranges::find(tasks, now.task, &Choice<Task>::value);
        if (const auto c =
                choice<&TrainConfig::task>(r, SetupRow::task, static_cast<int>(at - tasks.begin())))
            next = with_task(now, tasks[static_cast<std::size_t>(*c)].value);
    }
    void activation(Rect r) const {
        const auto all = activations_of(now);
        const auto at = std::ranges::find(all, now.activation);
        if (const auto c = choice<&TrainConfig::activation>(r, SetupRow::activation,
                                                            static_cast<int>(at - all.begin())))
            next.activation = all[static_cast<std::size_t>(*c)];
    }
    void norm(Rect r) const {
        if (const auto kind =
                wrapped_choice(ui, setting<&TrainConfig::norm, &Norm::kind>(), r, now.norm.kind))
            next.norm = {*kind, fitting_groups(now.norm.groups, now.width)};
    }
    void groups(Rect r) const {
        if (const auto chosen = group_stepper(ui, setting<&TrainConfig::norm, &Norm::groups>(), r,
                                              now.norm.groups, now.width))
            next.norm.groups = *chosen;
    }
    void positions(Rect r) const {
        if (const auto c = choice<&TrainConfig::positions>(
                r, SetupRow::positions, now.positions == Positions::none ? 1 : 0))
            next.positions = *c == 1 ? Positions::none : Positions::sinusoidal;
    }
    void mask(Rect r) const {
        if (const auto c = segmented(ui, setting<&TrainConfig::masked>(), r, k_mask_choices,
                                     now.masked ? 0 : 1))
            next.masked = *c == 0;
    }
    void optimizer(Rect r) const {
        if (const auto kind =
                wrapped_choice(ui, setting<&TrainConfig::optimizer, &OptimizerConfig::kind>(), r,
                               now.optimizer.kind))
            next.optimizer = usual_optimizer(*kind, now.model);
    }
    void rate(Rect r) const {
        SliderSpec spec = log_slider(now.lr, k_least_rate, k_most_rate);
        spec.reset = usual_config(now.task).lr;
        spec.text = number_text(now.lr, 3);
        spec.hint = "Learning rate: what multiplies the gradient in a step";
        if (const auto v = track<&TrainConfig::lr>(r, spec)) next.lr = *v;
    }
    void seed(Rect r) const {
        if (const auto chosen =
                seed_row(ui, setting<&TrainConfig::seed>(), r, now.seed,
                         "Of the points, the weights and the batches: click to type",
                         "Other points, weights and batches"))
            next.seed = *chosen;
    }
    template<auto Member>
    void whole(Rect r, std::span<const double> steps, double reset, std::string_view hint) const {
        const auto value = static_cast<double>(now.*Member);
        if (const auto v = track<Member>(r, listed(value, steps, reset, hint)))
            next.*Member = static_cast<Index>(std::lround(*v));
    }

    SliderSpec length_slider() const {
        const auto length = static_cast<double>(now.length);
        if (kind_of(now.task) == TaskKind::text)
            return counted(length, 4, 32, 32, "Characters that are read at once");
        return counted(length, 2, 16, 8, "Symbols of a sequence");
    }

    void draw(SetupRow row, Rect r) const {
        switch (row) {
        case SetupRow::task:
            return task(r);
        case SetupRow::noise:
            if (const auto v = track<&TrainConfig::noise>(
                    r, linear(now.noise, 0, 1, 0.1, "How far the points lie off")))
                next.noise = *v;
            return;
        case SetupRow::turns:
            if (const auto v = track<&TrainConfig::turns>(
                    r, linear(now.turns, 0.25, 3, 1, "Turns of the spirals")))
                next.turns = *v;
            return;
        case SetupRow::length:
            if (const auto v = track<&TrainConfig::length>(r, length_slider()))
                next.length = static_cast<Index>(*v);
            return;
        case SetupRow::layers:
            if (const auto v = track<&TrainConfig::layers>(
                    r, counted(now.layers, 1, is_transformer(now.model) ? 12 : k_most_train_layers,
                               usual_config(now.task).layers, "Layers of the model")))
                next.layers = static_cast<int>(*v);
            return;
        case SetupRow::width:
            if (const auto v = track<&TrainConfig::width>(r, listed(static_cast<double>(now.width),
                                                                    k_train_widths, 16,
                                                                    "Features inside the model")))
                next = with_train_width(now, static_cast<Index>(*v));
            return;
        case SetupRow::activation:
            return activation(r);
        case SetupRow::norm:
            return norm(r);
        case SetupRow::groups:
            return groups(r);
        case SetupRow::norm_place:
            if (const auto c = choice<&TrainConfig::norm_place>(
                    r, SetupRow::norm_place, now.norm_place == NormPlace::pre ? 0 : 1,
                    k_place_hints))
                next.norm_place = *c == 0 ? NormPlace::pre : NormPlace::post;
            return;
        case SetupRow::placement:
            return of_enum<&TrainConfig::placement>(r);
        case SetupRow::skip:
            if (const auto c = wrapped_choice(ui, setting<&TrainConfig::skip>(), r, now.skip,
                                              k_train_skip_hints))
                next.skip = *c;
            return;
        case SetupRow::positions:
            return positions(r);
        case SetupRow::mask:
            return mask(r);
        case SetupRow::optimizer:
            return optimizer(r);
        case SetupRow::rate:
            return rate(r);
        case SetupRow::warmup:
            return whole<&TrainConfig::warmup>(r, k_warmups, 0,
                                               "Steps over which the learning rate rises");
        case SetupRow::schedule:
            return of_enum<&TrainConfig::schedule>(r);
        case SetupRow::batch:
            return whole<&TrainConfig::batch>(r, k_batches, 32, "Examples of a step");
        case SetupRow::steps:
            return whole<&TrainConfig::steps>(r, k_race_steps, 1000, "Steps of the race");
        case SetupRow::seed:
            return seed(r);
        }
    }
};

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
            if (auto told = describe_difference(lane.past.back().config, config_of(setup, lane))) {
                // What is said of a run everywhere else need not be said here.
                for (const std::string_view where : {" of the run", " in training"})
                    if (const auto at = told->find(where); at != std::string::npos)
                        told->erase(at, where.size());
                return worded("From {}: {}", *step, *told);
            }
    return worded("Branched at step {}", *step);
}

// What a change does while a race is under way: it branches, or begins anew.
void change_row(Ui& ui, Rect row, const Frame& f, Actions& a) {
    const RaceSetup& setup = f.document.train;
    if (!can_branch(setup)) {
        ui.label(row, "A change begins the race anew", TextRole::small, ui.theme.ink_soft);
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
    ui.label(row, "A change goes on", TextRole::small, ui.theme.ink_soft);
}

// Of all lanes, or of the one that was clicked.
void whose_settings(Ui& ui, Rect row, const Frame& f, Actions& a) {
    const RaceSetup& setup = f.document.train;
    const auto lane = shown_lane(f);
    if (!lane) {
        const std::string branched = branch_words(setup);
        const std::string_view anew = "Anew";
        if (!branched.empty()) {
            if (button(ui, "begin-anew", cut_right(row, button_width(ui, anew), ui.px(6)),
                       {anew, ButtonLook::plain, true,
                        branches_later(setup) ? "Trains from step 0 with the settings of the branch"
                                              : "Trains from step 0 with these settings"}))
                a.edits.push_back(BeginAnew{});
        }
        ui.label(row, branched.empty() ? "Of all lanes; click a lane to change it alone" : branched,
                 TextRole::small, ui.theme.ink_soft);
        return;
    }
    const std::string_view all = "All lanes";
    if (button(ui, "all-lanes", cut_right(row, button_width(ui, all), ui.px(6)),
               {all, ButtonLook::plain, true, "Shows the settings that all lanes have"}))
        a.view.of<TrainView>().lane.reset();
    const Lane& shown = (*setup.lanes)[*lane];
    lane_heading(ui, row, {*lane, lane_name(setup, shown), shown.look, nullptr}, "");
}

} // namespace

float race_setup_height(const Ui& ui, const Frame& f, float width) {
    const TrainConfig c = shown_config(f);
    const float w = row_control_w(ui, width);
    float height = ui.px(20 + 28 + k_of_h + k_change_h + 8);
    for (const SetupRow row : setup_rows(c, shown_lane(f).has_value()))
        height +=
            setup_row_height(ui, row, f.document.train, c, w) + ui.px(k_row_step - k_row_line);
    return height;
}

void race_setup_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "setup");
    Rect inside = panel(ui, "", r, {.title = "Setup"});
    const std::string_view own = "Your data…";
    const float own_w = button_width(ui, own);
    if (!ui.state.picture &&
        button(ui, "your-data", {r.right() - ui.px(10) - own_w, r.y + ui.px(7), own_w, ui.px(26)},
               {own, ButtonLook::plain, true,
                "A CSV with two or more columns and one of classes, or a text (.txt)"}))
        a.own_file = true;
    whose_settings(ui, cut_top(inside, ui.px(k_of_h), ui.px(4)), f, a);
    change_row(ui, cut_top(inside, ui.px(k_change_h), ui.px(4)), f, a);
    const auto lane = shown_lane(f);
    const TrainConfig now = shown_config(f);
    TrainConfig next = now;
    const float w = inside.w - ui.px(k_row_label_w);
    const RaceSetup& setup = f.document.train;
    const RowPainter painter{ui, setup, now, next};
    LabelledRows rows(ui, inside);
    for (const SetupRow row : setup_rows(now, lane.has_value()))
        painter.draw(row, rows.next(label_of_row(row), setup_row_height(ui, row, setup, now, w)));
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
