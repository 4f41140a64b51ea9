#pragma once
#include "app/lessons/column.h"
#include "app/lessons/player.h"

namespace normscope {

// Draws a step's prediction: the question, the controls that answer it, and the feedback once the
// answer is checked. True where the person changed the answer.
bool draw_question(LessonColumn& column, LessonPlayer& player);

} // namespace normscope
