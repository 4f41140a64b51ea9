#pragma once
#include "core/base/matrix.h"

#include <cmath>
#include <string_view>

namespace normscope {

inline double mean_of_squares(const Vector<double>& values) {
    return values.squaredNorm() / static_cast<double>(values.size());
}
// s² = mean(u²) + ε, so that N·∂s/∂u_j = u_j/s = x̂_j; its mean is 0 where that of u is.
inline Vector<double> pull_of_squares(const Vector<double>& x_hat) {
    return x_hat;
}

// A norm's divisor s, made of ε and a statistic q of the N values of a set. Where the norm centres,
// q is taken of the values less their mean:
//   squares: q is a mean of squares, s = √(q + ε);  else q is a size, s = q + ε
// With d_j = N·∂s/∂z_j the backward pass of every spread reads
//   dz = (a − mean(a) − d·mean(a⊙x̂)) / s,   ∂x̂/∂z = (I − 11ᵀ/N − x̂dᵀ/N) / s
struct Spread {
    bool centres = false; // the mean is taken off first
    bool divides = true;  // else x̂ = z
    bool squares = true;
    double (*statistic)(const Vector<double>& values) = mean_of_squares;   // q
    Vector<double> (*pull)(const Vector<double>& x_hat) = pull_of_squares; // d, by place

    // Names on the screen. app/language/template.py collects title, noun, takes and distance.
    std::string_view symbol = {};      // of q: "mean(z²)"
    std::string_view in_formula = {};  // of q within a formula: "mean z²"
    std::string_view scale = {};       // of s: "RMS"
    std::string_view title = {};       // of q: "Mean square"
    std::string_view noun = {};        // "mean square"
    std::string_view takes = {};       // statistics taken from a set: "root mean square"
    std::string_view distance = {};    // from x̂ to its centre, which is 1: "typical distance"
    std::string_view definition = {};  // of q, of squares without "/ N": "mean(z²) = Σ z²"
    std::string_view pull_symbol = {}; // of d

    // q in Python, where {0} are the values, {1} the axis and {2} is np or torch. d in NumPy: there
    // {0} is x̂, {2} is N.
    std::string_view python = {}, python_variable = {}, numpy_pull = {};

    // A size on the scale of q: its square, or |size|.
    double power(double size) const { return squares ? size * size : std::abs(size); }
    // s for ε = 0.
    double root(double q) const { return squares ? std::sqrt(q) : q; }
    double divisor(double q, double eps) const { return root(q + eps); }
    // q from 1/s: the inverse of divisor().
    double statistic_of(double rstd, double eps) const { return 1 / power(rstd) - eps; }
};

// σ²: the mean square of the values less their mean.
inline constexpr Spread k_variance{.centres = true,
                                   .symbol = "σ²",
                                   .in_formula = "σ²",
                                   .scale = "σ",
                                   .title = "Variance",
                                   .noun = "variance",
                                   .takes = "μ and σ",
                                   .distance = "typical distance",
                                   .definition = "σ² = Σ (z − μ)²",
                                   .pull_symbol = "x\u0302",
                                   .python = "({0} ** 2).mean({1})",
                                   .python_variable = "var",
                                   .numpy_pull = "{0}"};

// The mean square of the values themselves: around 0.
inline constexpr Spread k_mean_square = [] {
    Spread s = k_variance;
    s.centres = false;
    s.symbol = "mean(z²)";
    s.in_formula = "mean z²";
    s.scale = "RMS";
    s.title = "Mean square";
    s.noun = "mean square";
    s.takes = "root mean square";
    s.definition = "mean(z²) = Σ z²";
    return s;
}();

// x̂ = z.
inline constexpr Spread k_no_spread = [] {
    Spread s = k_variance;
    s.centres = s.divides = false;
    return s;
}();

} // namespace normscope
