#pragma once
#include "app/charts/heatmap.h"
#include "app/widgets/ui.h"

#include <optional>

// What is drawn over and beside the heat maps of this workspace.
namespace normscope {

// Green rims on the cells that moved, as strong as |change| / largest. `change` has the shape of
// the matrix of `port`. Where cells are too small for rims, one around `bounds`, all that moved.
void draw_glow(Ui& ui, Rect area, const HeatmapPort& port, const Matrix<double>& change,
               const CellBlock& bounds, double largest);

// A thin outline around every row (or column) of cells: the sets that share their statistics.
// None where the cells are too small to tell outlines apart.
void outline_rows(Ui& ui, Rect area, const HeatmapPort& port, Index rows, Index cols);
void outline_columns(Ui& ui, Rect area, const HeatmapPort& port, Index rows, Index cols);

// Statistics at the edge they belong to: a number beside every row, in a strip right of the cells,
// or under every column, in a strip below them. Where they have no room, only the one in focus.
struct EdgeNumbers {
    Rect area; // of the cells
    HeatmapPort port;
    const Vector<double>& values;
    std::optional<Index> focus;
};
void numbers_beside_rows(Ui& ui, Rect strip, const EdgeNumbers& numbers);
void numbers_below_columns(Ui& ui, Rect strip, const EdgeNumbers& numbers);

// How wide a strip beside rows must be for these values.
float numbers_width(const Ui& ui, const Vector<double>& values);

} // namespace normscope
