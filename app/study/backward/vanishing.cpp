#include "app/language/language.h"
#include "app/study/backward/backward.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// Against the size of the terms before they cancel; with two values in a group ε leaves a trace.
constexpr double k_vanished = 1e-3;
constexpr double k_same = 1e-12;

bool constant_in_groups(const Backward& b) {
    for (Index g = 0; g < b.sets().count(); ++g) {
        const Surgery s = b.surgery(g);
        const auto [lo, hi] = std::minmax_element(s.a.begin(), s.a.end());
        if (!(*hi - *lo <= k_same * std::max(1.0, std::abs(*hi)))) return false;
    }
    return true;
}

// The largest |γ·dy|/s: what dz is made of before its terms cancel.
double largest_term(const Backward& b) {
    const StatisticSets sets = b.sets();
    const Index features = sets.features;
    Eigen::Array<double, 1, Eigen::Dynamic> weight(features);
    double largest = 0;
    for (Index t = 0; t < sets.tokens; ++t) {
        for (Index d = 0; d < features; ++d)
            weight(d) = std::abs(b.gamma(t, d)) * rstd_of(b.cache(), sets.set_of(t, d));
        largest = std::max(largest, (b.dy().row(t).array().abs() * weight).maxCoeff());
    }
    return largest;
}

// A number beside "0" is said to be what it is: with ε in the root a scaling is not quite taken
// away.
std::string what_is_left(const Backward& b, double terms) {
    if (!(b.largest_dz() > k_rounding * terms)) return {};
    return worded(" up to {} (largest {:.2g})",
                  b.document().eps > 0 ? "what ε leaves" : tr("round-off"), b.largest_dz());
}

} // namespace

std::optional<std::string> vanishing_reason(const Backward& b) {
    const Document& d = b.document();
    if (b.error() || d.backward.broken != BrokenTerm::none || b.target_reached() || b.overflows())
        return std::nullopt;
    const bool centres = b.centres();
    const StatisticSets sets = b.sets();
    const std::string group(tr(sets.name()));
    if (b.dy().isZero(0)) return "dY is 0 everywhere, so nothing comes back.";
    if (b.affine().gamma.isZero(0))
        return "γ is 0 everywhere: Y does not depend on Z, so nothing comes back.";
    if (centres && sets.size() == 1)
        return worded("With one value a ") + group +
               worded(", x\u0302 is 0 whatever Z is: nothing that is done to Z reaches Y.");
    // As a rule the bound tells; it is not below largest_term().
    if (b.largest_dz() > k_vanished * b.dz_terms()) return std::nullopt;
    const double terms = largest_term(b);
    const double vanished = k_vanished * terms;
    for (Index t = 0; t < b.dz().rows(); ++t)
        if (!(b.dz().row(t).cwiseAbs().maxCoeff() <= vanished)) return std::nullopt;
    const std::string zero = std::string(b.skip() ? "dX" : "dF(X)") +
                             worded(" is 0 by construction") + what_is_left(b, terms) + ": ";
    if (centres && constant_in_groups(b)) {
        // Only a γ that differs within a group makes γ⊙dY differ there.
        const AffinePer uneven = sets.by_feature() ? AffinePer::token : AffinePer::feature;
        return zero + worded("γ⊙dY is the same along every ") + group +
               worded(", so the loss asks for a shift of the whole ") + group +
               worded(", and the norm takes every shift away (Σ x\u0302 = 0). Try one entry of Y, "
                      "or ") +
               (d.affine_per == uneven ? worded("make γ uneven.")
                                       : worded("an uneven γ {}.", label_of(uneven)));
    }
    if (centres && sets.size() == 2)
        return worded("Two values a ") + group +
               worded(
                   " are always −1 and +1 after the norm: shift and scale are all there is to two "
                   "numbers, and both are taken away") +
               what_is_left(b, terms) + ".";
    return zero +
           (centres ? worded("the loss asks only for a shift or a scaling along each {}, "
                             "and the norm takes both away.",
                             group)
            : norm_entry(d.norm).spread->squares
                ? worded("the loss asks only for a scaling along each {}, and the norm takes it "
                         "away.",
                         group)
                : worded("the loss asks each {} only for what the norm takes away.", group));
}

} // namespace normscope
