#pragma once
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/widgets/matrix_editor.h"
#include "app/workspaces/shared/look.h"

namespace normscope {

// How the norms that are compared are looked at.
struct BatchView {
    MatrixEditorState editor_z; // of Z, where it stands in for X
    NormResult norm_result = NormResult::x_hat;

    void keep(Look& look) { look("result", norm_result, NormResult::y); }
    bool operator==(const BatchView&) const = default;
};

} // namespace normscope
