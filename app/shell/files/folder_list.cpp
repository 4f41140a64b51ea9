#include "app/shell/files/folder_list.h"

#include "app/language/language.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <fmt/chrono.h>
#include <system_error>

namespace normscope {

namespace {

namespace fs = std::filesystem;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}
bool same_letter(char a, char b) {
    return lower(a) == lower(b);
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Numbers within names by their value, letters in either case.
bool name_before(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const std::size_t i0 = std::min(a.find_first_not_of('0', i), a.size());
            const std::size_t j0 = std::min(b.find_first_not_of('0', j), b.size());
            std::size_t i1 = i0, j1 = j0;
            while (i1 < a.size() && is_digit(a[i1])) ++i1;
            while (j1 < b.size() && is_digit(b[j1])) ++j1;
            if (i1 - i0 != j1 - j0) return i1 - i0 < j1 - j0;
            const int order = a.substr(i0, i1 - i0).compare(b.substr(j0, j1 - j0));
            if (order != 0) return order < 0;
            i = i1;
            j = j1;
            continue;
        }
        if (lower(a[i]) != lower(b[j])) return lower(a[i]) < lower(b[j]);
        ++i;
        ++j;
    }
    const std::size_t rest_a = a.size() - i, rest_b = b.size() - j;
    return rest_a != rest_b ? rest_a < rest_b : a < b;
}

} // namespace

Result<std::vector<FolderEntry>> read_folder(const fs::path& folder) {
    std::vector<FolderEntry> entries;
    std::error_code error;
    fs::directory_iterator it(folder, fs::directory_options::none, error);
    for (const fs::directory_iterator none; !error && it != none; it.increment(error)) {
        FolderEntry entry;
        entry.name = it->path().filename().string();
        std::error_code unknown; // a link into nothing is listed like a file
        entry.is_folder = it->is_directory(unknown);
        if (!entry.is_folder) entry.size = it->file_size(unknown);
        if (unknown) entry.size = 0;
        entry.changed = it->last_write_time(unknown);
        entries.push_back(std::move(entry));
    }
    if (error)
        return fail(folder.string() + worded(": the folder cannot be read: ") + error.message());
    return entries;
}

void sort_folder(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
    const auto before = [order](const FolderEntry& a, const FolderEntry& b) {
        if (order == FolderOrder::size && a.size != b.size) return a.size < b.size;
        if (order == FolderOrder::changed && a.changed != b.changed) return a.changed < b.changed;
        return name_before(a.name, b.name);
    };
    std::sort(entries.begin(), entries.end(), [&](const FolderEntry& a, const FolderEntry& b) {
        if (a.is_folder != b.is_folder) return a.is_folder;
        return descending ? before(b, a) : before(a, b);
    });
}

bool passes_filter(std::string_view name, std::string_view filter) {
    if (name.starts_with('.') && !filter.starts_with('.')) return false;
    return std::search(name.begin(), name.end(), filter.begin(), filter.end(), same_letter) !=
               name.end() ||
           filter.empty();
}

bool is_usual_kind(std::string_view name) {
    constexpr std::array<std::string_view, 11> k_endings{".csv",    ".tsv",    ".txt",    ".vec",
                                                         ".npy",    ".npz",    ".csv.gz", ".tsv.gz",
                                                         ".txt.gz", ".npy.gz", ".json"};
    return std::ranges::any_of(k_endings, [&](std::string_view ending) {
        return name.size() >= ending.size() &&
               std::equal(ending.rbegin(), ending.rend(), name.rbegin(), same_letter);
    });
}

std::string size_in_words(std::uintmax_t bytes) {
    constexpr std::array k_units{"B", "kB", "MB", "GB", "TB"};
    double amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (amount >= 999.5 && unit + 1 < k_units.size()) {
        amount /= 1000;
        ++unit;
    }
    return worded("{:.{}f} {}", amount, unit > 0 && amount < 9.95 ? 1 : 0, k_units[unit]);
}

std::tm local_time(fs::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    return fmt::localtime(std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(system)));
}

std::string date_in_words(fs::file_time_type time) {
    return fmt::format("{:%Y-%m-%d %H:%M}", local_time(time));
}

std::string path_in_words(const fs::path& path, const fs::path& home) {
    const std::string text = path.string();
    const std::string root = home.string();
    if (root.size() < 2 || !text.starts_with(root)) return text;
    if (text.size() == root.size()) return "~";
    return text[root.size()] == '/' ? "~" + text.substr(root.size()) : text;
}

} // namespace normscope
