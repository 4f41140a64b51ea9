#pragma once
#include "app/charts/heatmap.h"
#include "app/study/backward/backward.h"
#include "app/study/backward/group_memo.h"
#include "app/workspaces/shared/frame.h"

namespace normscope {

// How the backward pass is looked at, and how fast a run learns.
struct BackwardView {
    MatrixEditorState editor_dy; // of dY, or of the target while that is shown
    bool target_shown = false;   // in the place of dY
    double learning_speed = 20;  // in steps a second
    double steps_due = 1;        // of a run; its first one is due at once

    bool operator==(const BackwardView&) const = default;
};

struct BackwardMemory final : OwnMemory {
    explicit BackwardMemory(const DrawMemory::Wake& wake) : backward(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&backward}; }

    Node<Backward> backward;
    JacobianMemo jacobian;
    GroupCheckMemo group_check;          // of dz
    HeatmapPicture dy, dz, jacobian_map; // dY or target; dz is dX and dF(X) as well
};

} // namespace normscope
