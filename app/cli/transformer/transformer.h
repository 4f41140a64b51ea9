#pragma once
#include "app/cli/command.h"

// normscope transformer: what a Transformer of drawn weights is like inside, or one sentence
// through the weights of a file.
namespace normscope {

CommandAction define_transformer(CLI::App& app);

} // namespace normscope
