#pragma once
#include "app/charts/heatmap.h"
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/study/batch_vs_layer/batch_sequences.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "app/workspaces/shared/frame.h"

#include <array>

namespace normscope {

// How the norms that are compared are looked at.
struct BatchView {
    MatrixEditorState editor_z; // of Z, where it stands in for X
    NormResult norm_result = NormResult::x_hat;

    bool operator==(const BatchView&) const = default;
};

struct BatchMemory final : OwnMemory {
    explicit BatchMemory(const DrawMemory::Wake& wake) : study(wake), small_batches(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&study, &small_batches}; }

    Node<BatchStudy> study;
    Node<SmallBatches> small_batches;
    TouchMemo touch;
    SequencesMemo sentences;
    std::array<CellFormatMemo, 1 + k_compared_count> formats; // of Z and its norms
    // Z, its norms, who touches whom, train and eval
    std::array<HeatmapPicture, 3 + 2 * k_compared_count> maps;
};

} // namespace normscope
