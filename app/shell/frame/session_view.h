#pragma once
#include "app/session/session_file.h"
#include "app/shell/frame/state.h"

namespace normscope {

// How the document is looked at, for its file.
SessionView session_view(const App::State& state);

// As it was looked at when it was saved; what its file does not say stays as it is.
void look_as_saved(App::State& state, const SessionView& view);

} // namespace normscope
