#pragma once
#include "app/model/train/race_setup.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace normscope::testing {

inline LaneDifference differs(std::string_view key, std::string_view choice) {
    const Field<TrainConfig>& field =
        *std::ranges::find(fields<TrainConfig>(), key, &Field<TrainConfig>::key);
    const auto at = std::ranges::find(field.words.choices, choice, &ChoiceName::id);
    return {&field, Chosen{static_cast<std::size_t>(at - field.words.choices.begin())}};
}

// Two spirals, an MLP of six layers, five lanes: all norms learn, each in its own time.
inline RaceSetup norm_race() {
    RaceSetup out;
    out.common = usual_config(Task::spirals);
    out.common.layers = 6;
    out.common.steps = 2000;
    out.lanes =
        std::vector<Lane>{{"", true, 0, {differs("norm", "none")}},
                          {"", true, 1, {differs("norm", "layer")}},
                          {"", true, 2, {differs("norm", "batch")}},
                          {"", true, 3, {differs("norm", "rms")}},
                          {"", true, 4, {differs("norm", "layer"), differs("skip", "none")}}};
    return out;
}

} // namespace normscope::testing
