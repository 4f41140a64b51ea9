#pragma once
#include "app/study/train/lane_run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// What the table of lanes says of one at the end of the race.
struct LaneResult {
    std::string name;
    double loss = 0;          // the mean of the last batches; NaN: it stopped being numbers
    double accuracy = 0;      // of the test, at the last look; NaN: as above
    std::optional<Index> hit; // the first look that reaches the mark
    Index steps = 0;          // taken before it stopped being numbers; else all of them
};

struct RaceResults {
    RaceSetup setup;               // that was raced
    std::vector<LaneResult> lanes; // those that are on
};

// The race to its last step, here and now. Errors: one that takes too long for that; those of
// training.
Result<std::shared_ptr<const RaceResults>> race_results(const RaceSetup& setup);

} // namespace normscope
