#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>

namespace normscope {

// What the learning rate is multiplied by at step t = 0, 1, … of T:
//   constant  1
//   linear    1 − t/T
//   noam      D^(−1/2)·min((t+1)^(−1/2), (t+1)·W^(−3/2))   Vaswani et al. 2017, eq. 3; D the width
// A warm-up of W steps multiplies constant and linear by min(1, (t+1)/W); noam has its own.
enum class Schedule : std::uint8_t { constant, linear, noam };

std::span<const Choice<Schedule>> choices(Schedule);

struct ScheduleConfig {
    Schedule kind = Schedule::constant;
    Index warmup = 0;   // W; 0: none
    Index steps = 1000; // T
    Index width = 16;   // D

    bool operator==(const ScheduleConfig&) const = default;
};

double schedule_factor(const ScheduleConfig& config, Index step);

} // namespace normscope
