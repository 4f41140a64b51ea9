#pragma once
#include "app/charts/heatmap.h"
#include "app/study/backward/backward.h"
#include "app/study/backward/group_memo.h"
#include "app/workspaces/shared/frame.h"

namespace normscope {

struct BackwardMemory final : OwnMemory {
    explicit BackwardMemory(const DrawMemory::Wake& wake) : backward(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&backward}; }

    Node<Backward> backward;
    JacobianMemo jacobian;
    GroupCheckMemo group_check;          // of dz
    HeatmapPicture dy, dz, jacobian_map; // dY or target; dz is dX and dF(X) as well
};

} // namespace normscope
