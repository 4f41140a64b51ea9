#pragma once
#include "app/lessons/column.h"
#include "app/lessons/player.h"

namespace normscope {

// Draws a step's prediction: the question, the controls that answer it, and the feedback once the
// answer is checked. True where the person changed the answer. `check`: the button that has the
// keyboard once a number is typed.
bool draw_question(LessonColumn& column, LessonPlayer& player, ImGuiID check);

} // namespace normscope
