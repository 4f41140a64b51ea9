#include "app/document/vanishing.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// Against the size of the terms before they cancel; with two values in a group ε leaves a trace.
constexpr double k_vanished = 1e-3;
constexpr double k_same = 1e-12;

bool constant_in_groups(const Backward& b) {
    for (Index g = 0; g < b.group_count(); ++g) {
        const Surgery s = b.surgery(g);
        const auto [lo, hi] = std::minmax_element(s.a.begin(), s.a.end());
        if (!(*hi - *lo <= k_same * std::max(1.0, std::abs(*hi)))) return false;
    }
    return true;
}

} // namespace

std::optional<std::string> vanishing_reason(const Backward& b) {
    const Document& d = b.document();
    if (b.error() || d.backward.broken != BrokenTerm::none) return std::nullopt;
    const bool centres = d.norm == NormKind::layer || d.norm == NormKind::batch;
    const char* const group = b.group_axis() == Axis::token ? "token" : "feature";
    if (b.dy().isZero(0)) return "dY is 0 everywhere, so nothing comes back.";
    if (b.affine().gamma.isZero(0))
        return "γ is 0 everywhere: Y does not depend on Z, so nothing comes back.";
    if (centres && b.group_size() == 1)
        return std::string("With one value a ") + group +
               ", x\u0302 is 0 whatever Z is: nothing that is done to Z reaches Y.";
    double terms = 0;
    for (Index g = 0; g < b.group_count(); ++g) {
        const double rstd = d.norm == NormKind::none ? 1 : b.cache().rstd(g);
        const Index n = b.group_size();
        for (Index i = 0; i < n; ++i) {
            const Index t = b.group_axis() == Axis::token ? g : i;
            const Index f = b.group_axis() == Axis::token ? i : g;
            terms = std::max(terms, std::abs(b.gamma(t, f) * b.dy()(t, f)) * rstd);
        }
    }
    if (!(b.dz().cwiseAbs().maxCoeff() <= k_vanished * terms)) return std::nullopt;
    if (centres && constant_in_groups(b))
        return std::string("dX is 0 by construction: γ⊙dY is the same along every ") + group +
               ", so the loss asks for a shift of the whole " + group +
               ", and the norm takes every shift away (Σ x\u0302 = 0). Try one entry of Y, or make "
               "γ uneven.";
    if (centres && b.group_size() == 2)
        return std::string("Two values a ") + group +
               " are always −1 and +1 after the norm: shift and scale are all there is to two "
               "numbers, and both are taken away.";
    return std::string("dX is 0 by construction: the loss asks only for a shift or a scaling along "
                       "each ") +
           group + ", and the norm takes both away.";
}

} // namespace normscope
