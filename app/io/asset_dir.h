#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace normscope {

// The folder with the program's data (examples/, icon/). Taken in this order: $NORMSCOPE_ASSETS,
// ../share/normscope beside the program's own folder (installed), the source tree it was built
// from. Error: none of them exists.
Result<std::filesystem::path> find_assets();

// All of a file of that folder: "texts/sonnets.txt".
Result<std::string> read_asset(const std::string& name);

} // namespace normscope
