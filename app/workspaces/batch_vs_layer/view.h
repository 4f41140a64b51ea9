#pragma once
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/widgets/matrix_editor.h"
#include "app/workspaces/shared/look.h"

#include <optional>

namespace normscope {

// How the norms that are compared are looked at.
struct BatchView {
    MatrixEditorState editor_z; // of Z, where it stands in for X
    NormResult norm_result = NormResult::x_hat;
    bool more_norms = false;    // RMS and group norm too
    bool numbers_shown = false; // of the small batches
    OpenFolds folds;
    std::optional<Cell> banded; // what shares μ and σ with it has a band
    double swept = 1;           // so much of the way along it

    void keep(Look& look) {
        look("result", norm_result, NormResult::y);
        look("more-norms", more_norms);
        look("numbers", numbers_shown);
    }
    bool operator==(const BatchView&) const = default;
};

} // namespace normscope
