#pragma once
#include "app/document/derived.h"
#include "app/document/edit.h"
#include "app/widgets/ui.h"

#include <optional>
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
    bool operator==(const MatrixEditorState&) const = default;
};

// Which part of a matrix is seen. zoom 1 shows all of it; the first visible row and column are
// fractions of a cell.
struct MatrixViewport {
    float zoom = 1;
    float row = 0;
    float col = 0;
    bool operator==(const MatrixViewport&) const = default;
};

} // namespace normscope
