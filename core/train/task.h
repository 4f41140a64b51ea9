#pragma once
#include "core/base/choice.h"

#include <cstdint>

namespace normscope {

// What is learned. own: points that a person brings.
enum class Task : std::uint8_t {
    spirals,
    moons,
    circles,
    exclusive_or,
    gaussians,
    reverse,
    copy,
    sort,
    first,
    text,
    own
};
template<>
inline constexpr std::array<Choice<Task>, 11> k_choices<Task>{{
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

// What an example of a task is: a point with a class, a sentence of symbols, a piece of a text.
enum class TaskKind : std::uint8_t { points, sequences, text };

constexpr TaskKind kind_of(Task task) {
    if (task == Task::text) return TaskKind::text;
    const bool of_points = task < Task::reverse || task == Task::own;
    return of_points ? TaskKind::points : TaskKind::sequences;
}

} // namespace normscope
