#pragma once
#include "app/shell/frame/state.h"

// Work that was not saved when the program ended, as its copies on the disk have it.
namespace normscope {

// Offers the newest copy that another run left, and once that is decided the next one. Undo
// does not leave what was brought back for what the program was started with, unless that was
// changed.
void offer_recovery(App::State& state);

// A copy that was chosen and read takes the document's place, and is its copy from now on.
void take_back(App::State& state, const OpenRequest& from, SessionCopy copy);

} // namespace normscope
