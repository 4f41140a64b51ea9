#pragma once
#include "app/charts/heatmap.h"
#include "app/model/edit.h"
#include "app/study/add_norm/distribution_memo.h"
#include "app/study/backward/backward.h"
#include "app/study/backward/group_check_memo.h"
#include "app/study/backward/jacobian_memo.h"
#include "app/study/batch_vs_layer/batch_memo.h"
#include "app/study/gradient_flow/flow_block.h"
#include "app/study/gradient_flow/flow_study.h"
#include "app/study/latest.h"
#include "app/workspaces/shared/view.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace normscope {

// What drawing keeps between frames so as not to compute the same thing again. Owned by the app.
struct DrawMemory {
    DistributionMemo distributions;
    std::array<HeatmapPicture, k_tensors> cards;     // large matrices as pictures
    std::array<HeatmapPicture, k_tensors> overviews; // and the whole of them, small
    std::array<CellFormatMemo, k_tensors> formats;
    Latest<Backward> backward; // kept up while a workspace that shows it is open
    JacobianMemo jacobian;
    GroupCheckMemo group_check;     // of dz
    Latest<BatchStudy> batch_study; // as backward
    Latest<SmallBatches> small_batches;
    BatchMemo batch;
    HeatmapPicture dy, dz, jacobian_map;      // dY or target; dz is dX and dF(X) as well
    std::array<HeatmapPicture, 9> batch_maps; // Z, its norms, who touches whom, train and eval
};

// What a workspace reads. It never writes the document.
struct Frame {
    const Document& document;
    const Derived& derived;
    const View& view;
    const Derived* ghost = nullptr; // as it stood when the drag that is going on began
    DrawMemory& memory;
    const FlowStudies* flow = nullptr; // while a workspace that shows it is open
};

// To leave what is being measured as far as it is, or to measure the rest after all.
enum class Measuring : std::uint8_t { stop, go_on };

// What a workspace asks for. `view` starts as a copy of the frame's, without its hover.
struct Actions {
    std::vector<Edit> edits;
    View view;
    // What the keyboard is on: lights up as what the mouse is over does.
    std::optional<Hover> keyed = std::nullopt;
    std::string status; // one sentence for the status line
    // Of the present stack: an Add & Norm that is to be opened in workspace 1.
    std::optional<BlockPart> open_block;
    std::optional<Measuring> measuring; // of the stacks
};

} // namespace normscope
