#pragma once
#include "app/cli/command.h"

#include <filesystem>
#include <string>
#include <vector>

// Files that a command writes into the folder that is named.
namespace normscope {

struct OutputFile {
    std::string name; // may begin with a folder: "grad/src_embed.weight.npy"
    std::string bytes;
};

// Makes the folder where there is none.
CommandResult write_files(const std::filesystem::path& folder,
                          const std::vector<OutputFile>& files);

} // namespace normscope
