#pragma once
#include "app/model/field.h"
#include "core/base/choice.h"
#include "core/block/add_norm.h"
#include "core/nn/activation.h"
#include "core/nn/attention.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <span>
#include <vector>

// The tables of choices whose enumeration is in core, as rows of settings.
namespace normscope {

inline bool has_groups(const Norm& norm) {
    return norm_entry(norm).shares == Shares::group;
}

inline std::span<const Choice<NormKind>> choices(NormKind) {
    static const std::vector<Choice<NormKind>> k_table = [] {
        std::vector<Choice<NormKind>> norms;
        for (const NormEntry& entry : k_norms) norms.push_back({entry.kind, entry.id, entry.label});
        return norms;
    }();
    return k_table;
}
inline constexpr std::size_t k_norm_settings = 2; // rows of a Norm: its kind and its groups

// The norms where there is little room, first the one that normalizes nothing; and their hints.
std::vector<ChoiceName> short_norm_names();
std::vector<std::string_view> short_norm_hints();

// The look of the groups of a norm in settings with a width.
template<class S>
void groups_look(const S& now, FieldLook& look) {
    look.shown = has_groups(now.norm);
    look.hi = static_cast<double>(now.width);
}
// The groups of a norm that was chosen divide the width.
template<class S>
void fit_groups(S& next, const S& now) {
    next.norm.groups = fitting_groups(now.norm.groups, now.width);
}
// Of a width: as many hidden features a feature as before, as many heads and groups as divide it.
template<class Config>
Config with_width(Config c, Index width, Index most_ffn) {
    const Index times = std::max<Index>(1, c.ffn / c.width);
    c.width = width;
    c.ffn = std::min(times * width, most_ffn);
    while (c.width % c.heads != 0) --c.heads;
    c.norm.groups = fitting_groups(c.norm.groups, width);
    return c;
}

inline std::span<const Choice<Residual>> choices(Residual) {
    static constexpr Choice<Residual> k_table[] = {{Residual::add, "add", "Add"},
                                                   {Residual::no_skip, "no_skip", "No skip"}};
    return k_table;
}
inline std::span<const Choice<AffinePer>> choices(AffinePer) {
    static constexpr Choice<AffinePer> k_table[] = {{AffinePer::feature, "feature", "per feature"},
                                                    {AffinePer::token, "token", "per token"},
                                                    {AffinePer::scalar, "scalar", "one for all"}};
    return k_table;
}
inline std::span<const Choice<Mode>> choices(Mode) {
    static constexpr Choice<Mode> k_table[] = {{Mode::train, "train", "this batch's"},
                                               {Mode::eval, "eval", "running"}};
    return k_table;
}
// Feed-forward layers have the first two.
inline std::span<const Choice<Activation>> choices(Activation) {
    static constexpr Choice<Activation> k_table[] = {{Activation::relu, "relu", "ReLU"},
                                                     {Activation::gelu, "gelu", "GELU"},
                                                     {Activation::tanh, "tanh", "tanh"}};
    return k_table;
}
inline std::span<const Choice<Mask>> choices(Mask) {
    static constexpr Choice<Mask> k_table[] = {{Mask::none, "none", "none"},
                                               {Mask::causal, "causal", "causal"}};
    return k_table;
}

} // namespace normscope
