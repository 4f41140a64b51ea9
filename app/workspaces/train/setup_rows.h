#pragma once
#include "app/model/train/race_setup.h"
#include "app/widgets/ui.h"

#include <cstdint>
#include <string_view>
#include <vector>

// The rows of Setup, from the task down.
namespace normscope {

enum class SetupRow : std::uint8_t {
    task,
    noise,
    turns,
    length,
    layers,
    width,
    activation,
    norm,
    groups,
    norm_place,
    placement,
    skip,
    positions,
    mask,
    optimizer,
    rate,
    warmup,
    schedule,
    batch,
    steps,
    seed
};

// Those that data are there for: one's own points need a file.
std::vector<Choice<Task>> raced_tasks(const RaceSetup& setup);
std::vector<Activation> activations_of(const TrainConfig& config);

// What there is to set; a lane has no task, batch, seed and number of steps of its own.
std::vector<SetupRow> setup_rows(const TrainConfig& config, bool of_lane);
std::string_view label_of_row(SetupRow row);
// Empty of a row without choices.
std::vector<ChoiceName> choices_of_row(SetupRow row, const RaceSetup& setup,
                                       const TrainConfig& config);
float setup_row_height(const Ui& ui, SetupRow row, const RaceSetup& setup,
                       const TrainConfig& config, float width);

} // namespace normscope
