#include "app/workspaces/train/setup_rows.h"

#include "app/model/choices.h"
#include "app/workspaces/shared/labelled_rows.h"

#include <array>

namespace normscope {

namespace {

constexpr std::array<ChoiceName, 2> k_norm_places = {{{"pre", "Before"}, {"post", "After"}}};

std::vector<ChoiceName> task_names(const RaceSetup& setup) {
    std::vector<ChoiceName> out;
    for (const auto& choice : raced_tasks(setup)) out.push_back({choice.id, choice.label});
    return out;
}

std::vector<ChoiceName> activation_names(const TrainConfig& c) {
    std::vector<ChoiceName> out;
    for (const Activation a : activations_of(c)) out.push_back({id_of(a), label_of(a)});
    return out;
}

} // namespace

std::vector<Choice<Task>> raced_tasks(const RaceSetup& setup) {
    std::vector<Choice<Task>> out;
    for (const auto& choice : choices(Task{}))
        if (choice.value != Task::own || !setup.input->given.points.classes.empty())
            out.push_back(choice);
    return out;
}

std::vector<Activation> activations_of(const TrainConfig& c) {
    if (is_transformer(c.model)) return {Activation::relu, Activation::gelu};
    return {Activation::relu, Activation::tanh, Activation::gelu};
}

std::vector<SetupRow> setup_rows(const TrainConfig& c, bool of_lane) {
    std::vector<SetupRow> out;
    const bool points = kind_of(c.task) == TaskKind::points;
    const auto add = [&](SetupRow row, bool there = true) {
        if (there) out.push_back(row);
    };
    add(SetupRow::task, !of_lane);
    add(SetupRow::noise, !of_lane && points && c.task != Task::own);
    add(SetupRow::turns, !of_lane && c.task == Task::spirals);
    add(SetupRow::length, !of_lane && !points);
    add(SetupRow::layers);
    add(SetupRow::width, !of_lane);
    add(SetupRow::activation);
    add(SetupRow::norm);
    add(SetupRow::groups, norm_entry(c.norm).shares == Shares::group);
    add(SetupRow::norm_place, points && norm_entry(c.norm).normalizes());
    add(SetupRow::placement, !points);
    add(SetupRow::skip);
    add(SetupRow::positions, !points);
    add(SetupRow::mask, !points);
    add(SetupRow::optimizer);
    add(SetupRow::rate);
    add(SetupRow::warmup);
    add(SetupRow::schedule);
    add(SetupRow::batch, !of_lane);
    add(SetupRow::steps, !of_lane);
    add(SetupRow::seed, !of_lane);
    return out;
}

std::vector<ChoiceName> choices_of_row(SetupRow row, const RaceSetup& setup, const TrainConfig& c) {
    switch (row) {
    case SetupRow::task:
        return task_names(setup);
    case SetupRow::activation:
        return activation_names(c);
    case SetupRow::norm:
        return names_of<NormKind>();
    case SetupRow::norm_place:
        return {k_norm_places.begin(), k_norm_places.end()};
    case SetupRow::placement:
        return names_of<Placement>();
    case SetupRow::skip:
        return names_of<Skip>();
    case SetupRow::positions:
        return {{"sinusoidal", "Sinusoidal"}, {"none", "None"}};
    case SetupRow::optimizer:
        return names_of<Optimizer>();
    case SetupRow::schedule:
        return names_of<Schedule>();
    default:
        return {};
    }
}

float setup_row_height(const Ui& ui, SetupRow row, const RaceSetup& setup, const TrainConfig& c,
                       float width) {
    const auto names = choices_of_row(row, setup, c);
    return names.empty() ? ui.px(k_row_line) : wrapped_choice_height(ui, width, names);
}

std::string_view label_of_row(SetupRow row) {
    constexpr std::array<std::string_view, 21> k_labels = {
        "Task",      "Noise",  "Turns",   "Length",    "Layers", "Width",     "Activation",
        "Norm",      "Groups", "Place",   "Placement", "Skip",   "Positions", "Mask",
        "Optimizer", "Rate",   "Warm-up", "Schedule",  "Batch",  "Steps",     "Seed"};
    return k_labels[static_cast<std::size_t>(row)];
}

} // namespace normscope
