#pragma once
#include "core/base/matrix.h"

#include <functional>

// Central differences, the witness of every backward pass.
namespace normscope {

// Step for an element x: ∛eps·max(1, |x|), where truncation (∝ h²) and rounding (∝ eps/h) of
// (f(x+h) − f(x−h)) / 2h balance for a function of ordinary scale.
double difference_step(double x);

// ∂f/∂x by central differences, one element at a time: 2·size(x) calls of f. The same shape as x.
Matrix<double> central_difference(const Matrix<double>& x,
                                  const std::function<double(const Matrix<double>&)>& f);
Vector<double> central_difference(const Vector<double>& x,
                                  const std::function<double(const Vector<double>&)>& f);

// One element only.
double central_difference_at(const Matrix<double>& x, Index row, Index col,
                             const std::function<double(const Matrix<double>&)>& f);

struct Disagreement {
    double difference = 0;
    Index row = 0;
    Index col = 0;
};

// How far two gradients are apart, and where most. `relative` is to the largest magnitude in either
// of them, so that entries near zero, which differences cannot resolve, do not count as wrong.
// An entry that is NaN or infinite in one only counts as infinitely far.
struct GradientCheck {
    Disagreement absolute;
    Disagreement relative;
};

// Both of the same shape; a vector is a matrix of one column. Of different shapes: infinitely far.
GradientCheck compare_gradients(const Matrix<double>& analytic, const Matrix<double>& numeric);

} // namespace normscope
