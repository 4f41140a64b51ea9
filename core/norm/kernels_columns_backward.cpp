#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_columns_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/columns-inl.h"
#include "core/norm/kernels.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

#include <algorithm>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

constexpr Index k_tiny = 64; // values in all

// The sums of a column over a block of rows, Σ dy⊙(x − mean) and Σ dy.
template<class T>
struct Sums {
    T* HWY_RESTRICT g;
    T* HWY_RESTRICT b;
};

// Adds k_rows rows of a strip.
template<class T, bool k_mean, int k_rows>
HWY_INLINE void sum_rows(const T* HWY_RESTRICT x, const T* HWY_RESTRICT dy, size_t stride,
                         const T* HWY_RESTRICT mean, const Sums<T>& sums, size_t width) {
    const Tag<T> d;
    const auto step = [&](size_t i, auto&& load, auto&& store) HWY_ATTR {
        V<T> m = hn::Zero(d);
        if constexpr (k_mean) m = load(mean + i);
        V<T> sum_g = load(sums.g + i);
        V<T> sum_b = load(sums.b + i);
        for (int r = 0; r < k_rows; ++r) {
            const size_t at = static_cast<size_t>(r) * stride + i;
            V<T> e = load(x + at);
            if constexpr (k_mean) e = hn::Sub(e, m);
            const V<T> g = load(dy + at);
            sum_g = hn::MulAdd(g, e, sum_g);
            sum_b = hn::Add(sum_b, g);
        }
        store(sum_g, sums.g + i);
        store(sum_b, sums.b + i);
    };
    for_vectors<T>(
        0, width,
        [&](size_t i) HWY_ATTR {
            step(
                i, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
                [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); });
        },
        [&](size_t i, size_t k) HWY_ATTR {
            step(
                i, [&](const T* p) HWY_ATTR { return load_part<T>(p, k); },
                [&](V<T> v, T* p) HWY_ATTR { store_part<T>(v, p, k); });
        });
}

// dγ = Σ dy⊙(x − mean), dβ = Σ dy. Every block is summed on its own, so that rounding does not
// pile up; two rows at once, which are as many streams as the first-level cache bears where all
// rows begin at the same place in a page.
template<class T, bool k_mean>
void sum_columns(const ColumnBackward<T>& a, size_t begin, size_t end) {
    const size_t stride = static_cast<size_t>(a.cols);
    HWY_ALIGN Strip<T> part_g;
    HWY_ALIGN Strip<T> part_b;
    const Sums<T> sums{part_g, part_b};
    std::fill(a.dgamma + begin, a.dgamma + end, T(0));
    std::fill(a.dbeta + begin, a.dbeta + end, T(0));
    for_pieces<T>(Walk::down, static_cast<size_t>(a.rows), begin, end,
                  [&](const Piece& p) HWY_ATTR {
                      const T* mean = k_mean ? a.mean + p.column : nullptr;
                      for (size_t i = 0; i < p.width; ++i) sums.g[i] = sums.b[i] = 0;
                      const T* x = a.x + p.row * stride + p.column;
                      const T* dy = a.dy + p.row * stride + p.column;
                      size_t row = 0;
                      for (; row + 2 <= p.rows; row += 2)
                          sum_rows<T, k_mean, 2>(x + row * stride, dy + row * stride, stride, mean,
                                                 sums, p.width);
                      if (row < p.rows)
                          sum_rows<T, k_mean, 1>(x + row * stride, dy + row * stride, stride, mean,
                                                 sums, p.width);
                      for (size_t i = 0; i < p.width; ++i) {
                          a.dgamma[p.column + i] += sums.g[i];
                          a.dbeta[p.column + i] += sums.b[i];
                      }
                  });
}

// dx = dy·r + (x − mean)·m2 + m1
template<class T>
struct Terms {
    const T* HWY_RESTRICT mean;
    const T* HWY_RESTRICT r;
    const T* HWY_RESTRICT m1;
    const T* HWY_RESTRICT m2;
};

template<class T, bool k_mean>
HWY_INLINE void write_dx(const T* x, const T* dy, T* dx, const Terms<T>& t, size_t width,
                         bool around) {
    const Tag<T> d;
    const auto value = [&](size_t i, auto&& load) HWY_ATTR {
        V<T> e = load(x + i);
        if constexpr (k_mean) e = hn::Sub(e, load(t.mean + i));
        return hn::MulAdd(load(dy + i), load(t.r + i),
                          hn::MulAdd(e, load(t.m2 + i), load(t.m1 + i)));
    };
    write_row<T>(
        dx, width, around,
        [&](size_t i)
            HWY_ATTR { return value(i, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); }); },
        [&](size_t i, size_t k)
            HWY_ATTR { return value(i, [&](const T* p) HWY_ATTR { return load_part<T>(p, k); }); });
}

template<class T, bool k_mean>
void backward_columns(const ColumnBackward<T>& a, size_t begin, size_t end, bool around) {
    sum_columns<T, k_mean>(a, begin, end);
    // r = γ·rstd, m1 = −r·dβ/T, m2 = −r·s·dγ/T with x̂ = (x − mean)·s
    const size_t width = end - begin;
    const T n = static_cast<T>(a.rows);
    std::vector<T> scratch(3 * width);
    T* r = scratch.data();
    T* m1 = r + width;
    T* m2 = m1 + width;
    for (size_t i = 0; i < width; ++i) {
        const size_t c = begin + i;
        const T s = k_mean ? a.rstd[c] : T(1);
        a.dgamma[c] *= s;
        r[i] = a.rstd[c] * (a.gamma ? a.gamma[c] : T(1));
        m1[i] = a.use_mean ? -r[i] * (a.dbeta[c] / n) : T(0);
        m2[i] = a.use_projection ? -r[i] * s * (a.dgamma[c] / n) : T(0);
    }
    const size_t stride = static_cast<size_t>(a.cols);
    for_pieces<T>(Walk::up, static_cast<size_t>(a.rows), begin, end, [&](const Piece& p) HWY_ATTR {
        const size_t i = p.column - begin;
        const Terms<T> terms{k_mean ? a.mean + p.column : nullptr, r + i, m1 + i, m2 + i};
        for (size_t row = p.row; row < p.row + p.rows; ++row) {
            const size_t at = row * stride + p.column;
            write_dx<T, k_mean>(a.x + at, a.dy + at, a.dx + at, terms, p.width, around);
        }
    });
    if (around) hwy::FlushStream();
}

// A few values, for which filling and emptying vectors costs more than the sums.
template<class T>
void tiny_columns(const ColumnBackward<T>& a) {
    const T inv_n = T(1) / static_cast<T>(a.rows);
    for (Index d = 0; d < a.cols; ++d) {
        const T mean = a.mean ? a.mean[d] : T(0);
        const T s = a.mean ? a.rstd[d] : T(1);
        T dgamma = 0;
        T dbeta = 0;
        for (Index at = d; at < a.rows * a.cols; at += a.cols) {
            dgamma += a.dy[at] * ((a.x[at] - mean) * s);
            dbeta += a.dy[at];
        }
        a.dgamma[d] = dgamma;
        a.dbeta[d] = dbeta;
        const T r = a.rstd[d] * (a.gamma ? a.gamma[d] : T(1));
        const T mean_g = a.use_mean ? dbeta * inv_n : T(0);
        const T mean_gx = a.use_projection ? dgamma * inv_n : T(0);
        for (Index at = d; at < a.rows * a.cols; at += a.cols)
            a.dx[at] = (a.dy[at] - mean_g - (a.x[at] - mean) * s * mean_gx) * r;
    }
}

template<class T>
void backward_any(const ColumnBackward<T>& a, Index begin, Index end, bool around) {
    const auto from = static_cast<size_t>(begin);
    const auto to = static_cast<size_t>(end);
    if (a.rows * a.cols <= k_tiny)
        tiny_columns<T>(a);
    else if (a.mean)
        backward_columns<T, true>(a, from, to, around);
    else
        backward_columns<T, false>(a, from, to, around);
}

} // namespace

void batch_backward_f32(const ColumnBackward<float>& a, Index begin, Index end, bool around) {
    backward_any<float>(a, begin, end, around);
}
void batch_backward_f64(const ColumnBackward<double>& a, Index begin, Index end, bool around) {
    backward_any<double>(a, begin, end, around);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(batch_backward_f32);
HWY_EXPORT(batch_backward_f64);

constexpr Index k_grain = 16 * 1024; // values: fewer a thread are not worth waking it
constexpr Index k_group = 64;        // columns are shared out in groups of whole cache lines

template<class S, class Kernel>
void run(const ColumnBackward<S>& a, int threads, Kernel kernel) {
    const Index groups = (a.cols + k_group - 1) / k_group;
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), groups));
    // Threads that share rows would fetch lines of each other's part of dx ahead, in order to
    // write.
    const bool around = chunks > 1 || writes_around_cache(3 * a.rows * a.cols *
                                                          static_cast<Index>(sizeof(S)) / chunks);
    parallel_chunks(chunks, groups, [&](int, Index begin, Index end) {
        kernel(a, begin * k_group, std::min(a.cols, end * k_group), around);
    });
}

} // namespace

void batch_backward(const ColumnBackward<float>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(batch_backward_f32));
}
void batch_backward(const ColumnBackward<double>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(batch_backward_f64));
}

} // namespace normscope::kernels
#endif
