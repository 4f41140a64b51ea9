#pragma once
#include "app/cli/command.h"

namespace normscope {

// `normscope flow`: real forward and backward passes through a stack of residual blocks, and how
// the gradient got through: a table over the seeds, or with --json every seed's numbers.
CommandAction define_flow(CLI::App& app);

} // namespace normscope
