#pragma once
#include "app/workspaces/train/panels.h"

#include <vector>

namespace normscope {

// log₁₀(‖update‖/‖data‖) of every lane against the step, the mean of its layers, with the line that
// a learning rate is usually measured by. Of the lane that is chosen, all its layers.
void update_chart(Ui& ui, Rect r, const Frame& frame, Actions& actions,
                  const std::vector<SeenLane>& lanes);

} // namespace normscope
