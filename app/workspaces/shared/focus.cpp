#include "app/workspaces/shared/focus.h"

#include "app/language/language.h"
#include "core/base/lists.h"

namespace normscope {

namespace {

std::optional<Index> within(std::optional<Index> index, const Frame& f, Axis axis) {
    const bool there = index && *index >= 0 && *index < count_along(f.document, axis);
    return there ? index : std::nullopt;
}

} // namespace

std::optional<Index> pinned(const Frame& f, Axis axis) {
    return within(f.view.pinned(axis), f, axis);
}

std::optional<Index> in_focus(const Frame& f, Axis axis) {
    const auto hovered = within(f.view.hover.along(axis), f, axis);
    return hovered ? hovered : pinned(f, axis);
}

Index group_in_focus(const Frame& f) {
    return f.derived.sets().set_of(token_in_focus(f).value_or(0), feature_in_focus(f).value_or(0));
}

void pin_set(View& view, const StatisticSets& sets, Index set) {
    if (!sets.by_feature()) view.pinned_token = sets.token(set, 0);
    if (sets.shares != Shares::token && sets.shares != Shares::nothing)
        view.pinned_feature = sets.feature(set, 0);
}

std::span<const std::string> place_names(const Document& d, const StatisticSets& sets, Index set) {
    const Names& names = sets.by_feature() ? *d.tokens : *d.features;
    const Index first = sets.by_feature() ? 0 : sets.feature(set, 0);
    return std::span(names).subspan(static_cast<std::size_t>(first),
                                    static_cast<std::size_t>(sets.size()));
}

const std::string& group_name(const Document& d, Axis axis, Index index) {
    return entry_at((axis == Axis::token ? *d.tokens : *d.features), index);
}

std::optional<Axis> affine_axis(const Document& d) {
    if (d.affine_per == AffinePer::scalar) return std::nullopt;
    return d.affine_per == AffinePer::token ? Axis::token : Axis::feature;
}

std::string parameter_name(const Document& d, Index index) {
    if (index < 0) return "no entry";
    const auto axis = affine_axis(d);
    return axis ? group_name(d, *axis, index) : "all";
}

void light_parameter(const Document& d, Hover& hover, Index index) {
    if (const auto axis = affine_axis(d)) hover.along(*axis) = index;
}

std::string cell_name(const Document& d, Index token, Index feature) {
    return group_name(d, Axis::token, token) + ", " + group_name(d, Axis::feature, feature);
}

void light_place(const Frame& f, Actions& a, Index set, Index place) {
    const StatisticSets sets = f.derived.sets();
    a.view.hover.token = sets.token(set, place);
    a.view.hover.feature = sets.feature(set, place);
}

std::optional<Index> hovered_place(const Frame& f) {
    const StatisticSets sets = f.derived.sets();
    const auto at = f.view.hover.along(place_axis(sets));
    if (at && *at < (sets.by_feature() ? sets.tokens : sets.features)) return sets.place(*at, *at);
    return std::nullopt;
}

bool pinned(const View& view, Index token, Index feature) {
    return view.pinned_token == token && view.pinned_feature == feature;
}

void pin(View& view, const Frame& f, Index token, Index feature, bool toggle) {
    if (toggle && pinned(f.view, token, feature)) {
        view.pinned_token.reset();
        view.pinned_feature.reset();
    } else {
        view.pinned_token = token;
        view.pinned_feature = feature;
    }
}

void toggle_pin(const Frame& f, Actions& a, Index token, Index feature) {
    pin(a.view, f, token, feature, true);
    const std::string& row = group_name(f.document, Axis::token, token);
    const std::string& column = group_name(f.document, Axis::feature, feature);
    a.status = a.view.pinned_token ? worded("Pinned “{}”, “{}”", row, column)
                                   : worded("No longer pinned: “{}”, “{}”", row, column);
}

} // namespace normscope
