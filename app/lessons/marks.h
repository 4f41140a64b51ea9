#pragma once
#include "app/lessons/player.h"
#include "app/widgets/ui.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

// Where the named part stands; for a name that others begin with, as "add-norm.norm" does, around
// all of them. None: no part has the name.
std::optional<Rect> lesson_target(std::span<const NamedPart> parts, std::string_view name);

// Whether a double-click opens the target for typing, because a click alone moves it.
bool opens_by_double_click(const LessonAct& act, PartKind kind);

// Names of the parts that are covered: the step hides them. Once its question is answered, the
// parts that the step shows are open.
std::vector<std::string> lesson_covers(const LessonPlayer& player);

// lesson_covers(), and the parts that the step locks.
std::vector<std::string> lesson_locks(const LessonPlayer& player);

// Dims, covers and rings the parts of the page in `area` that the step names.
void draw_lesson_marks(Ui& ui, Rect area, const LessonPlayer& player,
                       std::span<const NamedPart> parts);

} // namespace normscope
