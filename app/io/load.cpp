#include "app/io/load.h"

#include "app/io/csv.h"
#include "app/io/file.h"

#include <string_view>
#include <utility>

namespace normscope {

namespace {

Result<LoadedFile> load_npy(std::string_view bytes, const std::string& name) {
    Result<NpyArray> array = read_npy(bytes, name);
    if (!array) return tl::unexpected(std::move(array).error());
    LoadedFile loaded;
    loaded.dtype = array->dtype;
    if (array->slices == 1) {
        loaded.content = Table{std::move(array->stacked), {}, {}};
    } else {
        loaded.content = std::move(*array);
    }
    return loaded;
}

} // namespace

Result<LoadedFile> load_file(const std::filesystem::path& path, const Progress& progress) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return tl::unexpected(std::move(bytes).error());
    const std::string name = path.string();
    if (path.extension() == ".npy" || bytes->starts_with("\x93NUMPY"))
        return load_npy(*bytes, name);
    if (bytes->starts_with("PK\x03\x04")) {
        return fail(name + ": is an archive (.npz or .xlsx): expected one matrix as .npy, .csv or "
                           ".tsv.");
    }
    if (bytes->starts_with("{")) {
        return fail(name + ": is JSON: expected one matrix as .npy, .csv or .tsv.");
    }
    Result<Table> table = read_csv(*bytes, name, progress);
    if (!table) return tl::unexpected(std::move(table).error());
    return LoadedFile{"text", std::move(*table)};
}

Result<Table> load_table(const std::filesystem::path& path, std::optional<Index> slice_index) {
    Result<LoadedFile> loaded = load_file(path);
    if (!loaded) return tl::unexpected(std::move(loaded).error());
    if (Table* table = std::get_if<Table>(&loaded->content)) return std::move(*table);
    const NpyArray& array = std::get<NpyArray>(loaded->content);
    if (!slice_index) {
        return fail(path.string() + ": holds " + std::to_string(array.slices) +
                    " matrices: expected one (save one slice of the array).");
    }
    Result<Matrix<double>> matrix = slice(array, *slice_index);
    if (!matrix) return fail(path.string() + ": " + matrix.error().message);
    return Table{std::move(*matrix), {}, {}};
}

} // namespace normscope
