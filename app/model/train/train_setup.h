#pragma once
#include "app/model/choices.h"
#include "app/model/field.h"
#include "core/flow/stack_config.h"
#include "core/train/train_config.h"

#include <span>
#include <string>

// The settings of a training run, each under the name of its command-line option.
namespace normscope {

template<>
std::span<const Field<TrainConfig>> fields();

// "Reverse, Pre-LN encoder and decoder of 2 layers": what a run trains, in a line.
std::string train_name(const TrainConfig& config);

} // namespace normscope
