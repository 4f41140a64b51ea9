#pragma once
#include "app/lessons/player.h"
#include "app/widgets/ui.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

// Where what has the name stands, or all that is within it: the choices of "add-norm.norm". None:
// nothing is named so.
std::optional<Rect> lesson_target(std::span<const NamedPart> parts, std::string_view name);

// A text goes into it by a double-click: a click alone moves it.
bool opens_by_double_click(const LessonAct& act, PartKind kind);

// Names of what is covered: what the step hides. Once it is answered, what it shows is not.
std::vector<std::string> lesson_covers(const LessonPlayer& player);

// The same, and what else the step takes from the hand.
std::vector<std::string> lesson_locks(const LessonPlayer& player);

// What a step dims, hides and rings, over the page in `area`, by what stands where on it.
void draw_lesson_marks(Ui& ui, Rect area, const LessonPlayer& player,
                       std::span<const NamedPart> parts);

} // namespace normscope
