#include "app/document/overflow.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope {

std::optional<std::string> overflow_note(const Derived& derived) {
    const Document& d = derived.document();
    if (d.precision != Precision::float32 || d.norm == NormKind::none || derived.error())
        return std::nullopt;
    const bool by_feature = derived.group_axis() == Axis::feature;
    const Index groups = by_feature ? d.feature_count() : d.token_count();
    for (Index g = 0; g < groups; ++g) {
        // 1/√∞ is 0; a sum that overflowed leaves no number.
        if (std::isfinite(derived.mean(g)) && derived.rstd(g) > 0) continue;
        const bool finite = by_feature ? d.x->col(g).allFinite() && d.f->col(g).allFinite()
                                       : d.x->row(g).allFinite() && d.f->row(g).allFinite();
        if (!finite) continue; // then it is the numbers themselves
        return fmt::format("float32 overflowed in {} of {} “{}”: switch Precision to float64 "
                           "(workspaces 2 and 3 always use it)",
                           std::isfinite(derived.mean(g)) ? "σ²" : "μ",
                           by_feature ? "feature" : "token",
                           (by_feature ? *d.features : *d.tokens)[static_cast<std::size_t>(g)]);
    }
    return std::nullopt;
}

} // namespace normscope
