#pragma once
#include "app/widgets/ui.h"

namespace normscope {

// Words wrapped to the width of `r`; returns the height they took.
float paragraph(Ui& ui, Rect r, std::string_view words, TextRole role, Color color);

// The height that paragraph() takes in that width.
float paragraph_height(const Ui& ui, float width, std::string_view words, TextRole role);

} // namespace normscope
