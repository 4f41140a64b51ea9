#pragma once
#include "app/model/train/race_setup.h"
#include "app/study/train/lane_sweep.h"
#include "app/workspaces/shared/look.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace normscope {

// A person's expectation of a race before it is run.
struct RacePrediction {
    RaceSetup of;
    std::optional<std::size_t> first; // the look of the lane with the lowest loss in the end
    std::vector<std::size_t> blow_up; // the looks of lanes
    std::map<int, double> drawn;      // of the first: place on the axis of steps → log10(loss)

    bool operator==(const RacePrediction&) const = default;
};

inline constexpr Index k_fastest = k_most_race_steps; // steps a second

// How the race is looked at.
struct TrainView {
    bool log_steps = true;
    bool log_loss = true;
    bool smooth = true; // means of k_loss_mean steps over the pale losses of single batches
    Index pace = 100;   // steps a second of a race that runs, at most; k_fastest: any
    std::optional<std::size_t> lane;     // whose settings Setup changes; none: the common ones
    std::optional<std::size_t> renaming; // a lane
    std::optional<Index> pointed;        // the step under the mouse: the table shows it
    bool predicting = false;             // the race panel asks, before a step is taken
    std::optional<RacePrediction> predicted;
    bool more_axes = false, more_lanes = false, more_setup = false; // their folds are open
    OpenFolds folds;
    bool updates = false;     // Gradient shows update : data
    bool go_on = true;        // a change branches, where it can
    bool begins_anew = false; // the setting under the hand cannot go on
    LaneSweeps swept;         // as the screen showed them last
    bool sweeping = false;    // the learning-rate sweep goes on
    Index head = 0;           // as far as the race has come, as the last frame knew
    double due = 0;           // steps that a running race is to show beyond the present one

    void keep(Look& look) {
        look("log-steps", log_steps);
        look("log-loss", log_loss);
        look("lane", lane, k_most_lanes);
        look("updates", updates);
        look("more-axes", more_axes);
        look("more-lanes", more_lanes);
        look("more-setup", more_setup);
    }
    bool operator==(const TrainView&) const = default;
};

} // namespace normscope
