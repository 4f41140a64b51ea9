#include "app/document/not_a_number.h"

#include "app/document/backward.h"
#include "app/document/printed_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

std::string name_of(const Document& d, Axis axis, Index i) {
    return (axis == Axis::token ? *d.tokens : *d.features)[static_cast<std::size_t>(i)];
}

std::optional<NotANumber> in_matrix(const Document& d, const Matrix<double>& m, Input which,
                                    const char* way_out) {
    if (m.allFinite()) return std::nullopt;
    const Index i =
        std::find_if_not(m.data(), m.data() + m.size(), [](double v) { return std::isfinite(v); }) -
        m.data();
    return NotANumber{fmt::format("{}[{}, {}] is {}", symbol(which),
                                  name_of(d, Axis::token, i / m.cols()),
                                  name_of(d, Axis::feature, i % m.cols()), printed(m.data()[i], 0)),
                      way_out};
}

std::optional<NotANumber> in_params(const Document& d, Param which) {
    const std::vector<double>& values = which == Param::gamma ? *d.gamma : *d.beta;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        const std::string place =
            d.affine_per == AffinePer::scalar
                ? std::string(symbol(which))
                : fmt::format(
                      "{}[{}]", symbol(which),
                      name_of(d, d.affine_per == AffinePer::token ? Axis::token : Axis::feature,
                              static_cast<Index>(i)));
        return NotANumber{fmt::format("{} is {}", place, printed(values[i], 0)),
                          fmt::format("Right-click its fader in 1 Add & Norm for {}, or undo.",
                                      which == Param::gamma ? 1 : 0)};
    }
    return std::nullopt;
}

constexpr const char* k_type = "Type a number there, or undo.";
constexpr const char* k_type_elsewhere = "Type a number there in 1 Add & Norm, or undo.";

std::optional<NotANumber> in_statistics(const Backward& b) {
    if (b.document().norm == NormKind::none) return std::nullopt;
    const Vector<double>& rstd = b.cache().rstd;
    for (Index g = 0; g < rstd.size(); ++g) {
        if (std::isfinite(rstd(g)) && rstd(g) > 0) continue;
        const char* const axis = b.group_axis() == Axis::token ? "token" : "feature";
        const std::string of =
            fmt::format("of {} “{}”", axis, name_of(b.document(), b.group_axis(), g));
        if (std::isinf(rstd(g)))
            return NotANumber{fmt::format("σ² + ε {} is 0", of), "Set ε above 0 in 1 Add & Norm."};
        return NotANumber{fmt::format("σ² {} is too large for a number", of),
                          fmt::format("Make the values of that {} smaller.", axis)};
    }
    return std::nullopt;
}

} // namespace

std::optional<NotANumber> not_a_number_in_z(const Document& d) {
    if (d.residual == Residual::add)
        if (auto in_x = in_matrix(d, *d.x, Input::x, k_type_elsewhere)) return in_x;
    return in_matrix(d, *d.f, Input::f, k_type_elsewhere);
}

std::optional<NotANumber> not_a_number_in_affine(const Document& d) {
    if (auto in_gamma = in_params(d, Param::gamma)) return in_gamma;
    return in_params(d, Param::beta);
}

std::optional<NotANumber> why_not_a_number(const Backward& b) {
    if (std::isfinite(b.dz_norm()) && b.dgamma().allFinite() && b.dbeta().allFinite())
        return std::nullopt;
    const Document& d = b.document();
    if (b.error()) return NotANumber{"the norm refuses Z", b.error()->message + "."};
    const bool typed = d.backward.loss == LossKind::given;
    if (auto in_z = not_a_number_in_z(d)) return in_z;
    // A dY that is typed does not ask what Y is.
    if (auto found = typed ? in_params(d, Param::gamma) : not_a_number_in_affine(d)) return found;
    if (typed)
        if (auto in_dy = in_matrix(d, b.dy(), Input::dy, k_type)) return in_dy;
    if (d.backward.loss == LossKind::distance)
        if (auto in_target = in_matrix(d, b.target(), Input::target, k_type)) return in_target;
    if (auto in_groups = in_statistics(b)) return in_groups;
    return NotANumber{"a product is too large for a number", "Make the values, γ or dY smaller."};
}

} // namespace normscope
