#include "core/kernels/gemm.h"

#include "tests/core/norm/testing.h"
#include "tests/core/stats/testing.h"

#include <array>

namespace normscope {
namespace {

template<class S>
void matches_eigen(double tolerance) {
    Random random(1);
    const std::array<std::array<Index, 3>, 9> shapes{{{1, 1, 1},
                                                      {3, 7, 5},
                                                      {8, 16, 32},
                                                      {9, 33, 65},
                                                      {17, 300, 31},
                                                      {13, 5, 100},
                                                      {2, 513, 7},
                                                      {32, 64, 64},
                                                      {70, 258, 130}}};
    for (const auto& [rows, depth, cols] : shapes) {
        const auto a = random_matrix<S>(rows, depth, random);
        const auto b = random_matrix<S>(depth, cols, random);
        const Matrix<S> at = a.transpose();
        const Matrix<S> bt = b.transpose();
        const Vector<S> bias = random_matrix<S>(cols, 1, random);
        const auto before = random_matrix<S>(rows, cols, random);
        const Matrix<double> expected = a.template cast<double>() * b.template cast<double>();
        const Matrix<double> biased =
            (expected.rowwise() + bias.template cast<double>().transpose()) +
            before.template cast<double>();
        const double allowed = tolerance * static_cast<double>(depth);
        for (const int threads : {1, 2}) {
            for (const bool a_turned : {false, true}) {
                for (const bool b_turned : {false, true}) {
                    Matrix<S> c = Matrix<S>::Constant(rows, cols, S(77));
                    gemm<S>(a_turned ? transposed(at) : as_is(a),
                            b_turned ? transposed(bt) : as_is(b), into(c), nullptr, Write::replace,
                            threads);
                    EXPECT_LE((c.template cast<double>() - expected).cwiseAbs().maxCoeff(), allowed)
                        << rows << "×" << depth << "×" << cols << ' ' << a_turned << b_turned;
                    Matrix<S> sum = before;
                    gemm<S>(a_turned ? transposed(at) : as_is(a),
                            b_turned ? transposed(bt) : as_is(b), into(sum), bias.data(),
                            Write::add, threads);
                    EXPECT_LE((sum.template cast<double>() - biased).cwiseAbs().maxCoeff(), allowed)
                        << rows << "×" << depth << "×" << cols << ' ' << a_turned << b_turned;
                }
            }
        }
    }
}

template<class S>
void small_matches_gemm(double tolerance) {
    Random random(2);
    const std::array<std::array<Index, 3>, 7> shapes{
        {{1, 1, 1}, {3, 7, 5}, {32, 16, 16}, {16, 32, 2}, {9, 33, 65}, {13, 2, 16}, {7, 90, 100}}};
    for (const auto& [rows, depth, cols] : shapes) {
        const auto a = random_matrix<S>(rows, depth, random);
        const auto b = random_matrix<S>(depth, cols, random);
        const Matrix<S> at = a.transpose(), bt = b.transpose();
        const Vector<S> bias = random_matrix<S>(cols, 1, random);
        const auto before = random_matrix<S>(rows, cols, random);
        for (const bool a_turned : {false, true})
            for (const bool b_turned : {false, true})
                for (const Write write : {Write::replace, Write::add}) {
                    Matrix<S> expected = before, small = before;
                    const Operand<S> left = a_turned ? transposed(at) : as_is(a);
                    const Operand<S> right = b_turned ? transposed(bt) : as_is(b);
                    const S* added = a_turned ? bias.data() : nullptr;
                    gemm<S>(left, right, into(expected), added, write);
                    small_gemm<S>(left, right, into(small), added, write);
                    EXPECT_LE((small - expected).cwiseAbs().maxCoeff(),
                              tolerance * static_cast<double>(depth))
                        << rows << "×" << depth << "×" << cols << ' ' << a_turned << b_turned;
                }
    }
}

TEST(Gemm, SmallProductsMatchOnEveryTarget) {
    on_every_target([] {
        small_matches_gemm<float>(1e-6);
        small_matches_gemm<double>(1e-15);
    });
}

TEST(Gemm, MatchesEigenOnEveryTarget) {
    on_every_target([] {
        matches_eigen<float>(1e-6);
        matches_eigen<double>(1e-15);
    });
}

TEST(Gemm, TakesColumnsOfAWiderMatrix) {
    Random random(2);
    const auto wide = random_matrix<double>(5, 12, random);
    const auto b = random_matrix<double>(4, 3, random);
    Matrix<double> c = Matrix<double>::Zero(5, 9);
    gemm<double>(as_is(wide).middle_cols(8, 4), as_is(b), {c.data() + 3, 9});
    EXPECT_LE((c.middleCols(3, 3) - wide.rightCols(4) * b).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(c.leftCols(3).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(c.rightCols(3).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Gemm, DoesNotDependOnTheNumberOfThreads) {
    Random random(3);
    const auto a = random_matrix<float>(64, 128, random);
    const auto b = random_matrix<float>(128, 256, random);
    Matrix<float> one(64, 256), two(64, 256);
    gemm<float>(as_is(a), as_is(b), into(one), nullptr, Write::replace, 1);
    gemm<float>(as_is(a), as_is(b), into(two), nullptr, Write::replace, 2);
    EXPECT_EQ((one - two).cwiseAbs().maxCoeff(), 0.0f);
}

} // namespace
} // namespace normscope
