#pragma once
#include "app/cli/command.h"
#include "core/train/trainer.h"

#include <filesystem>

namespace normscope {

// Writes the weights of a trained Transformer as a .safetensors file, with all that
// `normscope transformer` and the window need to know of them and its words: the start <s> and
// letters, or the characters of a text, spaces and line ends as ␣ and ⏎.
CommandResult save_weights(const Trainer<float>& trainer, const std::filesystem::path& path);

// Errors: a model or positions that no such file holds.
CommandResult check_save(const TrainConfig& config, const std::string& path);

} // namespace normscope
