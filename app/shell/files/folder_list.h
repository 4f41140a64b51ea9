#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct FolderEntry {
    std::string name;
    bool is_folder = false;
    std::uintmax_t size = 0; // bytes; of a file
    std::filesystem::file_time_type changed;
};

enum class FolderOrder : std::uint8_t { name, size, changed };

// What is in a folder. Error: it cannot be read, as one sentence.
Result<std::vector<FolderEntry>> read_folder(const std::filesystem::path& folder);

// Folders first, then by `order`; names as people count (a2 before a10), in either case.
void sort_folder(std::vector<FolderEntry>& entries, FolderOrder order, bool descending);

// Whether `name` is shown when `filter` has been typed: it holds it, in either case; hidden names
// only when the filter begins with a dot.
bool passes_filter(std::string_view name, std::string_view filter);

// Whether `name` ends as those of files do that the program opens, in either case. Other files may
// hold numbers too.
bool is_usual_kind(std::string_view name);

std::string size_in_words(std::uintmax_t bytes); // "1.5 MB"
std::tm local_time(std::filesystem::file_time_type time);
std::string date_in_words(std::filesystem::file_time_type time); // "2024-05-31 14:02", local time

// A path for a person: "~" for the home folder.
std::string path_in_words(const std::filesystem::path& path, const std::filesystem::path& home);

} // namespace normscope
