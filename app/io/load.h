#pragma once
#include "app/io/npy.h"
#include "app/io/table.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace normscope {

// The arrays of a .npz of which someone must say which is meant.
using ArrayNames = std::vector<std::string>;

std::string list_arrays(const ArrayNames& arrays); // for a message

// A stack when the file holds more than one matrix and someone must say which (see slice()).
using LoadedFile = std::variant<Table, NpyArray, ArrayNames>;

// Opens .npy, .npz (told by their first bytes), .csv, .tsv, .txt or any other text of numbers, also
// packed with gzip. `array` is the one of a .npz that is meant, if it holds several. Errors begin
// with the path and say where in the file and what was expected; a file of another program is named
// for what it is. Columns of words are read with `classes`, as read_csv() does.
Result<LoadedFile> load_file(const std::filesystem::path& path, const std::string& array = {},
                             const std::optional<std::string>& classes = {});

// "FILE.npz:NAME" taken apart, where there is no file of the whole name.
struct FileAndArray {
    std::filesystem::path file;
    std::string array;
};
FileAndArray split_array(const std::filesystem::path& path);

// The matrix in a file that load_file() reads, or the array in "FILE.npz:NAME". A file of several
// is an error that says how many.
Result<Table> load_table(const std::filesystem::path& path,
                         const std::optional<std::string>& classes = {});

// Files of other programs that hold nothing which is read here, told by what is in them.
enum class Wanted : std::uint8_t { table, weights };

// The kind of a foreign file and what to do instead, as the end of a sentence: "is a PNG picture:
// …"; empty: the kind is not known.
std::string foreign_kind(std::string_view bytes, Wanted wanted = Wanted::table);

// foreign_kind() for a matrix as a program prints it, rounded: its own numbers are lost.
std::string printed_kind(std::string_view text);

// foreign_kind() for a zip file, told by the names in it.
std::string foreign_zip_kind(const std::vector<std::string>& names, Wanted wanted = Wanted::table);

} // namespace normscope
