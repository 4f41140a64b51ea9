#pragma once
#include "app/model/field.h"
#include "core/block/add_norm.h"
#include "core/block/placement.h"
#include "core/norm/normalize.h"

#include <algorithm>

// Parts that rows of settings about a norm, a width or a placement have in common.
namespace normscope {

inline bool has_groups(const Norm& norm) {
    return norm_entry(norm).shares == Shares::group;
}

inline constexpr std::size_t k_norm_settings = 2; // rows of a Norm: its kind and its groups

// Settings with a norm and a width: the groups divide the width.
template<class S>
void groups_look(const S& now, FieldLook& look) {
    look.shown = has_groups(now.norm);
    look.hi = static_cast<double>(now.width);
}
template<class S>
bool has_usual_groups(const S& setup) {
    return setup.norm.groups == Norm().groups;
}
template<class S>
void fit_groups(S& next, const S& now) {
    next.norm.groups = fitting_groups(now.norm.groups, next.width);
}
// As many hidden features a feature as before, as many heads and groups as divide the width.
template<class S, Index most_ffn>
void follow_width(S& next, const S& now) {
    next.ffn = std::min(std::max<Index>(1, now.ffn / now.width) * next.width, most_ffn);
    while (next.width % next.heads != 0) --next.heads;
    fit_groups(next, now);
}

// Settings that can be chosen and do nothing, or not what they are for: pre or peri places a norm
// where there is none; DeepNorm enlarges a skip where there is none.
template<class S>
bool places_no_norm(const S& c) {
    return !norm_entry(c.norm).normalizes() && is_inside(c.placement);
}
template<class S>
bool enlarges_no_skip(const S& c) {
    return c.placement == Placement::deepnorm && c.skip == Residual::no_skip;
}

// The rows of a norm: its kind, and its groups.
template<class S>
Field<S> norm_row(std::string_view label, FieldLook look = {.row = "Norm"},
                  FieldHooks<S> hooks = {.follow = fit_groups<S>}) {
    return field<&S::norm, &Norm::kind>(
        "norm", label, {},
        {.help = "Which values share a mean and a variance", .look = std::move(look)}, hooks);
}
template<class S>
Field<S> groups_row(std::string_view label, double most, double command_most,
                    FieldHooks<S> hooks = {.unsaid = has_usual_groups<S>, .look = groups_look<S>}) {
    return field<&S::norm, &Norm::groups>(
        "groups", label, {1, most},
        {.help = "Group norm: groups of a token's features, which they divide",
         .command_most = command_most,
         .look = {.row = "Groups", .track = Track::divisor}},
        hooks);
}

} // namespace normscope
