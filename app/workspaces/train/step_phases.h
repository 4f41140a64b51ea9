#pragma once
#include "app/workspaces/train/panels.h"

namespace normscope {

// The step that comes next of one lane, in its four phases with their numbers: forward, loss,
// backward and update.
void step_phases(Ui& ui, Rect inside, const Frame& frame);

} // namespace normscope
