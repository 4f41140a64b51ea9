#pragma once
#include "core/nn/init.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string_view>
#include <vector>

// Helpers for the tests of the norms and layers.
namespace normscope {

inline NormKind norm_with_id(std::string_view id) {
    return std::ranges::find(k_norms, id, &NormEntry::id)->kind;
}

// rows×cols values of N(0, 1).
template<class S>
Matrix<S> random_matrix(Index rows, Index cols, Random& random) {
    return init_weight<S>({Init::normal, 1, 1}, cols, rows, random);
}

} // namespace normscope

namespace normscope::testing {

// N(0, 1) values, scaled and shifted. T×D.
template<class S>
Matrix<S> normal_matrix(Index tokens, Index features, std::uint64_t seed, double scale = 1,
                        double shift = 0) {
    Random random(seed);
    Matrix<S> out(tokens, features);
    for (Index i = 0; i < out.size(); ++i)
        out.data()[i] = static_cast<S>(scale * random.normal() + shift);
    return out;
}

template<class S>
Affine<S> normal_affine(AffinePer per, Index tokens, Index features, std::uint64_t seed) {
    const Index n = affine_size(per, tokens, features);
    return {per, normal_matrix<S>(n, 1, seed, 0.5, 1), normal_matrix<S>(n, 1, seed + 1)};
}

template<class S>
Matrix<S> matrix(std::initializer_list<std::initializer_list<double>> rows) {
    Matrix<S> out(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
    Index t = 0;
    for (const auto& row : rows) {
        Index d = 0;
        for (double value : row) out(t, d++) = static_cast<S>(value);
        ++t;
    }
    return out;
}

// The largest |a − b| over the largest |b|.
template<class A, class B>
double relative_difference(const A& a, const B& b) {
    EXPECT_EQ(a.rows(), b.rows());
    EXPECT_EQ(a.cols(), b.cols());
    const double scale = b.template cast<double>().cwiseAbs().maxCoeff();
    return (a.template cast<double>() - b.template cast<double>()).cwiseAbs().maxCoeff() /
           (scale > 0 ? scale : 1);
}

// Central differences of `f` by each value of `at`.
template<class M, class F>
M differences(M at, F&& f) {
    M out(at.rows(), at.cols());
    for (Index i = 0; i < at.size(); ++i) {
        const double keep = at.data()[i];
        const double h = 6e-6 * std::max(1.0, std::abs(keep));
        at.data()[i] = keep + h;
        const double above = f(at);
        at.data()[i] = keep - h;
        const double below = f(at);
        at.data()[i] = keep;
        out.data()[i] = (above - below) / (2 * h);
    }
    return out;
}

// The fewest groups, from two up, of at least two features each: 2 of 6, 3 of 9; else 1, of 7.
inline Index groups_of(Index features) {
    for (Index groups = 2; 2 * groups <= features; ++groups)
        if (features % groups == 0) return groups;
    return 1;
}

template<class S>
Normalized<S> must_normalize(const Norm& norm, const Matrix<S>& z, const NormOptions& options = {},
                             const RunningStats<S>* running = nullptr) {
    auto out = normalize(norm, z, options, running);
    EXPECT_TRUE(out) << (out ? "" : out.error().message);
    return out ? *out : Normalized<S>{};
}

// The pass of a norm by its kind; group norm has groups_of() the features.
template<class S>
Normalized<S> must_normalize(NormKind kind, const Matrix<S>& z, const NormOptions& options = {},
                             const RunningStats<S>* running = nullptr) {
    return must_normalize(Norm{kind, groups_of(z.cols())}, z, options, running);
}

// y = γ⊙x̂ + β, cell by cell.
inline Matrix<double> affine_by_definition(Matrix<double> x_hat, const Affine<double>& affine) {
    for (Index t = 0; t < x_hat.rows(); ++t)
        for (Index d = 0; d < x_hat.cols(); ++d) x_hat(t, d) = affine_at(affine, t, d, x_hat(t, d));
    return x_hat;
}

inline NormOptions with_eps(double eps) {
    return {.eps = eps};
}

} // namespace normscope::testing
