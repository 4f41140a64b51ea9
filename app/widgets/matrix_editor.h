#pragma once
#include "app/charts/heatmap.h"
#include "app/io/table.h"
#include "app/model/edit.h"
#include "app/widgets/ui.h"

#include <optional>
#include <string>
#include <vector>

namespace normscope {

struct Cell {
    Index token = 0;
    Index feature = 0;
    bool operator==(const Cell&) const = default;
};

// The selected block of an editable matrix, from anchor to cursor.
struct MatrixEditorState {
    bool active = false;
    Cell anchor, cursor;
    std::optional<CellBlock> pasted; // selected once it is there, if it was not refused
    bool operator==(const MatrixEditorState&) const = default;

    CellBlock block() const;
};

// Drops a selection that reaches beyond the matrix, which may have shrunk.
void keep_within(MatrixEditorState& editor, Index tokens, Index features);

// The visible part of a matrix. zoom 1 shows all of it; the first visible row and column are in
// cells and fractions of a cell.
struct MatrixViewport {
    float zoom = 1;
    float row = 0;
    float col = 0;
    bool operator==(const MatrixViewport&) const = default;
};

// The viewport as cells of `area`, moved so that no part of the matrix is scrolled out of it.
HeatmapPort port_of(const MatrixViewport& viewport, Rect area, Index rows, Index cols, Size most,
                    float scale);

// The hand's acts on a matrix in this frame.
struct MatrixEvents {
    std::optional<Cell> hovered;
    std::optional<Cell> clicked; // and let go without a drag
    std::optional<Cell> menu;    // right-clicked, or asked for by key: then beside `menu_at`
    std::optional<Point> menu_at;
    std::optional<Cell> keyed;   // the selected one, while it is the keyboard that is used
    std::optional<Cell> toggled; // by Space: is to be pinned, or let go
    std::optional<MatrixViewport> viewport;
    std::vector<Edit> edits;
};

// The mouse over the cells of any matrix: hover, click, zoom with the wheel, pan by dragging where
// cells are too small to be edited.
struct MatrixSurface {
    Rect area;
    HeatmapPort port;
    MatrixView values;
    MatrixViewport viewport;
    bool pannable = false; // a drag moves the view
};
MatrixEvents matrix_surface(Ui& ui, NamePart part, const MatrixSurface& surface);

// matrix_surface() for X or F(X), whose cells are edited in place: click selects, Shift extends,
// typing replaces, Enter and Tab move on, Esc takes back, then lets go, a drag scrubs, Delete sets
// zero, Alt+plus and Alt+minus zoom, Ctrl+C, X, V copy and paste tab-separated blocks, Ctrl+Enter
// fills the selection, Space pins, the menu key or Shift+F10 opens the cell's menu. Changes
// `state`.
MatrixEvents matrix_editor(Ui& ui, NamePart part, const MatrixSurface& surface, Input input,
                           MatrixEditorState& state);

// Parts of matrix_surface() and matrix_editor().
std::optional<Cell> cell_under_mouse(const Ui& ui, const MatrixSurface& s);

// The mouse was moved so far that a click is a drag.
bool dragged_far(const Ui& ui);

// Wheel and panning, shared by read-only and editable matrices.
void move_view(Ui& ui, const Hit& hit, const MatrixSurface& s, bool panning, MatrixEvents& events);

// Zooms by key; the cursor's cell stays where it is.
void zoom_at(const MatrixSurface& s, const Cell& cursor, float notches, MatrixEvents& events);

// The viewport that shows the whole cell; none where the cell is in sight already.
std::optional<MatrixViewport> bring_into_sight(const MatrixSurface& s, const Cell& cell);

// Copies a block to the clipboard as a spreadsheet takes it.
void copy_block(Ui& ui, const MatrixView& values, const CellBlock& block);

// A text for the cells of a matrix_editor(), and its numbers once they are read: one value fills
// `block`, others begin where it does, and the matrix grows where they reach over its edge.
struct Paste {
    ImGuiID into;
    CellBlock block;
    std::string text;
    Table numbers = {};
};

} // namespace normscope
