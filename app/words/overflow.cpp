#include "app/words/overflow.h"

#include "app/language/language.h"

#include <cmath>

namespace normscope {

std::optional<std::string> overflow_note(const Derived& derived) {
    const Document& d = derived.document();
    const NormEntry& norm = norm_entry(d.norm);
    if (!norm.normalizes() || derived.error()) return std::nullopt;
    const bool single = d.precision == Precision::float32;
    const StatisticSets sets = derived.sets();
    for (Index g = 0; g < sets.count(); ++g) {
        // 1/√∞ is 0, 1/√0 is ∞; a sum that overflowed leaves no number.
        const bool divides_by_0 = std::isinf(derived.rstd(g));
        const bool overflowed = !std::isfinite(derived.mean(g)) || !(derived.rstd(g) > 0);
        if (!divides_by_0 && !(single && overflowed)) continue;
        const CellBlock block = sets.block(g);
        const bool finite = cells(*d.x, block).allFinite() && cells(*d.f, block).allFinite();
        if (!finite) continue; // then it is the numbers themselves
        const std::string group = worded("{} “{}”", sets.name(), set_name(d, sets, g));
        if (divides_by_0 && d.eps > 0)
            return worded("{} of {} is 0, and ε = {} is 0 in float32, so that x\u0302 is divided "
                          "by 0: set a larger ε, or switch Precision to float64",
                          norm.spread->symbol, group, d.eps);
        if (divides_by_0)
            return worded(
                "{} of {} is 0, and so is ε, so that x\u0302 is divided by 0: set ε above 0",
                norm.spread->symbol, group);
        return worded("float32 overflowed in {} of {}: switch Precision to float64 "
                      "(workspaces 2 and 3 always use it)",
                      std::isfinite(derived.mean(g)) ? norm.spread->symbol : "μ", group);
    }
    return std::nullopt;
}

} // namespace normscope
