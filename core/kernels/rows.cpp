#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/rows.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/simd-inl.h"

#include <algorithm>
#include <cmath>
#include <hwy/cache_control.h>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// The mean of an eighth of the row at least: it is off by at most √7 standard deviations, which
// costs the variance no more than three bits.
template<class T>
HWY_INLINE T rough_mean(const T* x, size_t n) {
    const size_t few = HWY_MIN(n, HWY_MAX(n / 8, size_t{64}));
    const V<T> first = hn::Set(Tag<T>(), x[0]);
    const auto [sum] = sum_up<T, 1>(few, [&](V<T>* sums, size_t i, size_t count) HWY_ATTR {
        const V<T> e = hn::Sub(load<T>(x + i, count), first);
        sums[0] = hn::Add(sums[0], first_n<T>(e, count));
    });
    return x[0] + sum / static_cast<T>(few);
}

// Sums up a row and writes the y of the row before it in the same loop, so that memory is read and
// written at once, as in a copy. The mean is rough + rest, kept apart because their sum rounds: a
// common offset costs no digits, and a constant row has variance 0.
template<class T>
void forward(const Forward<T>& a, Index begin, Index end) {
    const Tag<T> d;
    const auto n = static_cast<size_t>(a.cols);
    const T inv_n = T(1) / static_cast<T>(n);
    T rough = 0, rest = 0, rstd = 0; // of the row before
    for (Index row = begin; row <= end; ++row) {
        const T* x = row < end ? a.x + row * a.cols : nullptr;
        const T* x_before = row > begin ? a.x + (row - 1) * a.cols : nullptr;
        T* y = a.y + (row - 1) * a.cols;
        const V<T> center_before = hn::Set(d, rough);
        const V<T> scale = hn::Set(d, rstd);
        const V<T> rest_before = hn::Set(d, rest);
        if (x) rough = a.use_mean ? rough_mean(x, n) : T(0);
        const V<T> center = hn::Set(d, rough);
        const auto [sum, squares] =
            sum_up<T, 2>(n, [&](V<T>* sums, size_t i, size_t count) HWY_ATTR {
                if (x) {
                    hwy::Prefetch(x + n + i); // of the next row: only a hint
                    const V<T> e = first_n<T>(hn::Sub(load<T>(x + i, count), center), count);
                    sums[0] = hn::Add(sums[0], e);
                    sums[1] = product_plus<T>(e, e, sums[1]);
                }
                if (!x_before) return;
                V<T> v = hn::Sub(load<T>(x_before + i, count), center_before);
                v = hn::Mul(hn::Sub(v, rest_before), scale); // scale may be ∞
                if (a.gamma)
                    v = product_plus<T>(v, load<T>(a.gamma + i, count), load<T>(a.beta + i, count));
                store<T>(v, y + i, count);
            });
        if (!x) return;
        rest = a.use_mean ? sum * inv_n : T(0);
        rstd = T(1) / std::sqrt(variance<T>(squares * inv_n, rest * rest) + a.eps);
        a.mean[row] = rough + rest;
        a.rstd[row] = rstd;
    }
}

// Adds to dgamma and dbeta, unless they are null.
template<class T>
void backward(const Backward<T>& a, Index begin, Index end, T* dgamma, T* dbeta) {
    const Tag<T> d;
    const auto n = static_cast<size_t>(a.cols);
    for (Index row = begin; row < end; ++row) {
        const T* x_hat = a.x_hat + row * a.cols;
        const T* dy = a.dy + row * a.cols;
        T* dx = a.dx + row * a.cols;
        const auto g_at = [&](size_t i, size_t count) HWY_ATTR {
            const V<T> g = load<T>(dy + i, count);
            return a.gamma ? hn::Mul(g, load<T>(a.gamma + i, count)) : g;
        };
        const auto [sum_g, sum_gx] =
            sum_up<T, 2>(n, [&](V<T>* sums, size_t i, size_t count) HWY_ATTR {
                const V<T> x = load<T>(x_hat + i, count);
                const V<T> g = g_at(i, count);
                sums[0] = hn::Add(sums[0], g);
                sums[1] = product_plus<T>(g, x, sums[1]);
                if (!dgamma) return;
                const V<T> of_y = load<T>(dy + i, count);
                store<T>(product_plus<T>(of_y, x, load<T>(dgamma + i, count)), dgamma + i, count);
                store<T>(hn::Add(of_y, load<T>(dbeta + i, count)), dbeta + i, count);
            });
        const T r = a.rstd[row];
        const T share = -r / static_cast<T>(n);
        const V<T> scale = hn::Set(d, r);
        const V<T> by_mean = hn::Set(d, a.use_mean ? sum_g * share : T(0));
        const V<T> by_x_hat = hn::Set(d, a.use_projection ? sum_gx * share : T(0));
        for_vectors<T>(n, [&](size_t i, size_t count) HWY_ATTR {
            const V<T> rest = product_plus<T>(load<T>(x_hat + i, count), by_x_hat, by_mean);
            store<T>(product_plus<T>(g_at(i, count), scale, rest), dx + i, count);
        });
    }
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

constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it

int row_chunks(Index rows, Index cols, int threads) {
    return static_cast<int>(std::min<Index>(useful_threads(threads, rows * cols, k_grain), rows));
}

template<class S>
void rows_forward(const Forward<S>& a, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(forwards)());
    parallel_chunks(row_chunks(a.rows, a.cols, threads), a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end); });
}

// Each thread sums dγ and dβ of its own rows; they are added up in the threads' order.
template<class S>
void rows_backward(const Backward<S>& a, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(backwards)());
    const int chunks = row_chunks(a.rows, a.cols, threads);
    const Index width = a.dgamma ? a.cols : 0;
    std::fill_n(a.dgamma, width, S(0));
    std::fill_n(a.dbeta, width, S(0));
    if (chunks == 1) return kernel(a, 0, a.rows, a.dgamma, a.dbeta);
    std::vector<Vector<S>> sums(static_cast<std::size_t>(chunks), Vector<S>::Zero(2 * width));
    parallel_chunks(chunks, a.rows, [&](int chunk, Index begin, Index end) {
        S* const own = width > 0 ? sums[static_cast<std::size_t>(chunk)].data() : nullptr;
        kernel(a, begin, end, own, own ? own + width : nullptr);
    });
    for (const Vector<S>& sum : sums)
        for (Index i = 0; i < width; ++i) {
            a.dgamma[i] += sum(i);
            a.dbeta[i] += sum(width + i);
        }
}

NORMSCOPE_IN_BOTH_PRECISIONS(rows_forward);
NORMSCOPE_IN_BOTH_PRECISIONS(rows_backward);

} // namespace normscope::kernels
#endif
