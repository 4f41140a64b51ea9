#pragma once
#include "app/charts/heatmap.h"
#include "app/study/add_norm/derived.h"
#include "app/workspaces/shared/frame.h"

#include <array>
#include <optional>

namespace normscope {

// Where a card's cells and its distribution stand in this frame.
struct CellsAt {
    Rect area;
    HeatmapPort port;
    Rect distribution;
};

// The line of "Play the five steps" in this frame.
struct PlayedLine {
    float zero = 0, per_unit = 1, base = 0; // in pixels

    float x(double value) const { return zero + static_cast<float>(value) * per_unit; }
};

struct AddNormMemory final : OwnMemory {
    explicit AddNormMemory(const DrawMemory::Wake& /*wake*/) {}

    DistributionMemo distributions;
    std::array<HeatmapPicture, k_tensors> cards;     // large matrices as pictures
    std::array<HeatmapPicture, k_tensors> overviews; // and the whole of them, small
    std::array<CellFormatMemo, k_tensors> formats;
    std::array<std::optional<CellsAt>, k_tensors> cells_at; // none: not drawn
    std::optional<PlayedLine> line;
};

} // namespace normscope
