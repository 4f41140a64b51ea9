#include "app/io/load.h"

#include "app/io/csv.h"
#include "app/io/file.h"
#include "app/io/text.h"
#include "app/io/zip.h"
#include "app/language/language.h"
#include "core/base/lists.h"

#include <span>
#include <utility>

namespace normscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_npy_ending = ".npy";
constexpr std::string_view k_npy_magic = "\x93NUMPY";

Result<LoadedFile> load_npy(std::string_view bytes, const std::string& name) {
    NpyArray array = TRY(read_npy(bytes, name));
    if (array.slices == 1) return Table{std::move(array.stacked), {}, {}};
    return array;
}

Result<LoadedFile> load_zip(std::string_view bytes, const std::string& name,
                            const std::string& wanted) {
    std::vector<ZipMember> members = TRY(list_zip(bytes, name));
    ArrayNames arrays;
    std::vector<std::string> all;
    for (const ZipMember& member : members) {
        all.push_back(member.name);
        if (member.name.ends_with(k_npy_ending))
            arrays.emplace_back(member.name, 0, member.name.size() - k_npy_ending.size());
    }
    if (arrays.empty()) return fail("{}: {}.", name, foreign_zip_kind(all));
    if (wanted.empty() && arrays.size() > 1) return arrays;
    const std::string& array = wanted.empty() ? arrays.front() : wanted;
    for (const ZipMember& member : members) {
        if (member.name != array + std::string(k_npy_ending)) continue;
        const std::string data = TRY(read_zip_member(bytes, member, name));
        return load_npy(data, name + ": " + quote_for_message(array));
    }
    return fail("{}: has no array {}: expected {}.", name, quote_for_message(array),
                list_arrays(arrays));
}

Result<LoadedFile> load_unpacked(std::string_view bytes, const fs::path& path,
                                 const std::string& name, const std::string& array,
                                 const std::optional<std::string>& classes) {
    if (bytes.starts_with(k_npy_magic)) return load_npy(bytes, name);
    if (is_zip(bytes)) return load_zip(bytes, name, array);
    if (const std::string kind = foreign_kind(bytes); !kind.empty())
        return fail("{}: {}.", name, kind);
    if (path.extension() == k_npy_ending) return load_npy(bytes, name); // it says what is missing
    return read_csv(bytes, name, classes);
}

} // namespace

std::string list_arrays(const ArrayNames& arrays) {
    constexpr std::size_t k_most = 6;
    const std::size_t left = arrays.size() - std::min(arrays.size(), k_most);
    const std::string list = joined(std::span(arrays).first(arrays.size() - left),
                                    [](const auto& name) { return quote_for_message(name); });
    return left > 0 ? worded("{} or one of {} more", list, left) : list;
}

Result<LoadedFile> load_file(const fs::path& path, const std::string& array,
                             const std::optional<std::string>& classes) {
    const std::string bytes = TRY(read_file(path));
    const std::string name = path.string();
    if (!bytes.starts_with(k_gzip_magic)) return load_unpacked(bytes, path, name, array, classes);
    const std::string unpacked = TRY(unpack(bytes, Packing::gzip, k_max_unpacked_bytes, name));
    return load_unpacked(unpacked, path.stem(), name, array, classes);
}

FileAndArray split_array(const fs::path& path) {
    const std::string text = path.string();
    std::error_code error;
    if (fs::exists(path, error)) return {path, {}};
    // An array's name may have a colon too.
    for (std::size_t colon = text.size();
         (colon = text.rfind(':', colon)) != text.npos && colon > 0; --colon)
        if (fs::exists(fs::path(text.substr(0, colon)), error))
            return {text.substr(0, colon), text.substr(colon + 1)};
    return {path, {}};
}

Result<Table> load_table(const fs::path& path, const std::optional<std::string>& classes) {
    const std::string text = path.string();
    const auto [file, array] = split_array(path);
    LoadedFile loaded = TRY(load_file(file, array, classes));
    if (Table* table = std::get_if<Table>(&loaded)) return std::move(*table);
    if (const ArrayNames* arrays = std::get_if<ArrayNames>(&loaded))
        return fail("{}: holds {} arrays: name one after a colon, as in {}:{}; expected {}.", text,
                    arrays->size(), text, arrays->front(), list_arrays(*arrays));
    return fail("{}: holds {} matrices: expected one (save one slice of the array).", text,
                std::get<NpyArray>(loaded).slices);
}

} // namespace normscope
