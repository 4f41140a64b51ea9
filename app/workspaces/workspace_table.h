#pragma once
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace normscope {

// Draws into `area` (its width is given, its height as much as there is) and returns the height it
// would like to have; the shell scrolls where that is more.
using WorkspaceFn = float (*)(Ui& ui, Rect area, const Frame& frame, Actions& actions);

// A part of a workspace that can be exported on its own.
using FigureFn = void (*)(Ui& ui, Rect area, const Frame& frame, Actions& actions);

struct FigureEntry {
    std::string_view id; // "before-after": the command line
    std::string_view label;
    Size size; // at scale 1
    FigureFn draw;
    // At scale 1, what it needs to show all it is about: in a smaller picture all of it shrinks.
    // {0, 0}: a little less than `size`.
    Size least = {0, 0};
};

// What a workspace shows that is not derived from the document in passing.
enum class Needs : std::uint8_t { nothing, flow, batch, backward };

struct WorkspaceEntry {
    std::string_view id;    // "add-norm": the command line
    std::string_view label; // the tab
    WorkspaceFn draw;
    std::span<const FigureEntry> figures;
    int key;                      // 1 to 6: its place among all six, whichever of them are there
    Needs needs = Needs::nothing; // the shell keeps it up to date while the workspace is open
};

// Every workspace in the order of its tabs and keys. A new one is one file and one line.
std::span<const WorkspaceEntry> workspace_table();

// Where the workspace called `id` stands in the table, if it is there.
std::optional<std::size_t> workspace_index(std::string_view id);

} // namespace normscope
