#pragma once
#include "app/io/npy.h"
#include "app/io/table.h"
#include "core/flow/progress.h"
#include "core/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace normscope {

struct LoadedFile {
    std::string dtype; // what the file stores: "float32", … or "text"
    // A stack when the file holds more than one matrix and someone must say which (see slice()).
    std::variant<Table, NpyArray> content;
};

// Opens .npy (told by its first bytes), .csv, .tsv, .txt or any other text of numbers.
// Errors begin with the path and say where in the file and what was expected.
Result<LoadedFile> load_file(const std::filesystem::path& path, const Progress& progress = {});

// The same, reduced to one matrix: `slice_index` chooses from a stack; without it a stack is an
// error that says how many slices there are.
Result<Table> load_table(const std::filesystem::path& path,
                         std::optional<Index> slice_index = std::nullopt);

} // namespace normscope
