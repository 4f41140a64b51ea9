#pragma once
#include "app/shell/present/slides.h"

namespace normscope {

// A slide of words, to be read from the last row: what a step or scene says and asks, or its
// answer. The height that it took.
float draw_words_slide(Ui& ui, Rect area, App::State& state, bool answer);

} // namespace normscope
