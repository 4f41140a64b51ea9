#pragma once
#include "app/charts/heatmap.h"
#include "app/study/add_norm/distribution_memo.h"
#include "app/workspaces/shared/frame.h"

#include <array>

namespace normscope {

struct AddNormMemory final : OwnMemory {
    explicit AddNormMemory(const DrawMemory::Wake& /*wake*/) {}

    DistributionMemo distributions;
    std::array<HeatmapPicture, k_tensors> cards;     // large matrices as pictures
    std::array<HeatmapPicture, k_tensors> overviews; // and the whole of them, small
    std::array<CellFormatMemo, k_tensors> formats;
};

} // namespace normscope
