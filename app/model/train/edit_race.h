#pragma once
#include "app/model/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

// What a person can do to the race of a document.
namespace normscope {

// Common settings; describe() names the one that differs: "Learning rate → 0.03". With `go_on`,
// where some steps are taken and some are left (can_branch()), each lane that it changes goes on
// from the present step with its weights if it can (goes_on()). Else the race begins anew, unless
// only its number of steps is another. Another kind of task has its usual lanes.
struct SetRace {
    TrainConfig common;
    bool go_on = false;
    std::optional<Shared<RaceInput>> input = std::nullopt; // none: as it was
};
struct BeginAnew {}; // the lanes as they are now, from step 0 on
struct AddLane {};   // as the common settings say
struct DuplicateLane {
    std::size_t index;
};
struct RemoveLane {
    std::size_t index;
};
struct RenameLane { // empty: by its differences
    std::size_t index;
    std::string name;
};
struct SwitchLane {
    std::size_t index;
    bool on;
};
struct SetLane { // as far as a lane may differ
    std::size_t index;
    TrainConfig config;
    bool go_on = false; // as in SetRace; else this lane begins anew
};

using RaceEdit = std::variant<SetRace, BeginAnew, AddLane, DuplicateLane, RemoveLane, RenameLane,
                              SwitchLane, SetLane>;

} // namespace normscope
