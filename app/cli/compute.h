#pragma once
#include "app/cli/command.h"

namespace normscope {

// `normscope compute`: y = γ ⊙ norm(x + f) + β for matrices in files, written as
//   z, x_hat, y               T×D
//   mean, rstd                T values for layer and rms (rms: mean 0), D for batch, none for none
//   running_mean, running_var D values, batch norm in train mode only
// each as NAME.npy of float32 or float64.
CommandAction define_compute(CLI::App& app);

} // namespace normscope
