#include "app/study/backward/not_a_number.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/study/backward/backward.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

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
    Index first = 0;
    Index count = static_cast<Index>(values.size());
    if (d.affine_per == AffinePer::token) {
        first = part.row;
        count = part.rows;
    } else if (d.affine_per == AffinePer::feature) {
        first = part.col;
        count = part.cols;
    }
    for (Index i = first; i < first + count; ++i) {
        const double value = values[static_cast<std::size_t>(i)];
        if (std::isfinite(value)) continue;
        const std::string place =
            d.affine_per == AffinePer::scalar
                ? std::string(symbol(which))
                : fmt::format(
                      "{}[{}]", symbol(which),
                      name_of(d, d.affine_per == AffinePer::token ? Axis::token : Axis::feature,
                              i));
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

// What a gradient is made of, in the order in which it is computed: `part` of the matrices, and
// `count` groups from `first`.
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

std::optional<NotANumber> why_not_a_number(const Backward& b, Index group) {
    if (b.error()) return std::nullopt; // of all groups
    return in_gradient(b, b.sets().block(group), group, 1);
}

} // namespace normscope
