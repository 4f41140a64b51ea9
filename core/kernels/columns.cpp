#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/columns.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/simd-inl.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// Loops over columns go row by row, as values lie in memory, in strips so narrow that the numbers
// of each column stay in the first-level cache. The compiler makes vectors of the loops.
constexpr Index k_strip = 1024;
constexpr Index k_block = 64; // rows that are summed up on their own

// body(rows, row) for rows in fours, then one by one: what is read and written for a column serves
// all of them, and the sums go the same way.
template<class Body>
HWY_INLINE void in_fours(Index rows, Body&& body) {
    Index row = 0;
    for (; row + 4 <= rows; row += 4) body(std::integral_constant<Index, 4>(), row);
    for (; row < rows; ++row) body(std::integral_constant<Index, 1>(), row);
}

// sum = Σ e and squares = Σ e² over the rows of a strip, with e = x − center.
template<class T>
void sum_strip(const T* x, Index stride, Index rows, Index width, const T* HWY_RESTRICT center,
               T* HWY_RESTRICT sum, T* HWY_RESTRICT squares) {
    std::fill_n(sum, width, T(0));
    std::fill_n(squares, width, T(0));
    in_fours(rows, [&](auto together, Index row) HWY_ATTR {
        const T* HWY_RESTRICT from = x + row * stride;
#pragma omp simd
        for (Index i = 0; i < width; ++i) {
            T total = sum[i], total_sq = squares[i];
            for (Index r = 0; r < together(); ++r) {
                const T e = from[r * stride + i] - center[i];
                total += e;
                total_sq += e * e;
            }
            sum[i] = total;
            squares[i] = total_sq;
        }
    });
}

// The mean is high + low, so that a large common offset costs no digits. Differences are taken from
// the mean of the blocks before; in the first block from that of its first rows, whose own are from
// the first row. Chan, Golub and LeVeque 1979 (eq. 2.1) correct the variance for a mean that lies
// elsewhere, and merge the blocks. The correction loses little: a first mean over a share p of the
// rows is off by at most √((1 − p)/p) standard deviations, and a block far from those before it
// adds this distance to the variance itself.
template<class T>
void forward_strip(const Forward<T>& a, Index column, Index width) {
    constexpr Index k_first = k_block / 4;
    const T* x = a.x + column;
    T high[k_strip], low[k_strip] = {}, m2[k_strip] = {}, center[k_strip] = {};
    T sum[k_strip], squares[k_strip];
    const Index few = std::min(k_first, a.rows);
    sum_strip<T>(x, a.cols, few, width, x, sum, squares);
    for (Index i = 0; i < width; ++i) high[i] = x[i] + sum[i] / static_cast<T>(few);
    for (Index row = 0; row < a.rows; row += k_block) {
        const Index rows = std::min(k_block, a.rows - row);
        for (Index i = 0; i < width; ++i) center[i] = high[i] + low[i];
        sum_strip<T>(x + row * a.cols, a.cols, rows, width, center, sum, squares);
        const T inv_count = T(1) / static_cast<T>(rows);
        const T share = static_cast<T>(rows) / static_cast<T>(row + rows);
        const T spread = static_cast<T>(row) * share;
        for (Index i = 0; i < width; ++i) {
            const T rest = sum[i] * inv_count;
            const T apart = (center[i] - high[i]) + rest - low[i];
            low[i] += apart * share;
            m2[i] += variance<T>(squares[i], sum[i] * rest) + apart * (apart * spread);
        }
    }
    T scale[k_strip], offset[k_strip];
    for (Index i = 0; i < width; ++i) {
        const Index c = column + i;
        a.mean[c] = high[i] + low[i];
        a.var[c] = m2[i] / static_cast<T>(a.rows);
        a.rstd[c] = T(1) / std::sqrt(a.var[c] + a.eps);
        scale[i] = a.gamma ? a.gamma[c] * a.rstd[c] : a.rstd[c];
        offset[i] = a.beta ? a.beta[c] : T(0);
    }
    in_fours(a.rows, [&](auto together, Index row) HWY_ATTR {
        const Index at = row * a.cols + column;
#pragma omp simd
        for (Index i = 0; i < width; ++i)
            for (Index r = 0; r < together(); ++r)
                a.y[at + r * a.cols + i] =
                    (a.x[at + r * a.cols + i] - high[i] - low[i]) * scale[i] + offset[i];
    });
}

template<class T>
void backward_strip(const Backward<T>& a, Index column, Index width) {
    T* HWY_RESTRICT dgamma = a.dgamma + column;
    T* HWY_RESTRICT dbeta = a.dbeta + column;
    std::fill_n(dgamma, width, T(0));
    std::fill_n(dbeta, width, T(0));
    in_fours(a.rows, [&](auto together, Index row) HWY_ATTR {
        const T* HWY_RESTRICT x_hat = a.x_hat + row * a.cols + column;
        const T* HWY_RESTRICT dy = a.dy + row * a.cols + column;
#pragma omp simd
        for (Index i = 0; i < width; ++i) {
            T by_x_hat = 0, alone = 0;
            for (Index r = 0; r < together(); ++r) {
                by_x_hat += dy[r * a.cols + i] * x_hat[r * a.cols + i];
                alone += dy[r * a.cols + i];
            }
            dgamma[i] += by_x_hat;
            dbeta[i] += alone;
        }
    });
    T scale[k_strip], by_mean[k_strip], by_x_hat[k_strip];
    for (Index i = 0; i < width; ++i) {
        scale[i] = a.rstd[column + i] * (a.gamma ? a.gamma[column + i] : T(1));
        const T share = -scale[i] / static_cast<T>(a.rows);
        by_mean[i] = a.use_mean ? dbeta[i] * share : T(0);
        by_x_hat[i] = a.use_projection ? dgamma[i] * share : T(0);
    }
    in_fours(a.rows, [&](auto together, Index row) HWY_ATTR {
        const Index at = row * a.cols + column;
#pragma omp simd
        for (Index i = 0; i < width; ++i)
            for (Index r = 0; r < together(); ++r) {
                const Index c = at + r * a.cols + i;
                a.dx[c] = a.dy[c] * scale[i] + (a.x_hat[c] * by_x_hat[i] + by_mean[i]);
            }
    });
}

template<class T>
void forward(const Forward<T>& a, Index begin, Index end) {
    for (Index c = begin; c < end; c += k_strip) forward_strip(a, c, std::min(k_strip, end - c));
}
template<class T>
void backward(const Backward<T>& a, Index begin, Index end) {
    for (Index c = begin; c < end; c += k_strip) backward_strip(a, c, std::min(k_strip, end - c));
}

auto forwards() {
    return std::make_pair(forward<float>, forward<double>);
}
auto backwards() {
    return std::make_pair(backward<float>, backward<double>);
}

} // namespace
} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(forwards);
HWY_EXPORT(backwards);

// Threads share the columns out in groups of whole cache lines, so that their number changes no
// bit.
template<class Arguments, class Kernel>
void share_columns(const Arguments& a, int threads, const Kernel& kernel) {
    constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it
    constexpr Index k_group = 64;
    const Index groups = (a.cols + k_group - 1) / k_group;
    const int useful = useful_threads(threads, a.rows * a.cols, k_grain);
    parallel_chunks(static_cast<int>(std::min<Index>(useful, groups)), groups,
                    [&](int, Index first, Index last) {
                        kernel(a, first * k_group, std::min(a.cols, last * k_group));
                    });
}

template<class S>
void columns_forward(const Forward<S>& a, int threads) {
    share_columns(a, threads, in_precision<S>(HWY_DYNAMIC_DISPATCH(forwards)()));
}
template<class S>
void columns_backward(const Backward<S>& a, int threads) {
    share_columns(a, threads, in_precision<S>(HWY_DYNAMIC_DISPATCH(backwards)()));
}

NORMSCOPE_IN_BOTH_PRECISIONS(columns_forward);
NORMSCOPE_IN_BOTH_PRECISIONS(columns_backward);

} // namespace normscope::kernels
#endif
