#pragma once
#include "app/lessons/column.h"
#include "app/lessons/player.h"

namespace normscope {

// A step's prediction: its question, what is answered with, and once it is checked what is said of
// it. True where a hand changed the answer.
bool draw_question(LessonColumn& column, LessonPlayer& player);

} // namespace normscope
