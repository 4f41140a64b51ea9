#pragma once
#include "core/result.h"

#include <filesystem>
#include <string>
#include <string_view>

// Whole files as bytes. Error messages begin with the path.
namespace normscope {

// For the command line: what a window opens has a folder in its path.
inline constexpr std::string_view k_standard_input = "-";

// Everything in a regular file, or in the standard input; at most k_max_file_bytes. Never waits for
// another pipe or a device.
Result<std::string> read_file(const std::filesystem::path& path);

// Puts `bytes` in place of the file, or leaves what was there: they go to a temporary file beside
// it, which is synced and renamed over it, and the directory is synced. A process that is killed at
// any moment leaves the old file or the new one, never a part. Keeps the permissions of a file that
// exists, writes through a symbolic link, and removes the temporary file when it fails.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

} // namespace normscope
