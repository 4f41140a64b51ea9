#include "core/check/finite_difference.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

Matrix<double> points() {
    Matrix<double> x(2, 3);
    x << 0.5, -1.25, 3, 0, 100, -0.01;
    return x;
}

double f(const Matrix<double>& x) {
    double sum = 0;
    for (Index i = 0; i < x.size(); ++i) sum += std::sin(x.data()[i]) * static_cast<double>(i + 1);
    return sum + x(0, 0) * x(1, 2) * x(1, 2);
}

Matrix<double> gradient_of_f(const Matrix<double>& x) {
    Matrix<double> g(2, 3);
    for (Index i = 0; i < x.size(); ++i) {
        g.data()[i] = std::cos(x.data()[i]) * static_cast<double>(i + 1);
    }
    g(0, 0) += x(1, 2) * x(1, 2);
    g(1, 2) += 2 * x(0, 0) * x(1, 2);
    return g;
}

TEST(CentralDifference, AgreesWithTheDerivative) {
    const Matrix<double> x = points();
    const auto check = compare_gradients(gradient_of_f(x), central_difference(x, f));
    EXPECT_LE(check.relative.difference, 1e-7);
    EXPECT_NEAR(central_difference_at(x, 1, 2, f), gradient_of_f(x)(1, 2), 1e-7);
}

TEST(CentralDifference, OfAVector) {
    Vector<double> x(3);
    x << 1, -2, 1e3;
    const Vector<double> g =
        central_difference(x, [](const Vector<double>& v) { return v.squaredNorm() / 2; });
    EXPECT_LE((g - x).cwiseAbs().maxCoeff() / 1e3, 1e-7);
}

TEST(CompareGradients, SaysWhereTheyDifferMost) {
    Matrix<double> a = gradient_of_f(points());
    Matrix<double> b = a;
    b(1, 0) += 0.5;
    b(0, 2) -= 0.25;
    const auto check = compare_gradients(a, b);
    EXPECT_DOUBLE_EQ(check.absolute.difference, 0.5);
    EXPECT_EQ(check.absolute.row, 1);
    EXPECT_EQ(check.absolute.col, 0);
    EXPECT_DOUBLE_EQ(check.relative.difference, 0.5 / b.cwiseAbs().maxCoeff());
}

TEST(CompareGradients, NaNAndShapesAreDifferences) {
    const double inf = std::numeric_limits<double>::infinity();
    Matrix<double> a = Matrix<double>::Zero(2, 2);
    EXPECT_EQ(compare_gradients(a, a).relative.difference, 0.0);
    Matrix<double> b = a;
    b(0, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(compare_gradients(a, b).absolute.difference, inf);
    EXPECT_EQ(compare_gradients(a, b).absolute.col, 1);
    EXPECT_EQ(compare_gradients(b, b).absolute.difference, 0.0);
    EXPECT_EQ(compare_gradients(a, Matrix<double>::Zero(2, 3)).relative.difference, inf);
}

} // namespace
} // namespace normscope
