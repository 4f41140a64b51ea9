#include "app/workspaces/backward/panels.h"
#include "core/stats/magnitude.h"

#include <cmath>

namespace normscope {

namespace {

constexpr double k_felt = 0.005; // of a stretch: what is written as 1 %

} // namespace

double rounding_of_dz(const Backward& b, const Surgery& s) {
    if (b.target().size() > 0) return k_rounding * b.dz_terms();
    return k_rounding * largest_magnitude(s.a.data(), s.a.size()) / s.s;
}

bool is_rounding(const Backward& b, const Surgery& s) {
    if (b.dz_is_rounding()) return true;
    const double rounding = rounding_of_dz(b, s);
    return s.dz.allFinite() && rounding > 0 &&
           largest_magnitude(s.dz.data(), s.dz.size()) <= rounding;
}

bool wrong_somewhere(const Backward& b) {
    const SampledCheck& check = b.checks().dz;
    return b.document().backward.broken != BrokenTerm::none && !std::isnan(check.max_absolute) &&
           !check.agrees(k_check_tolerance);
}

std::string surgery_verdict(const BackPanel& p, const Backward& b, const Surgery& s,
                            const Checked& of_group) {
    const Document& d = p.document;
    const NormEntry& norm = norm_entry(d.norm);
    const SampledCheck& check = b.checks().dz;
    if (b.error()) return sentence(*b.error());
    if (of_group.why) return of_group.why->words(p.state.picture);
    if (d.backward.broken == BrokenTerm::none) {
        const double cut = std::ceil(p.view.cut.value_or(0));
        if (cut == 1 && s.has_mean)
            return "The first cut takes off the mean: the part along a shift, which μ undoes.";
        if (cut == 2 && s.has_projection)
            return "The second cut takes off the part along x\u0302: the stretch, which σ undoes.";
        if (cut == 3) return "The last cut divides by s, as the norm divided Z: that is dz.";
        if (is_rounding(b, s))
            return b.target().size() > 0
                       ? "dz is next to 0: less than a trillionth of Y and its target is left."
                       : "dz is next to 0: less than a trillionth of its terms is left.";
        if (!norm.normalizes()) return "Nothing is normalized: dz is γ⊙dY.";
        if (b.running()) return "Nothing is taken away: μ and σ are constants, and dz is γ⊙dY ÷ s.";
        if (!(s.x_hat.array() != 0).any())
            return "The cut takes out the shift of all values. x\u0302 is 0 here.";
        // J·x̂ = (ε/s²)·x̂/s of squares: the share of s² that is ε is what a stretch still does.
        const double felt = d.eps / norm.spread->power(s.s);
        if (felt > 1 - k_felt)
            return norm.centres ? "The cut takes out the shift of all values. Their stretch stays: "
                                  "ε is far above σ²."
                                : worded("Next to nothing is taken away: ε is far above the {}.",
                                         norm.spread->noun);
        if (felt < k_felt)
            return norm.centres ? "The norm undoes a shift and a stretch of all values: the first "
                                  "cut takes the one out, the second the other."
                                : "The norm undoes a stretch of all values: the cut takes it out.";
        return norm.centres ? worded("The norm undoes a shift and a stretch of all values: the "
                                     "cuts take both out, but for {:.0f} % of the stretch, which "
                                     "ε keeps.",
                                     100 * felt)
                            : worded("The norm undoes a stretch of all values: the cut takes it "
                                     "out, but for {:.0f} %, which ε keeps.",
                                     100 * felt);
    }
    if ((d.backward.broken == BrokenTerm::mean && !s.has_mean) ||
        (d.backward.broken == BrokenTerm::projection && !s.has_projection))
        return b.running() ? "With constant μ and σ there is no such term: nothing is left out."
               : norm.normalizes()
                   ? worded("{} norm has no such term: nothing is left out.", norm.label)
                   : "Without a norm there is no such term: nothing is left out.";
    // The worst entry of the shown group; where that group happens to be right, of all groups.
    const SampledCheck& shown = of_group.check;
    const bool elsewhere = shown.agrees(k_check_tolerance);
    if (elsewhere && !wrong_somewhere(b))
        return "Left out, and still right: with these numbers that term is 0 or γ is 1.";
    const GradientEntry& worst = named_entry(elsewhere ? check : shown);
    // As many digits as tell them apart.
    int digits = 4;
    while (digits < 9 && number_text(worst.analytic, digits) == number_text(worst.numeric, digits))
        ++digits;
    const std::string at = entry_name(d, worst.entry),
                      analytic = number_text(worst.analytic, digits),
                      numeric = number_text(worst.numeric, digits);
    return elsewhere
               ? worded("Right here, wrong at {}: analytic {}, differences say {}.", at, analytic,
                        numeric)
               : worded("Wrong at {}: analytic {}, differences say {}.", at, analytic, numeric);
}

std::string surgery_hint(const Document& d, const StatisticSets& sets) {
    const NormEntry& norm = norm_entry(d.norm);
    const std::string_view set = sets.name();
    return !norm.normalizes()       ? worded("one {}", set)
           : constant_statistics(d) ? worded("one {}: its μ and σ are those of training", set)
           : norm.centres           ? worded("one {}: its values share μ and σ", set)
                          : worded("one {}: its values share a {}", set, norm.spread->noun);
}

std::string surgery_purpose(const Surgery& s) {
    const std::string dz = worded("dz says how the loss changes when z changes.");
    if (!s.has_projection) return dz;
    return dz + ' ' +
           (s.has_mean
                ? worded("The norm undoes a shift and a stretch of all z, so that these change "
                         "no loss: surgery cuts off what of γ⊙dY is a shift, its mean, and "
                         "what is a stretch, its part along x\u0302.")
                : worded("The norm undoes a stretch of all z, so that it changes no loss: "
                         "surgery cuts off what of γ⊙dY is a stretch, its part along x\u0302."));
}

} // namespace normscope
