#pragma once
#include "app/widgets/controls.h"

namespace normscope {

// The look of a button, for every control that is pressed like one.
void draw_button(Ui& ui, const Hit& hit, Rect r, const ButtonSpec& spec);

} // namespace normscope
