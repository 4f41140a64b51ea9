#pragma once
#include "app/workspaces/shared/frame.h"

#include <optional>

namespace normscope {

// Which token and feature the panels speak of: the hovered one, else the pinned one.
std::optional<Index> token_in_focus(const Frame& frame);
std::optional<Index> feature_in_focus(const Frame& frame);

// The group of values that share μ and σ: a token, under batch norm a feature. The first one when
// nothing is hovered or pinned.
Index group_in_focus(const Frame& frame);

// The group that Add & Norm's worked steps show: the one in focus; while they are played the pinned
// one, wherever the mouse rests.
Index worked_group(const Frame& frame);

// A group's name.
const std::string& group_name(const Document& document, Axis axis, Index group);

// Pins a cell's token and feature, or unpins when they are pinned already and `toggle` is set.
void pin(View& view, const Frame& frame, Index token, Index feature, bool toggle);

// The same by key or from a menu, where nothing else shows what has come of it: says so.
void toggle_pin(const Frame& frame, Actions& actions, Index token, Index feature);

bool pinned(const View& view, Index token, Index feature);

} // namespace normscope
