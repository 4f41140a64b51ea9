#include "core/check/finite_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normscope {
namespace {

// `at` must be an element of `x`, which f takes.
template<class X, class F>
double difference_at(X& x, double& at, const F& f) {
    const double before = at;
    const double h = difference_step(before);
    // The step that is really taken: x + h rounded, minus x − h rounded.
    at = before + h;
    const double above = at;
    const double f_above = f(x);
    at = before - h;
    const double below = at;
    const double f_below = f(x);
    at = before;
    return (f_above - f_below) / (above - below);
}

double distance(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double d = std::abs(a - b);
    return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

double largest_finite(const Matrix<double>& m) {
    double largest = 0;
    for (Index i = 0; i < m.size(); ++i) {
        if (std::isfinite(m.data()[i])) largest = std::max(largest, std::abs(m.data()[i]));
    }
    return largest;
}

} // namespace

double difference_step(double x) {
    return std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(x));
}

Matrix<double> central_difference(const Matrix<double>& x,
                                  const std::function<double(const Matrix<double>&)>& f) {
    Matrix<double> moved = x;
    Matrix<double> gradient(x.rows(), x.cols());
    for (Index i = 0; i < x.size(); ++i) {
        gradient.data()[i] = difference_at(moved, moved.data()[i], f);
    }
    return gradient;
}

Vector<double> central_difference(const Vector<double>& x,
                                  const std::function<double(const Vector<double>&)>& f) {
    Vector<double> moved = x;
    Vector<double> gradient(x.size());
    for (Index i = 0; i < x.size(); ++i) gradient[i] = difference_at(moved, moved[i], f);
    return gradient;
}

double central_difference_at(const Matrix<double>& x, Index row, Index col,
                             const std::function<double(const Matrix<double>&)>& f) {
    Matrix<double> moved = x;
    return difference_at(moved, moved(row, col), f);
}

GradientCheck compare_gradients(const Matrix<double>& analytic, const Matrix<double>& numeric) {
    GradientCheck out;
    if (analytic.rows() != numeric.rows() || analytic.cols() != numeric.cols()) {
        out.absolute.difference = out.relative.difference = std::numeric_limits<double>::infinity();
        return out;
    }
    for (Index i = 0; i < analytic.rows(); ++i) {
        for (Index j = 0; j < analytic.cols(); ++j) {
            const double d = distance(analytic(i, j), numeric(i, j));
            if (d > out.absolute.difference) out.absolute = {d, i, j};
        }
    }
    out.relative = out.absolute;
    const double scale = std::max(largest_finite(analytic), largest_finite(numeric));
    if (scale > 0) out.relative.difference /= scale;
    return out;
}

} // namespace normscope
