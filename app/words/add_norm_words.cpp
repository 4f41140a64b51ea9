#include "app/words/add_norm_words.h"

#include "app/language/language.h"
#include "app/model/choices.h"
#include "app/model/document.h"
#include "app/model/printed_number.h"
#include "app/words/norm_formula.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <vector>

namespace normscope {

namespace {

std::string changed(std::string_view what, std::string_view from, std::string_view to) {
    return worded("{}: {} → {}", what, from, to);
}

std::string changed(std::string_view what, double from, double to) {
    return changed(what, brief_text(from), brief_text(to));
}

template<class T>
void note(std::vector<std::string>& all, std::string_view what, T from, T to) {
    if (from != to) all.push_back(changed(what, label_of(from), label_of(to)));
}

// Cells of X or F(X).
void note_cells(std::vector<std::string>& all, const Document& before, const Document& now,
                Input which) {
    const auto& a = before.input(which);
    const auto& b = now.input(which);
    if (a.is(b)) return;
    Index count = 0, row = 0, col = 0;
    for (Index r = 0; r < a->rows(); ++r)
        for (Index c = 0; c < a->cols(); ++c)
            if (!prints_alike((*a)(r, c), (*b)(r, c)) && count++ == 0) {
                row = r;
                col = c;
            }
    if (count == 1)
        all.push_back(changed(worded("{} of {}, {}", symbol(which), entry_at(*now.tokens, row),
                                     entry_at(*now.features, col)),
                              (*a)(row, col), (*b)(row, col)));
    else if (count > 1)
        all.push_back(worded("{} values of {} changed", count, symbol(which)));
}

void note_params(std::vector<std::string>& all, const Document& before, const Document& now,
                 Param which) {
    const std::vector<double>& a = *before.param(which);
    const std::vector<double>& b = *now.param(which);
    if (a.size() != b.size()) return; // shared otherwise, which is said
    std::size_t count = 0, at = 0;
    for (const auto i : indices(a))
        if (a[i] != b[i] && count++ == 0) at = i;
    if (count > 1) return all.push_back(worded("{} values of {} changed", count, symbol(which)));
    if (count == 0) return;
    const std::string what = now.affine_per == AffinePer::feature
                                 ? worded("{} of {}", symbol(which), (*now.features)[at])
                             : now.affine_per == AffinePer::token
                                 ? worded("{} of {}", symbol(which), (*now.tokens)[at])
                                 : symbol(which);
    all.push_back(changed(what, a[at], b[at]));
}

// Columns of Y: all, but where γ and β of each feature are all that changed.
std::vector<Index> columns_that_may_move(const Derived& before, const Derived& now) {
    const Document &was = before.document(), &is = now.document();
    const bool by_feature = now.shares_norm(before) && was.affine_per == AffinePer::feature &&
                            is.affine_per == AffinePer::feature;
    std::vector<Index> cols;
    for (Index c = 0; c < is.feature_count(); ++c)
        if (!by_feature || before.gamma(0, c) != now.gamma(0, c) ||
            before.beta(0, c) != now.beta(0, c))
            cols.push_back(c);
    return cols;
}

std::string moved(const Derived& before, const Derived& now) {
    const MatrixView a = before.view(Tensor::y), b = now.view(Tensor::y);
    const double largest =
        b.visit_all([](auto all) { return largest_magnitude(all.data, all.size); });
    const double rounding = roundings(now.document().precision) * largest;
    bool rounded_only = false;
    Index count = 0;
    double most = 0;
    const auto compare = [&](double was, double is) {
        if (prints_alike(was, is)) return;
        const double by = std::abs(is - was);
        if (by <= rounding) {
            rounded_only = true;
            return;
        }
        ++count;
        most = std::isnan(most) || std::isnan(by) ? by + most : std::max(most, by);
    };
    const Index n = a.size();
    const std::vector<Index> cols = columns_that_may_move(before, now);
    a.visit([&](const auto* was) {
        b.visit([&](const auto* is) {
            for (Index row = 0; row < n; row += b.cols())
                for (const Index c : cols)
                    compare(static_cast<double>(was[row + c]), static_cast<double>(is[row + c]));
        });
    });
    if (count == 0)
        return rounded_only ? worded("no value of Y moved, rounding aside")
                            : worded("no value of Y moved");
    const std::string some = count == n ? worded("all {} values of Y moved", n)
                                        : worded("{} of {} values of Y moved", count, n);
    return std::isfinite(most) ? worded("{}, most by {}", some, brief_text(most)) : some;
}

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

std::optional<std::string> effect_of(const Derived& before, const Derived& now) {
    const Document& a = before.document();
    const Document& b = now.document();
    if (a.token_count() != b.token_count() || a.feature_count() != b.feature_count())
        return std::nullopt;
    std::vector<std::string> all;
    note_cells(all, a, b, Input::x);
    note_cells(all, a, b, Input::f);
    note_params(all, a, b, Param::gamma);
    note_params(all, a, b, Param::beta);
    if (a.eps != b.eps) all.push_back(changed("ε", short_text(a.eps), short_text(b.eps)));
    note(all, "Norm", a.norm.kind, b.norm.kind);
    if (a.norm.groups != b.norm.groups)
        all.push_back(
            changed("Groups", fmt::format("{}", a.norm.groups), fmt::format("{}", b.norm.groups)));
    note(all, "Residual", a.residual, b.residual);
    note(all, "γ and β per", a.affine_per, b.affine_per);
    note(all, "Precision", a.precision, b.precision);
    if (all.empty()) return std::nullopt;
    return fmt::format("{}: {}", fmt::join(all, ", "), moved(before, now));
}

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
