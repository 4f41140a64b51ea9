#pragma once
#include "core/base/choice.h"

#include <cstdint>
#include <span>

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

// What an example of a task is: a point with a class, a sentence of symbols, a piece of a text.
enum class TaskKind : std::uint8_t { points, sequences, text };

std::span<const Choice<Task>> choices(Task);

TaskKind kind_of(Task task);

} // namespace normscope
