#pragma once
#include "app/widgets/ui.h"
#include "app/workspaces/frame.h"

namespace normscope {

// The menu on a cell or a name (view.menu): copy, paste, fill, and what can be done to its token
// and feature.
void matrix_menu(Ui& ui, const Frame& frame, Actions& actions);

} // namespace normscope
