#pragma once
#include "app/charts/palette.h"
#include "app/model/edit.h"
#include "app/study/add_norm/derived.h"
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/widgets/matrix_editor.h"
#include "app/workspaces/gradient_flow/flow_view.h"

#include <cstdint>
#include <optional>
#include <string>

namespace normscope {

// What the mouse is over, in terms of the data; the same token and feature light up everywhere.
struct Hover {
    std::optional<Tensor> tensor; // a card's cell, if it is one
    std::optional<Index> token;
    std::optional<Index> feature;
    std::optional<int> block = std::nullopt; // of the stack, 1 … L
    bool operator==(const Hover&) const = default;
};

enum class CurveStyle : std::uint8_t { density, histogram, both };
enum class PoolChoice : std::uint8_t { all, token, feature };

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
    std::optional<Axis> axis;
    std::optional<Tensor> tensor;
    Index token = 0, feature = 0;
    std::optional<Point> at = {}; // opened by key: beside this; else at the mouse
    std::optional<std::size_t> compared = {};
    bool operator==(const MatrixMenu&) const = default;
};

// How the document is looked at: nothing here is saved with it or undone.
struct View {
    std::size_t workspace = 0; // index into workspace_table()
    ThemeKind theme = ThemeKind::light;
    float ui_scale = 1;

    Hover hover;
    std::optional<Index> pinned_token;
    std::optional<Index> pinned_feature;

    PoolChoice pool = PoolChoice::all;
    CurveStyle curves = CurveStyle::density;

    std::optional<int> came_from_block; // of the stack (1 … L), whose Add & Norm is open

    std::optional<int> playing; // the worked step that is lit, 0 to 4

    MatrixEditorState editor_x, editor_f; // selection and what is being typed
    MatrixEditorState editor_dy;          // of dY, or of the target while that is shown
    MatrixEditorState editor_z;           // of Z, where it stands in for X
    bool target_shown = false;            // in the place of dY
    bool learning = false;                // gradient descent goes on, as its panel says
    double learning_speed = 20;           // in steps a second
    std::optional<NameRef> renaming;
    bool renaming_begins = false;
    std::optional<MatrixMenu> menu;
    MatrixViewport viewport; // shared by the five cards
    Index seen_tokens = 0;   // of the document that `viewport` is of
    Index seen_features = 0;
    float fader_scroll = 0;              // in faders, of the strip for many features
    std::optional<Index> fader_followed; // the pinned one that the strip was scrolled to last
    int brush = 1;                       // faders set at once by a stroke

    std::size_t prediction = 0; // the question that is asked
    bool revealed = false;

    Distribution distribution = Distribution::normal;
    std::uint64_t seed = 1;
    bool seed_used = false; // to randomize with: the next time it is the next one
    double shift = 1;
    double factor = 10;

    NormResult norm_result = NormResult::y; // of the norms that are compared

    FlowView flow;

    bool operator==(const View&) const = default;
};

} // namespace normscope
