#pragma once
#include "app/cli/command.h"

namespace normscope {

// `normscope check`: the gradients of an example or of files against central differences, and x̂
// against the norm's definition, in double. Exits with 1 where they differ by more than --tolerance
// of the gradient's size.
CommandAction define_check(CLI::App& app);

} // namespace normscope
