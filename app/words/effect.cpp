#include "app/words/effect.h"

#include "app/language/language.h"
#include "app/model/choices.h"
#include "app/model/document.h"
#include "app/model/params.h"
#include "app/model/printed_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
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
        all.push_back(changed(worded("{} of {}, {}", symbol(which),
                                     (*now.tokens)[static_cast<std::size_t>(row)],
                                     (*now.features)[static_cast<std::size_t>(col)]),
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
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && count++ == 0) at = i;
    if (count > 1) return all.push_back(worded("{} values of {} changed", count, symbol(which)));
    if (count == 0) return;
    const std::string of = now.affine_per == AffinePer::feature
                               ? worded(" of ") + (*now.features)[at]
                           : now.affine_per == AffinePer::token ? worded(" of ") + (*now.tokens)[at]
                                                                : std::string();
    all.push_back(changed(symbol(which) + of, a[at], b[at]));
}

// What several roundings make of the largest finite value.
double rounding_of(MatrixView y, Precision precision) {
    constexpr double k_roundings = 8;
    double largest = 0;
    for (Index r = 0; r < y.rows(); ++r)
        for (Index c = 0; c < y.cols(); ++c)
            if (std::isfinite(y(r, c))) largest = std::max(largest, std::abs(y(r, c)));
    return k_roundings * largest *
           (precision == Precision::float32
                ? static_cast<double>(std::numeric_limits<float>::epsilon())
                : std::numeric_limits<double>::epsilon());
}

std::string moved(const Derived& before, const Derived& now) {
    const MatrixView a = before.view(Tensor::y), b = now.view(Tensor::y);
    const double rounding = rounding_of(b, now.document().precision);
    bool rounded_only = false;
    Index count = 0;
    double most = 0;
    for (Index r = 0; r < a.rows(); ++r)
        for (Index c = 0; c < a.cols(); ++c) {
            if (prints_alike(a(r, c), b(r, c))) continue;
            if (std::abs(b(r, c) - a(r, c)) <= rounding) {
                rounded_only = true;
                continue;
            }
            ++count;
            most = std::isnan(most) ? most : std::max(most, std::abs(b(r, c) - a(r, c)));
            if (std::isnan(b(r, c) - a(r, c))) most = b(r, c) - a(r, c);
        }
    const Index n = a.size();
    if (count == 0)
        return rounded_only ? "no value of Y moved, rounding aside" : "no value of Y moved";
    const std::string some = count == n ? worded("all {} values of Y moved", n)
                                        : worded("{} of {} values of Y moved", count, n);
    return std::isfinite(most) ? worded("{}, most by {}", some, brief_text(most)) : some;
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
    std::string words = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) words += ", " + all[i];
    return words + ": " + moved(before, now);
}

} // namespace normscope
