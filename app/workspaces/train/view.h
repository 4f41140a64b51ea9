#pragma once
#include "core/base/matrix.h"

#include <cstddef>
#include <optional>

namespace normscope {

// How the race is looked at.
struct TrainView {
    bool log_steps = true;
    bool log_loss = true;
    std::optional<std::size_t> lane;     // whose settings Setup changes; none: the common ones
    std::optional<std::size_t> renaming; // a lane
    std::optional<Index> pointed;        // the step under the mouse: the table shows it
    bool sweeping = false;               // the learning-rate sweep goes on
    Index head = 0;                      // as far as the race has come, as the last frame knew
    double due = 0; // steps that a running race is to show beyond the present one

    bool operator==(const TrainView&) const = default;
};

} // namespace normscope
