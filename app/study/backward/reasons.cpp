#include "app/study/backward/reasons.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/study/backward/backward.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// The share of its terms, before they cancel, below which dz counts as 0; with two values in a
// group ε leaves a trace.
constexpr double k_vanished = 1e-3;
constexpr double k_same = 1e-12;

bool constant_in_groups(const Backward& b) {
    for (Index g = 0; g < b.sets().count(); ++g) {
        const Surgery s = b.surgery(g);
        const auto [lo, hi] = std::ranges::minmax_element(s.a);
        if (!(*hi - *lo <= k_same * std::max(1.0, std::abs(*hi)))) return false;
    }
    return true;
}

// The largest |γ·dy|/s: the size of the terms of dz before they cancel.
double largest_term(const Backward& b) {
    const StatisticSets sets = b.sets();
    double largest = 0;
    for (Index t = 0; t < sets.tokens; ++t)
        for (Index d = 0; d < sets.features; ++d)
            largest = std::max(largest, std::abs(b.dy()(t, d) * b.gamma(t, d)) *
                                            rstd_of(b.cache(), sets.set_of(t, d)));
    return largest;
}

// The clause and, where ε in the root or rounding leaves a trace of a scaling, how large that is.
std::string with_trace(const std::string& clause, const Backward& b, double terms) {
    if (!(b.largest_dz() > k_rounding * terms)) return clause;
    return worded("{} up to {} (largest {:.2g})", clause,
                  b.document().eps > 0 ? "what ε leaves" : tr("round-off"), b.largest_dz());
}

CellBlock all_of(const Document& d) {
    return {0, 0, d.token_count(), d.feature_count()};
}

std::optional<NotANumber> in_matrix(const Document& d, const CellBlock& part,
                                    const Matrix<double>& m, Input which, const char* way_out) {
    if (cells(m, part).allFinite()) return std::nullopt;
    for (Index t = part.row; t < part.row + part.rows; ++t)
        for (Index f = part.col; f < part.col + part.cols; ++f)
            if (!std::isfinite(m(t, f)))
                return NotANumber{worded("{}[{}, {}] is {}", symbol(which),
                                         name_of(d, Axis::token, t), name_of(d, Axis::feature, f),
                                         printed(m(t, f), 0)),
                                  way_out, std::isinf(m(t, f))};
    return std::nullopt;
}

std::optional<NotANumber> in_params(const Document& d, const CellBlock& part, Param which) {
    const std::vector<double>& values = which == Param::gamma ? *d.gamma : *d.beta;
    const bool of_token = d.affine_per == AffinePer::token;
    const bool of_feature = d.affine_per == AffinePer::feature;
    const Index first = of_token ? part.row : of_feature ? part.col : 0;
    const Index count = of_token ? part.rows : of_feature ? part.cols : 1;
    for (Index i = first; i < first + count; ++i) {
        const double value = entry_at(values, i);
        if (std::isfinite(value)) continue;
        std::string place(symbol(which));
        if (of_token || of_feature)
            place += "[" + name_of(d, of_token ? Axis::token : Axis::feature, i) + "]";
        return NotANumber{worded("{} is {}", place, printed(value, 0)),
                          worded("Reset its fader in 1 Add & Norm to {}, or undo.",
                                 which == Param::gamma ? 1 : 0)};
    }
    return std::nullopt;
}

constexpr const char* k_type = "Type a number there, or undo.";
constexpr const char* k_type_elsewhere = "Type a number there in 1 Add & Norm, or undo.";

std::optional<NotANumber> in_statistics(const Backward& b, Index first, Index count) {
    const NormEntry& norm = norm_entry(b.document().norm);
    if (!norm.divides) return std::nullopt;
    const Vector<double>& rstd = b.cache().rstd;
    for (Index g = first; g < first + count; ++g) {
        if (std::isfinite(rstd(g)) && rstd(g) > 0) continue;
        const StatisticSets sets = b.sets();
        const std::string of = worded("of {} “{}”", sets.name(), set_name(b.document(), sets, g));
        if (std::isnan(rstd(g)) && b.running())
            return NotANumber{worded("σ² {}, a running one, is NaN", of),
                              "Reset the running statistics in 2 Batch vs Layer, and let no NaN "
                              "batch in."};
        if (std::isinf(rstd(g)))
            return NotANumber{worded("{} + ε {} is 0", norm.spread->symbol, of),
                              "Set ε above 0 in 1 Add & Norm."};
        return NotANumber{worded("{} {} is too large for a number", norm.spread->symbol, of),
                          worded("Make the values of that {} smaller.", sets.name())};
    }
    return std::nullopt;
}

std::optional<NotANumber> in_z(const Document& d, const CellBlock& part) {
    if (d.residual == Residual::add)
        if (auto in_x = in_matrix(d, part, *d.x, Input::x, k_type_elsewhere)) return in_x;
    return in_matrix(d, part, *d.f, Input::f, k_type_elsewhere);
}

std::optional<NotANumber> in_affine(const Document& d, const CellBlock& part) {
    if (auto in_gamma = in_params(d, part, Param::gamma)) return in_gamma;
    return in_params(d, part, Param::beta);
}

// The first NaN or ∞ among the inputs of a gradient, in order: Z, γ and β, dY, the target, the
// statistics. `part`: the block of the matrices; `count` groups from `first`.
std::optional<NotANumber> in_gradient(const Backward& b, const CellBlock& part, Index first,
                                      Index count) {
    const Document& d = b.document();
    const bool typed = d.backward.loss == LossKind::given;
    if (auto found = in_z(d, part)) return found;
    // A dY that is typed does not ask what Y is.
    if (auto found = typed ? in_params(d, part, Param::gamma) : in_affine(d, part)) return found;
    if (typed)
        if (auto in_dy = in_matrix(d, part, b.dy(), Input::dy, k_type)) return in_dy;
    if (d.backward.loss == LossKind::distance)
        if (auto in_target = in_matrix(d, part, b.target(), Input::target, k_type))
            return in_target;
    return in_statistics(b, first, count);
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
        return worded(
            "With one value a {}, x\u0302 is 0 whatever Z is: nothing that is done to Z reaches Y.",
            group);
    // The bound dz_terms() decides as a rule; it is not below largest_term().
    if (b.largest_dz() > k_vanished * b.dz_terms()) return std::nullopt;
    const double terms = largest_term(b);
    if (!(b.dz().cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= k_vanished * terms))
        return std::nullopt;
    const std::string zero =
        with_trace(worded("{} is 0 by construction", b.skip() ? "dX" : "dF(X)"), b, terms) + ": ";
    if (centres && constant_in_groups(b)) {
        // Only a γ that differs within a group makes γ⊙dY differ there.
        const AffinePer uneven = sets.by_feature() ? AffinePer::token : AffinePer::feature;
        return zero + worded("γ⊙dY is the same along every {}, so the loss asks for a shift of the "
                             "whole {}, and the norm takes every shift away (Σ x\u0302 = 0). Try "
                             "one entry of Y, or {}.",
                             group, group,
                             d.affine_per == uneven ? worded("make γ uneven")
                                                    : worded("an uneven γ {}", label_of(uneven)));
    }
    if (centres && sets.size() == 2)
        return with_trace(worded("Two values a {} are always −1 and +1 after the norm: shift and "
                                 "scale are all there is to two numbers, and both are taken away",
                                 group),
                          b, terms) +
               ".";
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

std::optional<NotANumber> not_a_number_in_z(const Document& d) {
    return in_z(d, all_of(d));
}

std::optional<NotANumber> not_a_number_in_affine(const Document& d) {
    return in_affine(d, all_of(d));
}

std::optional<NotANumber> why_not_a_number(const Backward& b) {
    if (std::isfinite(b.dz_norm()) && b.dgamma().allFinite() && b.dbeta().allFinite() &&
        !b.overflows())
        return std::nullopt;
    if (b.error()) return NotANumber{"the norm refuses Z", error_text(*b.error()) + "."};
    if (auto found = in_gradient(b, all_of(b.document()), 0, b.sets().count())) return found;
    return NotANumber{"a product is too large for a number", "Make the values, γ or dY smaller."};
}

std::optional<NotANumber> Backward::not_a_number_in(Index group) const {
    const CellBlock own = sets().block(group);
    if (cells(dz(), own).allFinite() && !overflows(group)) return std::nullopt;
    auto found = error() ? std::nullopt : in_gradient(*this, own, group, 1);
    return found ? found : not_a_number(); // that of all groups
}

} // namespace normscope
