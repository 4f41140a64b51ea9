#pragma once
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/widgets/matrix_editor.h"

namespace normscope {

// How the norms that are compared are looked at.
struct BatchView {
    MatrixEditorState editor_z; // of Z, where it stands in for X
    NormResult norm_result = NormResult::x_hat;

    bool operator==(const BatchView&) const = default;
};

} // namespace normscope
