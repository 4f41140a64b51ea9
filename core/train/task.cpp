#include "core/train/task.h"

#include <array>

namespace normscope {
namespace {

constexpr std::array<Choice<Task>, 11> k_tasks{{
    {Task::spirals, "spirals", "Spirals"},
    {Task::moons, "moons", "Moons"},
    {Task::circles, "circles", "Circles"},
    {Task::exclusive_or, "xor", "XOR"},
    {Task::gaussians, "gaussians", "Gaussians"},
    {Task::reverse, "reverse", "Reverse"},
    {Task::copy, "copy", "Copy"},
    {Task::sort, "sort", "Sort"},
    {Task::first, "first", "First"},
    {Task::text, "text", "Text"},
    {Task::own, "own", "Own points"},
}};

} // namespace

std::span<const Choice<Task>> choices(Task) {
    return k_tasks;
}

TaskKind kind_of(Task task) {
    switch (task) {
    case Task::reverse:
    case Task::copy:
    case Task::sort:
    case Task::first:
        return TaskKind::sequences;
    case Task::text:
        return TaskKind::text;
    case Task::spirals:
    case Task::moons:
    case Task::circles:
    case Task::exclusive_or:
    case Task::gaussians:
    case Task::own:
        break;
    }
    return TaskKind::points;
}

} // namespace normscope
