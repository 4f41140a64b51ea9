#pragma once
#include "app/charts/heatmap.h"
#include "app/model/edit.h"
#include "app/study/add_norm/distribution_memo.h"
#include "app/study/backward/backward.h"
#include "app/study/backward/group_check_memo.h"
#include "app/study/backward/jacobian_memo.h"
#include "app/study/batch_vs_layer/batch_memo.h"
#include "app/study/gradient_flow/flow_runner.h"
#include "app/study/node.h"
#include "app/workspaces/shared/view.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// What follows from the document, and what drawing keeps between frames so as not to compute the
// same thing again. Owned by the app.
struct DrawMemory {
    // `wake` is called on a worker that has something to show.
    explicit DrawMemory(const std::function<void()>& wake = [] {})
        : derived(wake), backward(wake), batch_study(wake), small_batches(wake), flow(wake) {}

    Node<Derived> derived;
    DistributionMemo distributions;
    std::array<HeatmapPicture, k_tensors> cards;     // large matrices as pictures
    std::array<HeatmapPicture, k_tensors> overviews; // and the whole of them, small
    std::array<CellFormatMemo, k_tensors> formats;

    Node<Backward> backward;
    JacobianMemo jacobian;
    GroupCheckMemo group_check;          // of dz
    HeatmapPicture dy, dz, jacobian_map; // dY or target; dz is dX and dF(X) as well

    Node<BatchStudy> batch_study;
    Node<SmallBatches> small_batches;
    TouchMemo touch;
    SequencesMemo sentences;
    // Z, its norms, who touches whom, train and eval
    std::array<HeatmapPicture, 3 + 2 * k_compared_count> batch_maps;

    FlowRunner flow;

    template<class F>
    void each_node(F&& f) {
        f(derived);
        f(backward);
        f(batch_study);
        f(small_batches);
        f(flow);
    }
    template<class F>
    bool any_node(F&& f) const {
        return f(derived) || f(backward) || f(batch_study) || f(small_batches) || f(flow);
    }
    bool computing() const {
        return any_node([](const auto& node) { return node.computing(); });
    }
    bool slow() const { // for long enough to say so
        return any_node([](const auto& node) { return node.slow(); });
    }
    bool just_begun() const {
        return any_node([](const auto& node) { return node.just_begun(); });
    }
};

// What a workspace reads. It never writes the document.
struct Frame {
    const Document& document;
    const Derived& derived;
    const View& view;
    const Derived* ghost = nullptr; // as it stood when the drag that is going on began
    DrawMemory& memory;
};

// What a workspace asks for. `view` starts as a copy of the frame's, without its hover.
struct Actions {
    std::vector<Edit> edits;
    View view;
    // What the keyboard is on: lights up as what the mouse is over does.
    std::optional<Hover> keyed = std::nullopt;
    std::string status; // one sentence for the status line
    // Of its own studies of the document: to stop, or to go on.
    std::function<void(DrawMemory&, const Document&)> ask = nullptr;
};

} // namespace normscope
