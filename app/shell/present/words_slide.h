#pragma once
#include "app/shell/present/slides.h"

namespace normscope {

// Draws a slide of words, for the last row to read: the text and the question of a step or scene,
// or the answer. Returns the height that the words took.
float draw_words_slide(Ui& ui, Rect area, App::State& state, bool answer);

} // namespace normscope
