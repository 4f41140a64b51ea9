#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// Takes back the last step, or what is still awaited: an edit on its worker, a run that goes on.
// Where a block of the stack is open and has no step, leads back to the stack.
void undo(App::State& state);

// Makes the step that was undone last once more.
void redo(App::State& state);

} // namespace normscope
