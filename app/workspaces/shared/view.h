#pragma once
#include "app/charts/held_scale.h"
#include "app/charts/palette.h"
#include "app/model/edit.h"
#include "app/study/add_norm/derived.h"
#include "app/widgets/matrix_editor.h"
#include "app/words/norm_formula.h"
#include "app/workspaces/add_norm/view.h"
#include "app/workspaces/backward/view.h"
#include "app/workspaces/batch_vs_layer/view.h"
#include "app/workspaces/gradient_flow/flow_view.h"
#include "app/workspaces/train/view.h"
#include "app/workspaces/transformer/view.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace normscope {

// The data under the mouse; the same token and feature light up everywhere.
struct Hover {
    std::optional<Tensor> tensor; // a card's cell, if it is one
    std::optional<Index> token;
    std::optional<Index> feature;
    std::optional<int> block = std::nullopt;        // of the stack, 1 … L
    std::optional<FormulaTerm> term = std::nullopt; // of a worked step
    bool operator==(const Hover&) const = default;

    std::optional<Index>& along(Axis axis) { return axis == Axis::token ? token : feature; }
    const std::optional<Index>& along(Axis axis) const {
        return axis == Axis::token ? token : feature;
    }
};

// A token's or feature's name. Several cards show it: it is edited in `card`, or where that one has
// no names of this axis in the last one before it that has.
struct NameRef {
    Axis axis;
    Index index;
    Tensor card;
    bool operator==(const NameRef&) const = default;
};

// A menu that was opened on a cell, or on a name along `axis`: in the card of `tensor`, on the
// result of one of the compared norms, or on the one matrix of a workspace that is edited there.
struct MatrixMenu {
    std::optional<Axis> axis = {};
    std::optional<Tensor> tensor = {};
    Index token = 0, feature = 0;
    std::optional<Point> at = {}; // opened by key: beside this; else at the mouse
    std::optional<std::size_t> compared = {};
    bool operator==(const MatrixMenu&) const = default;
};

// The stack whose Add & Norm is open: the workspace it is of, and what is open of it.
struct CameFrom {
    std::size_t workspace = 0;
    std::string part; // "block 3"
    bool operator==(const CameFrom&) const = default;
};

// How the document is looked at: nothing here is saved with it or undone. A workspace's own view is
// a struct in its folder: view.of<BackwardView>().
struct View {
    std::size_t workspace = 0; // index into workspace_table()
    ThemeKind theme = ThemeKind::light;
    float ui_scale = 1;
    bool reduce_motion = false; // what else moves by itself is shown step by step

    Hover hover;
    std::optional<Index> pinned_token;
    std::optional<Index> pinned_feature;
    std::optional<Index>& pinned(Axis axis) {
        return axis == Axis::token ? pinned_token : pinned_feature;
    }
    const std::optional<Index>& pinned(Axis axis) const {
        return axis == Axis::token ? pinned_token : pinned_feature;
    }

    std::optional<CameFrom> came_from; // while an Add & Norm of a stack is open
    bool running = false;              // edits go on by themselves, as a panel says

    // By name: axes and colours that stand still under a hand (held.h).
    std::map<std::string_view, HeldScale> scales;
    bool scales_move = false; // one that was drawn

    std::optional<NameRef> renaming;
    bool renaming_begins = false;
    std::optional<MatrixMenu> menu;
    MatrixViewport viewport; // shared by the cards of all matrices
    Index seen_tokens = 0;   // of the document that `viewport` is of
    Index seen_features = 0;

    // Each workspace's own view.
    std::tuple<AddNormView, BatchView, BackwardView, FlowView, TransformerView, TrainView> own;
    template<class T>
    T& of() {
        return std::get<T>(own);
    }
    template<class T>
    const T& of() const {
        return std::get<T>(own);
    }

    bool operator==(const View&) const = default;
};

} // namespace normscope
