#pragma once
#include "app/cli/command.h"

namespace normscope {

// normscope train: trains an MLP or a Transformer and prints how it went.
CommandAction define_train(CLI::App& app);

} // namespace normscope
