#pragma once
#include "app/widgets/matrix_editor.h"
#include "app/workspaces/shared/look.h"

#include <optional>

namespace normscope {

// How the backward pass is looked at, and how fast a run learns.
struct BackwardView {
    MatrixEditorState editor_dy; // of dY, or of the target while that is shown
    bool target_shown = false;   // in the place of dY
    double learning_speed = 20;  // in steps a second
    double steps_due = 1;        // of a run; its first one is due at once
    std::optional<double> cut;   // of the surgery's cuts, while they are played; none: all are made
    OpenFolds folds;

    void keep(Look& look) { look("target", target_shown); }
    bool operator==(const BackwardView&) const = default;
};

} // namespace normscope
