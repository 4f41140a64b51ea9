#include "app/words/overflow.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope {

std::optional<std::string> overflow_note(const Derived& derived) {
    const Document& d = derived.document();
    if (d.norm == NormKind::none || derived.error()) return std::nullopt;
    const bool single = d.precision == Precision::float32;
    const bool by_feature = derived.group_axis() == Axis::feature;
    const Index groups = by_feature ? d.feature_count() : d.token_count();
    for (Index g = 0; g < groups; ++g) {
        // 1/√∞ is 0, 1/√0 is ∞; a sum that overflowed leaves no number.
        const bool divides_by_0 = std::isinf(derived.rstd(g));
        const bool overflowed = !std::isfinite(derived.mean(g)) || !(derived.rstd(g) > 0);
        if (!divides_by_0 && !(single && overflowed)) continue;
        const bool finite = by_feature ? d.x->col(g).allFinite() && d.f->col(g).allFinite()
                                       : d.x->row(g).allFinite() && d.f->row(g).allFinite();
        if (!finite) continue; // then it is the numbers themselves
        const std::string group =
            fmt::format("{} “{}”", by_feature ? "feature" : "token",
                        (by_feature ? *d.features : *d.tokens)[static_cast<std::size_t>(g)]);
        if (divides_by_0 && d.eps > 0)
            return fmt::format(
                "σ² of {} is 0, and ε = {} is 0 in float32, so that x\u0302 is divided "
                "by 0: set a larger ε, or switch Precision to float64",
                group, d.eps);
        if (divides_by_0)
            return fmt::format(
                "σ² of {} is 0, and so is ε, so that x\u0302 is divided by 0: set ε above 0",
                group);
        return fmt::format("float32 overflowed in {} of {}: switch Precision to float64 "
                           "(workspaces 2 and 3 always use it)",
                           std::isfinite(derived.mean(g)) ? "σ²" : "μ", group);
    }
    return std::nullopt;
}

} // namespace normscope
