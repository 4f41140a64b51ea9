
#include "app/workspaces/backward/panels.h"

namespace normscope {

const Backward& backward_of(const Frame& f) {
    return f.memory.of<BackwardMemory>().backward.of(f.document);
}

bool next_to_nothing(const Backward& b) {
    return b.vanishing() || b.target_reached() || b.dz_is_rounding();
}

std::string entry_name(const Document& d, Index entry) {
    if (entry < 0) return "no entry";
    return group_name(d, Axis::token, entry / d.feature_count()) + ", " +
           group_name(d, Axis::feature, entry % d.feature_count());
}

void light_place(const Frame& f, Actions& a, Index group, Index place) {
    const StatisticSets sets = f.derived.sets();
    a.view.hover.token = sets.token(group, place);
    a.view.hover.feature = sets.feature(group, place);
}

void mark_focus(Heatmap& map, const Frame& f) {
    const auto token = token_in_focus(f);
    const auto feature = feature_in_focus(f);
    // What the surgery is about, also before anything is pinned.
    map.marks.outlined.push_back(f.derived.sets().block(group_in_focus(f)));
    if (f.view.hover.token && f.view.hover.feature && token && feature)
        map.marks.strong = CellBlock{*token, *feature, 1, 1};
}

std::optional<Index> hovered_place(const Frame& f) {
    const StatisticSets sets = f.derived.sets();
    const auto at = f.view.hover.along(place_axis(sets));
    if (at && *at < (sets.by_feature() ? sets.tokens : sets.features)) return sets.place(*at, *at);
    return std::nullopt;
}

} // namespace normscope
