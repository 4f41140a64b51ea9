#pragma once
#include "app/model/edit.h"

namespace normscope {

// About what an edit takes, in ns. What changes no matrix, or a few cells of one, is quick, also
// where the matrix is large: a drag of a cell is such an edit a frame.
double cost_of(const Edit& edit, const Document& before);

// Longer than a frame may: it belongs on a worker.
bool takes_long(const Edit& edit, const Document& before);

// Another edit goes before it while it is being made: the next one follows from what that makes.
bool gives_way(const Edit& edit);

} // namespace normscope
