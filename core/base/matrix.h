#pragma once
#include <Eigen/Core>

#include <cmath>

// Vocabulary of the numerics. Letters used in shapes everywhere:
//   T  tokens (rows, samples)      D  features (columns)
// A matrix of activations is T×D, row-major: one token is contiguous in memory.
namespace normscope {

using Index = Eigen::Index;

template<class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template<class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

// Compiles a function template of the numerics for float and for double.
#define NORMSCOPE_IN_BOTH_PRECISIONS(function)                                                     \
    template decltype(function<float>) function<float>;                                            \
    template decltype(function<double>) function<double>

// Σ a⊙b over all entries of two matrices of one shape. In double whatever they are in: squares of a
// vanishing gradient would underflow. Eight sums, so that none waits for the one before.
template<class A, class B>
double dot(const A& a, const B& b) {
    constexpr Index k_sums = 8;
    double sums[k_sums] = {};
    const Index whole = a.size() - a.size() % k_sums;
    const auto product = [&](Index i) {
        return static_cast<double>(a.data()[i]) * static_cast<double>(b.data()[i]);
    };
    for (Index i = 0; i < whole; i += k_sums)
        for (Index s = 0; s < k_sums; ++s) sums[s] += product(i + s);
    for (Index i = whole; i < a.size(); ++i) sums[i - whole] += product(i);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// The sum of the rows, row by row as they lie in memory.
template<class S, class Sum>
void sum_rows(const Matrix<S>& m, Sum&& sum) {
    sum = m.row(0).transpose();
    for (Index t = 1; t < m.rows(); ++t) sum += m.row(t).transpose();
}

template<class A>
double squared_norm(const A& a) {
    return dot(a, a);
}
template<class A>
double norm_of(const A& a) {
    return std::sqrt(dot(a, a));
}

} // namespace normscope
