#pragma once
#include "app/model/field.h"
#include "app/shell/files/outside.h"
#include "app/shell/frame/app.h"
#include "app/widgets/ui.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace normscope {

enum class FolderOrder : std::uint8_t { name, size, changed };

// The entries of a folder. Error: it cannot be read, as one sentence.
Result<std::vector<FolderEntry>> read_folder(const std::filesystem::path& folder);

// Folders first, then by `order`; names as people count (a2 before a10), in either case.
void sort_folder(std::vector<FolderEntry>& entries, FolderOrder order, bool descending);

// Whether `name` is shown when `filter` has been typed: it holds it, in either case; hidden names
// only when the filter begins with a dot.
bool passes_filter(std::string_view name, std::string_view filter);

// Whether `name` ends as those of files do that the program opens, in either case. Other files may
// hold numbers too.
bool is_usual_kind(std::string_view name);

std::string size_in_words(std::uintmax_t bytes);                 // "1.5 MB"
std::string date_in_words(std::filesystem::file_time_type time); // "2024-05-31 14:02", local time

// A path for a person: "~" for the home folder.
std::string path_in_words(const std::filesystem::path& path, const std::filesystem::path& home);

inline constexpr float k_folder_row = 28; // of an entry, at scale 1

// The entries of a folder, sorted by the column that was clicked. One of them may be lit.
class FolderTable {
  public:
    enum class Meant : std::uint8_t { all, usual_kinds }; // files of other kinds are pale
    struct Clicks {
        bool lit = false, opened = false; // what is lit now
    };

    explicit FolderTable(Meant meant) : meant_(meant) {}

    void fill(std::vector<FolderEntry> entries);
    void filter(const std::string& typed); // shows those that pass it
    const FolderEntry* lit() const;
    void let_go() { lit_ = -1; }
    bool walk(); // by key; whether one was pressed
    Clicks draw(Ui& ui, Rect r, App::State& state);

  private:
    void draw_order(Ui& ui, Rect r, const ChoiceName& name, FolderOrder order, Align align);
    void draw_entry(Ui& ui, int i, Rect r, bool wide, Clicks& clicks);

    Meant meant_;
    std::vector<FolderEntry> entries_;
    std::vector<std::size_t> shown_;                                      // of entries_
    std::optional<std::tuple<FolderOrder, bool, std::string>> shown_for_; // descending, the filter
    FolderOrder order_ = FolderOrder::name;
    bool descending_ = false;
    int lit_ = -1; // of shown_
    bool reveal_ = false, to_top_ = false;
};

} // namespace normscope
