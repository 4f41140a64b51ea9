#pragma once
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"

#include <optional>
#include <vector>

namespace normscope {

// The matrix that view.menu was opened on.
struct MenuMatrix {
    MatrixView values;
    std::optional<Input> input = {};           // what its cells set; none: they are only read
    const MatrixEditorState* editor = nullptr; // with `input`: what is selected
};

// The menu on a cell or a name (view.menu): copy, paste, fill, and what can be done to its token
// and feature. Returns what it does to the cells, as edits of the matrix's input.
std::vector<Edit> matrix_menu(Turn turn, const MenuMatrix& matrix);

// A matrix in cells as large as `area` has room for, `largest` at scale 1 at most.
Heatmap fitted_map(const Ui& ui, Rect area, const MatrixView& values, Size largest, int finest = 2);

// The hand on a map that is only read, and the cell that it points at.
struct ReadCells {
    Hit hit;
    std::optional<HeatmapCell> cell;
};
ReadCells read_cells(Ui& ui, NamePart part, Rect area, const Heatmap& map);

// Names left of a map and above it, in strips so wide and so high.
void name_edges(Heatmap& map, std::span<const std::string> rows, float rows_w,
                std::span<const std::string> columns, float columns_h);

// Marks on the names of the token and feature in focus, and on the hovered cell.
HeatmapMarks marks_of_focus(const Frame& frame);

// The widget of this name has the keyboard, or its text is typed.
bool has_keyboard(const Ui& ui, NamePart part);

// A matrix in `area`, as the hand takes it.
MatrixSurface surface_of(const Frame& frame, Rect area, const Heatmap& map);

// Takes the hand's events on the matrix of `place`: hover, pins, viewport, its menu and edits. With
// `toggle`, a click on the pinned cell unpins it.
void take_events(const MatrixEvents& events, const Frame& frame, Actions& actions,
                 const MatrixMenu& place, bool toggle);

} // namespace normscope
