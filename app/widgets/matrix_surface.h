#pragma once
#include "app/widgets/matrix_editor.h"

// What matrix_surface() and matrix_editor() share.
namespace normscope {

std::optional<Cell> cell_under_mouse(const Ui& ui, const MatrixSurface& s);

// The mouse was moved so far that a click is a drag.
bool dragged_far(const Ui& ui);

// Wheel and panning, shared by read-only and editable matrices.
void move_view(Ui& ui, const Hit& hit, const MatrixSurface& s, bool panning, MatrixEvents& events);

// By key: the cursor's cell stays where it is.
void zoom_at(const MatrixSurface& s, const Cell& cursor, float notches, MatrixEvents& events);

// Nothing where the cell is in sight already.
std::optional<MatrixViewport> bring_into_sight(const MatrixSurface& s, const Cell& cell);

} // namespace normscope
