#include "core/kernels/sparse_gemm.h"

#include "core/nn/feed_forward.h"
#include "tests/core/nn/random_matrix.h"
#include "tests/core/stats/every_target.h"

#include <array>
#include <cmath>
#include <limits>

namespace normscope {
namespace {

template<class S>
Matrix<S> behind_relu(Index rows, Index cols, Random& random) {
    return random_matrix<S>(rows, cols, random).cwiseMax(S(0));
}

// Deeper than a panel, wider than one, rows of more than one block; none a round number.
constexpr std::array<std::array<Index, 3>, 4> k_shapes{
    {{131, 203, 97}, {515, 67, 101}, {37, 1001, 103}, {129, 192, 128}}};

template<class S>
void matches_gemm() {
    Random random(1);
    for (const auto& [rows, depth, cols] : k_shapes) {
        const auto a = behind_relu<S>(rows, depth, random);
        const auto b = random_matrix<S>(depth, cols, random);
        const Matrix<S> at = a.transpose();
        const Matrix<S> bt = b.transpose();
        const Vector<S> bias = random_matrix<S>(cols, 1, random);
        Matrix<S> plain(rows, cols);
        Matrix<S> biased(rows, cols);
        gemm<S>(as_is(a), as_is(b), into(plain));
        gemm<S>(as_is(a), as_is(b), into(biased), bias.data());
        for (const int threads : {1, 2}) {
            for (const bool a_turned : {false, true}) {
                for (const bool b_turned : {false, true}) {
                    const Operand<S> left = a_turned ? transposed(at) : as_is(a);
                    const Operand<S> right = b_turned ? transposed(bt) : as_is(b);
                    Matrix<S> c = Matrix<S>::Constant(rows, cols, S(77));
                    ASSERT_TRUE(
                        sparse_gemm<S>(left, right, into(c), bias.data(), Turned::no, threads));
                    EXPECT_EQ(c, biased) << rows << "×" << depth << "×" << cols;
                    Matrix<S> ct = Matrix<S>::Constant(cols, rows, S(77));
                    ASSERT_TRUE(
                        sparse_gemm<S>(left, right, into(ct), nullptr, Turned::yes, threads));
                    EXPECT_EQ(ct, plain.transpose()) << rows << "×" << depth << "×" << cols;
                }
            }
        }
    }
}

TEST(SparseGemm, GivesTheValuesOfGemmOnEveryTarget) {
    on_every_target([] {
        matches_gemm<float>();
        matches_gemm<double>();
    });
}

TEST(SparseGemm, WritesWithinItsColumns) {
    Random random(2);
    const auto a = behind_relu<float>(130, 200, random);
    const auto b = random_matrix<float>(200, 99, random);
    Matrix<float> wide = Matrix<float>::Constant(130, 108, 77.0f);
    ASSERT_TRUE(sparse_gemm<float>(as_is(a), as_is(b), {wide.data() + 5, 108}));
    EXPECT_TRUE((wide.leftCols(5).array() == 77.0f).all());
    EXPECT_TRUE((wide.rightCols(4).array() == 77.0f).all());
}

TEST(SparseGemm, LeavesWhatIsDenseOrSmallToGemm) {
    Random random(3);
    const auto dense = random_matrix<float>(130, 200, random);
    const auto sparse = behind_relu<float>(130, 200, random);
    const auto b = random_matrix<float>(200, 100, random);
    Matrix<float> c(130, 100);
    EXPECT_FALSE(sparse_gemm<float>(as_is(dense), as_is(b), into(c)));
    EXPECT_FALSE(sparse_gemm<float>(as_is(sparse).middle_cols(0, 7),
                                    {b.data(), 7, b.cols(), b.cols(), 1}, into(c)));
}

// 0·∞ and 0·NaN are NaN: no zero may be passed over, wherever in b they stand.
TEST(SparseGemm, LeavesABThatIsNotFiniteToGemm) {
    Random random(4);
    const auto a = behind_relu<float>(130, 203, random);
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {infinity, -infinity, std::nanf("")}) {
        for (const Index k : {0, 100, 202}) {
            for (const Index j : {0, 50, 98}) {
                auto b = random_matrix<float>(203, 99, random);
                b(k, j) = bad;
                Matrix<float> c(130, 99);
                for (const int threads : {1, 2}) {
                    EXPECT_FALSE(sparse_gemm<float>(as_is(a), as_is(b), into(c), nullptr,
                                                    Turned::no, threads))
                        << bad << ' ' << k << ' ' << j;
                }
            }
        }
    }
}

TEST(SparseGemm, LetsANaNOfAThrough) {
    Random random(5);
    auto a = behind_relu<float>(130, 203, random);
    a(7, 101) = std::nanf("");
    const auto b = random_matrix<float>(203, 99, random);
    Matrix<float> c(130, 99);
    ASSERT_TRUE(sparse_gemm<float>(as_is(a), as_is(b), into(c)));
    EXPECT_TRUE(c.row(7).array().isNaN().all());
    EXPECT_FALSE(c.row(6).array().isNaN().any());
}

// A token whose hidden value is 0 does not hide an infinite weight: 0·∞ is NaN, as in PyTorch.
TEST(SparseGemm, AnInfiniteWeightBehindAReluReachesEveryToken) {
    Random random(6);
    FeedForward<float> ffn{make_linear<float>({}, 67, 256, random),
                           make_linear<float>({}, 256, 65, random), Activation::relu};
    ffn.second.weight(3, 5) = std::numeric_limits<float>::infinity();
    const auto out = feed_forward(ffn, random_matrix<float>(131, 67, random));
    ASSERT_TRUE(out);
    const auto hidden = out->cache.hidden.col(5).array();
    ASSERT_TRUE((hidden == 0.0f).any());
    for (Index t = 0; t < out->y.rows(); ++t) {
        EXPECT_EQ(std::isnan(out->y(t, 3)), hidden(t) == 0.0f) << t;
        EXPECT_EQ(std::isinf(out->y(t, 3)), hidden(t) > 0.0f) << t;
    }
}

} // namespace
} // namespace normscope
