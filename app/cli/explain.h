#pragma once
#include "app/cli/command.h"

namespace normscope {

// `normscope explain`: add, mean, variance, normalize, scale and shift for one token of an example
// or of matrices in files (under batch norm: for one feature), with its own numbers.
CommandAction define_explain(CLI::App& app);

} // namespace normscope
