#include "core/train/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {
namespace {

constexpr std::array<Choice<Schedule>, 3> k_schedules{{
    {Schedule::constant, "constant", "Constant"},
    {Schedule::linear, "linear", "Linear decay"},
    {Schedule::noam, "noam", "Noam"},
}};

} // namespace

std::span<const Choice<Schedule>> choices(Schedule) {
    return k_schedules;
}

double schedule_factor(const ScheduleConfig& config, Index step) {
    const double count = static_cast<double>(step) + 1;
    const auto warmup = static_cast<double>(config.warmup);
    if (config.kind == Schedule::noam) {
        const double falling = 1 / std::sqrt(count);
        const double rising = config.warmup > 0 ? count * std::pow(warmup, -1.5) : falling;
        return std::min(falling, rising) / std::sqrt(static_cast<double>(config.width));
    }
    const double warm = config.warmup > 0 ? std::min(1.0, count / warmup) : 1;
    if (config.kind == Schedule::constant) return warm;
    const double done = static_cast<double>(step) / static_cast<double>(config.steps);
    return warm * std::max(0.0, 1 - done);
}

} // namespace normscope
