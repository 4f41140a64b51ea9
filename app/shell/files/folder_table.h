#pragma once
#include "app/model/field.h"
#include "app/shell/files/folder_list.h"
#include "app/shell/frame/app.h"
#include "app/widgets/ui.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

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
    std::vector<std::size_t> shown_; // of entries_
    struct Shown {
        FolderOrder order;
        bool descending;
        std::string filter;
        bool operator==(const Shown&) const = default;
    };
    std::optional<Shown> shown_for_;
    FolderOrder order_ = FolderOrder::name;
    bool descending_ = false;
    int lit_ = -1; // of shown_
    bool reveal_ = false, to_top_ = false;
};

} // namespace normscope
