#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Whole files as bytes. Error messages begin with the path.
namespace normscope {

// For the command line: what a window opens has a folder in its path.
inline constexpr std::string_view k_standard_input = "-";

// Everything in a regular file, or in the standard input; at most k_max_file_bytes. Never waits for
// another pipe or a device.
Result<std::string> read_file(const std::filesystem::path& path);

class Mapping;

// The bytes of a regular file as they lie on the disk: of a large file only the parts that are
// looked at are read.
Result<std::shared_ptr<const Mapping>> map_file(const std::filesystem::path& path);

// What becomes of a symbolic link that stands where a file is written.
enum class AtLink : std::uint8_t { refuse, replace };

// Puts `bytes` in place of the file, or leaves what was there: they go to a temporary file beside
// it, which is synced and renamed over it, and the directory is synced. A process that is killed at
// any moment leaves the old file or the new one, never a part. Keeps the permissions of a file that
// exists, and is never more readable than that. Temporary files that killed programs left in the
// folder are removed. A stop is an error too.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                                   AtLink at_link = AtLink::refuse, const Progress& progress = {});

// Where a symbolic link of this name leads; none: there is no link. Error: the link or its file is
// another user's.
Result<std::optional<std::filesystem::path>> link_target(const std::filesystem::path& path);

// Another text after every time that the file was written or replaced; empty: there is no file.
std::string file_stamp(const std::filesystem::path& path);

// The folder with the program's data (examples/, icon/). Taken in this order: $NORMSCOPE_ASSETS,
// ../share/normscope beside the program's own folder (installed), the source tree it was built
// from. Error: none of them exists.
Result<std::filesystem::path> find_assets();

// All of a file of that folder: "texts/sonnets.txt".
Result<std::string> read_asset(const std::string& name);

} // namespace normscope
