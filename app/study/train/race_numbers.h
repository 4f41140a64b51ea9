#pragma once
#include "app/study/train/race_runner.h"

#include <string>

namespace normscope {

// What is known of a race as CSV: a line for each step of each lane, with the loss of its batch,
// the accuracy on the test where it was looked at, and of every layer the mean and σ of what its
// activation function read, its gradient norm and log10 of its update : data ratio. A cell of what
// is not there or not finite is empty.
std::string race_csv(const RaceSetup& setup, const RaceState& state);

} // namespace normscope
