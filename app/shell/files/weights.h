#pragma once
#include "app/io/safetensors/safetensors.h"
#include "app/shell/frame/state.h"

namespace normscope {

// The weights of a file become the document's Transformer, in the workspace that shows it.
void take_weights(App::State& state, const OpenRequest& from, const Safetensors& file);

} // namespace normscope
