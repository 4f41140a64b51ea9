#include "app/workspaces/focus.h"

#include <algorithm>

namespace normscope {

namespace {
std::optional<Index> within(std::optional<Index> index, Index size) {
    if (index && *index >= 0 && *index < size) return index;
    return std::nullopt;
}
} // namespace

std::optional<Index> token_in_focus(const Frame& f) {
    const Index n = f.document.token_count();
    if (const auto hovered = within(f.view.hover.token, n)) return hovered;
    return within(f.view.pinned_token, n);
}

std::optional<Index> feature_in_focus(const Frame& f) {
    const Index n = f.document.feature_count();
    if (const auto hovered = within(f.view.hover.feature, n)) return hovered;
    return within(f.view.pinned_feature, n);
}

Index group_in_focus(const Frame& f) {
    return (f.derived.group_axis() == Axis::feature ? feature_in_focus(f) : token_in_focus(f))
        .value_or(0);
}

const std::string& group_name(const Document& d, Axis axis, Index group) {
    return (axis == Axis::token ? *d.tokens : *d.features)[static_cast<std::size_t>(group)];
}

void pin(View& view, const Frame& f, Index token, Index feature, bool toggle) {
    const bool again = f.view.pinned_token == token && f.view.pinned_feature == feature;
    if (toggle && again) {
        view.pinned_token.reset();
        view.pinned_feature.reset();
    } else {
        view.pinned_token = token;
        view.pinned_feature = feature;
    }
}

} // namespace normscope
