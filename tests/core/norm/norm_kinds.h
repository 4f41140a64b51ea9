#pragma once
#include "core/norm/normalize.h"

namespace normscope {

inline constexpr auto k_norm_kinds = [] {
    std::array<NormKind, k_norms.size()> kinds{};
    for (const auto i : indices(kinds)) kinds[i] = k_norms[i].kind;
    return kinds;
}();

} // namespace normscope
