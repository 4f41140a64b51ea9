#include "app/words/play.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/words/norm_formula.h"

#include <cmath>

namespace normscope {

namespace {

std::string added(const Derived& derived, const PlayedFrame& f, Index n) {
    const bool skip = derived.document().residual == Residual::add;
    if (f.z_made < n)
        return skip ? "Each value of X meets its value of F(X)" : "F(X) goes on alone: no skip";
    return skip ? "Z = X + F(X): a sum a feature" : "Z = F(X)";
}

std::string averaged(const NormEntry& norm, const PlayedFrame& f, Index n) {
    if (!norm.normalizes()) return "No norm: no mean is taken";
    if (!norm.centres) return worded("{} norm takes no mean off: 0 is its centre", norm.label);
    if (f.summed < n)
        return worded("Σ z: {} of {} values, {} so far", f.summed, n, brief_text(f.sum));
    return worded("μ = Σ z / {} = {} / {} = {}: the middle of the values", n, brief_text(f.sum), n,
                  brief_text(f.mean));
}

std::string spread(const NormEntry& norm, const PlayedFrame& f) {
    const Spread& of = *norm.spread;
    if (!norm.normalizes()) return "No norm: nothing to divide by";
    const std::string_view from = norm.centres ? "μ" : "0";
    if (of.squares ? f.square == 0 : f.levelled < 1)
        return worded("How far each value is from {}", from);
    if (!of.squares) return worded("{}: {} = {}", of.title, of.symbol, brief_text(f.statistic));
    if (f.levelled == 0) return "Each distance squared: an area";
    if (f.levelled < 1) return "The areas level out: their sum stays";
    return norm.centres
               ? worded("The average area: σ² = {}, so σ = {}", brief_text(f.statistic),
                        brief_text(std::sqrt(f.statistic)))
               : worded("The average area: {} = {}", of.in_formula, brief_text(f.statistic));
}

std::string normalized(const NormEntry& norm, const PlayedFrame& f, double rstd) {
    if (!norm.normalizes()) return "No norm: x\u0302 is z";
    if (f.scaled == 0)
        return norm.centres ? "− μ: all move, and their middle comes to 0" : "Nothing is taken off";
    if (f.scaled < 1)
        return worded("÷ {} = ÷ {}", denominator(*norm.spread, norm.spread->in_formula),
                      brief_text(1 / rstd));
    return norm.centres ? worded("x\u0302: middle 0, {} 1", norm.spread->distance)
                        : worded("x\u0302: {} from 0 is 1", norm.spread->distance);
}

std::string stretched(const PlayedFrame& f) {
    if (f.scaled == 0) return "· γ: each value is stretched by its γ";
    if (f.scaled < 1) return "+ β: each value is moved by its β";
    return "Y = γ · x\u0302 + β";
}

} // namespace

std::string played_words(const Derived& derived, Index set, const PlayedFrame& f) {
    const Document& d = derived.document();
    const NormEntry& norm = norm_entry(d.norm);
    const Index n = derived.sets().size();
    if (f.step > 0 && f.step < 4 && derived.error()) return "This norm has no numbers here";
    const double rstd = norm.normalizes() && !derived.error() ? derived.rstd(set) : 1;
    switch (f.step) {
    case 0:
        return added(derived, f, n);
    case 1:
        return averaged(norm, f, n);
    case 2:
        return spread(norm, f);
    case 3:
        return normalized(norm, f, rstd);
    default:
        return stretched(f);
    }
}

} // namespace normscope
