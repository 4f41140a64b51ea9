#pragma once
#include "app/io/npy.h"
#include "app/io/table.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace normscope {

// The arrays of a .npz of which someone must say which is meant.
struct ArrayNames {
    std::vector<std::string> names;
};

std::string list_arrays(const ArrayNames& arrays); // for a message

struct LoadedFile {
    // A stack when the file holds more than one matrix and someone must say which (see slice()).
    std::variant<Table, NpyArray, ArrayNames> content;
};

// Opens .npy, .npz (told by their first bytes), .csv, .tsv, .txt or any other text of numbers, also
// packed with gzip. `array` is the one of a .npz that is meant, if it holds several. Errors begin
// with the path and say where in the file and what was expected; a file of another program is named
// for what it is.
Result<LoadedFile> load_file(const std::filesystem::path& path, const Progress& progress = {},
                             const std::string& array = {});

// "FILE.npz:NAME" taken apart, where there is no file of the whole name.
struct FileAndArray {
    std::filesystem::path file;
    std::string array;
};
FileAndArray split_array(const std::filesystem::path& path);

// The same where it holds one matrix, else an error that says how many. Of "FILE.npz:NAME" the
// array of that name.
Result<Table> load_table(const std::filesystem::path& path);

} // namespace normscope
