#pragma once
#include "app/layout/grid.h"

#include <set>
#include <span>
#include <string_view>

// Panels that a page shows only when somebody asks for them.
namespace normscope {

struct Fold {
    std::string_view id;          // of its cell in the grid and of its panel
    std::string_view title, line; // its name, and a sentence about what it shows
    float height = 0;             // of its cell
    bool half = true;             // two of them share a row of a wide page
};

// How they are looked at: view state.
struct OpenFolds {
    std::set<std::string_view> ids;
    std::string_view opened = {}; // comes into sight while `passes` last
    int passes = 0;
    bool operator==(const OpenFolds&) const = default;

    bool has(std::string_view id) const { return ids.contains(id); }
    void open(std::string_view id);
    void toggle(std::string_view id);
};

// A lesson needs a part of this name, which was not drawn.
bool is_missed(const Ui& ui, std::string_view name);

// Their list: a button and a line each. What a lesson misses is opened. Returns its height. A
// picture has none.
float draw_folds(Ui& ui, Rect r, std::span<const Fold> folds, const OpenFolds& now,
                 OpenFolds& next);

// The page with the cells of the open ones below it, `in_a_row` of those of half a width.
GridCell with_open(GridCell page, std::span<const Fold> folds, const OpenFolds& now,
                   std::size_t in_a_row);

} // namespace normscope
