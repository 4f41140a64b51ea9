#pragma once
#include "app/workspaces/shared/frame.h"

#include <optional>
#include <span>
#include <string>

namespace normscope {

// The pinned token or feature, if the document has it.
std::optional<Index> pinned(const Frame& frame, Axis axis);

// The token or feature that the panels speak of: the hovered one, else the pinned one.
std::optional<Index> in_focus(const Frame& frame, Axis axis);
inline std::optional<Index> token_in_focus(const Frame& f) {
    return in_focus(f, Axis::token);
}
inline std::optional<Index> feature_in_focus(const Frame& f) {
    return in_focus(f, Axis::feature);
}

// The set of values that share μ and σ with the token and feature in focus, else with the first.
Index group_in_focus(const Frame& frame);

// Pins what is shared by a set, as far as others do not share it.
void pin_set(View& view, const StatisticSets& sets, Index set);

// A token's or feature's name.
const std::string& group_name(const Document& document, Axis axis, Index index);

inline Index count_along(const Document& d, Axis axis) {
    return axis == Axis::token ? d.token_count() : d.feature_count();
}

// The axis with a γ and a β for each token or feature; none: there is one γ and one β.
std::optional<Axis> affine_axis(const Document& document);
// "d3", "studying" or "all"; "no entry" below 0.
std::string parameter_name(const Document& document, Index index);
// Hovers the parameter's token or feature, as if the mouse were on it.
void light_parameter(const Document& document, Hover& hover, Index index);

// "studying, d3".
std::string cell_name(const Document& document, Index token, Index feature);

// The names of a set's places: tokens of a feature, features of a token.
inline Axis place_axis(const StatisticSets& sets) {
    return sets.by_feature() ? Axis::token : Axis::feature;
}
std::span<const std::string> place_names(const Document& document, const StatisticSets& sets,
                                         Index set);

// Lights a set's place: its cell, as if it were hovered. And the place that is hovered anywhere.
void light_place(const Frame& frame, Actions& actions, Index set, Index place);
std::optional<Index> hovered_place(const Frame& frame);

// Pins a cell's token and feature, or unpins when they are pinned already and `toggle` is set.
void pin(View& view, const Frame& frame, Index token, Index feature, bool toggle);

// Pins or unpins a cell by key or from a menu, and says so: nothing else shows the change there.
void toggle_pin(const Frame& frame, Actions& actions, Index token, Index feature);

bool pinned(const View& view, Index token, Index feature);

} // namespace normscope
