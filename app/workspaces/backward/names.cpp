#include "app/workspaces/backward/names.h"

#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/focus.h"

namespace normscope {

const Backward& backward_of(const Frame& f) {
    return f.memory.backward.of(f.document);
}

bool next_to_nothing(const Backward& b) {
    return b.vanishing() || b.target_reached() || b.dz_is_rounding();
}

std::string entry_name(const Document& d, Index entry) {
    if (entry < 0) return "no entry";
    return group_name(d, Axis::token, entry / d.feature_count()) + ", " +
           group_name(d, Axis::feature, entry % d.feature_count());
}

std::string parameter_name(const Document& d, Index index) {
    if (index < 0) return "no entry";
    if (d.affine_per == AffinePer::feature) return group_name(d, Axis::feature, index);
    if (d.affine_per == AffinePer::token) return group_name(d, Axis::token, index);
    return "all";
}

void light_place(const Frame& f, Actions& a, Index group, Index place) {
    const bool by_feature = f.derived.group_axis() == Axis::feature;
    a.view.hover.token = by_feature ? place : group;
    a.view.hover.feature = by_feature ? group : place;
}

void mark_focus(Heatmap& map, const Frame& f, Axis group_axis) {
    const auto token = token_in_focus(f);
    const auto feature = feature_in_focus(f);
    // What the surgery is about, also before anything is pinned.
    const Index group = group_in_focus(f);
    map.marks.outlined.push_back(group_axis == Axis::token
                                     ? CellBlock{group, 0, 1, map.values.cols()}
                                     : CellBlock{0, group, map.values.rows(), 1});
    if (f.view.hover.token && f.view.hover.feature && token && feature)
        map.marks.strong = CellBlock{*token, *feature, 1, 1};
}

std::optional<Index> hovered_place(const Frame& f) {
    const bool by_feature = f.derived.group_axis() == Axis::feature;
    const auto place = by_feature ? f.view.hover.token : f.view.hover.feature;
    const Index n = by_feature ? f.document.token_count() : f.document.feature_count();
    if (place && *place < n) return place;
    return std::nullopt;
}

} // namespace normscope
