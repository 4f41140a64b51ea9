#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_columns_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/kernels.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

constexpr size_t k_strip = 2048; // bytes of a row's strip: its five arrays stay in the first cache
constexpr Index k_block = 256;   // rows summed on their own, so that rounding does not pile up

template<class T>
using Strip = T[k_strip / sizeof(T)];

// dγ += Σ dy⊙x̂, dβ += Σ dy over k_rows rows
template<class T, int k_rows>
HWY_INLINE void sum_rows(const T* HWY_RESTRICT x, const T* HWY_RESTRICT dy, size_t stride,
                         const T* HWY_RESTRICT mean, const T* HWY_RESTRICT scale,
                         T* HWY_RESTRICT dgamma, T* HWY_RESTRICT dbeta, size_t width) {
    const Tag<T> d;
    const auto step = [&](size_t i, auto&& load, auto&& store) HWY_ATTR {
        const V<T> m = load(mean + i);
        const V<T> s = load(scale + i);
        V<T> sum_g = load(dgamma + i);
        V<T> sum_b = load(dbeta + i);
        for (int r = 0; r < k_rows; ++r) {
            const size_t at = static_cast<size_t>(r) * stride + i;
            const V<T> x_hat = hn::Mul(hn::Sub(load(x + at), m), s);
            const V<T> g = load(dy + at);
            sum_g = hn::MulAdd(g, x_hat, sum_g);
            sum_b = hn::Add(sum_b, g);
        }
        store(sum_g, dgamma + i);
        store(sum_b, dbeta + i);
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

template<class T>
void backward_strip(const ColumnBackward<T>& a, Index column, size_t width, bool around) {
    HWY_ALIGN Strip<T> mean;
    HWY_ALIGN Strip<T> scale;
    HWY_ALIGN Strip<T> part_g;
    HWY_ALIGN Strip<T> part_b;
    const size_t stride = static_cast<size_t>(a.cols);
    const T* x = a.x + column;
    const T* dy = a.dy + column;
    T* dgamma = a.dgamma + column;
    T* dbeta = a.dbeta + column;
    for (size_t i = 0; i < width; ++i) {
        mean[i] = a.mean ? a.mean[column + static_cast<Index>(i)] : T(0);
        scale[i] = a.mean ? a.rstd[column + static_cast<Index>(i)] : T(1);
        dgamma[i] = dbeta[i] = part_g[i] = part_b[i] = 0;
    }
    for (Index begin = 0; begin < a.rows; begin += k_block) {
        const Index end = HWY_MIN(a.rows, begin + k_block);
        Index row = begin;
        for (; row + 4 <= end; row += 4) {
            const Index at = row * a.cols;
            for (size_t r = 4; r < 8; ++r) {
                prefetch(x + at + r * stride, width);
                prefetch(dy + at + r * stride, width);
            }
            sum_rows<T, 4>(x + at, dy + at, stride, mean, scale, part_g, part_b, width);
        }
        for (; row < end; ++row) {
            const Index at = row * a.cols;
            sum_rows<T, 1>(x + at, dy + at, stride, mean, scale, part_g, part_b, width);
        }
        for (size_t i = 0; i < width; ++i) {
            dgamma[i] += part_g[i];
            dbeta[i] += part_b[i];
            part_g[i] = part_b[i] = 0;
        }
    }
    // dx = dy·r + (x − mean)·m2 + m1 with r = γ·rstd, m1 = −r·dβ/T, m2 = −r·s·dγ/T
    const T n = static_cast<T>(a.rows);
    T* r = part_g;
    T* m1 = part_b;
    T* m2 = scale;
    for (size_t i = 0; i < width; ++i) {
        const Index d = column + static_cast<Index>(i);
        r[i] = a.rstd[d] * (a.gamma ? a.gamma[d] : T(1));
        m1[i] = a.use_mean ? -r[i] * (dbeta[i] / n) : T(0);
        m2[i] = a.use_projection ? -r[i] * scale[i] * (dgamma[i] / n) : T(0);
    }
    const Tag<T> d;
    for (Index row = 0; row < a.rows; ++row) {
        const T* xr = x + row * a.cols;
        const T* g = dy + row * a.cols;
        if (around) {
            prefetch(xr + stride, width);
            prefetch(g + stride, width);
        }
        write_row<T>(
            a.dx + column + row * a.cols, width, around,
            [&](size_t i) HWY_ATTR {
                const V<T> e = hn::Sub(hn::LoadU(d, xr + i), hn::LoadU(d, mean + i));
                const V<T> rest = hn::MulAdd(e, hn::LoadU(d, m2 + i), hn::LoadU(d, m1 + i));
                return hn::MulAdd(hn::LoadU(d, g + i), hn::LoadU(d, r + i), rest);
            },
            [&](size_t i, size_t k) HWY_ATTR {
                const V<T> e = hn::Sub(load_part<T>(xr + i, k), load_part<T>(mean + i, k));
                const V<T> rest = hn::MulAdd(e, load_part<T>(m2 + i, k), load_part<T>(m1 + i, k));
                return hn::MulAdd(load_part<T>(g + i, k), load_part<T>(r + i, k), rest);
            });
    }
}

template<class T>
void backward_columns(const ColumnBackward<T>& a, Index begin, Index end, bool around) {
    constexpr Index strip = static_cast<Index>(k_strip / sizeof(T));
    for (Index column = begin; column < end; column += strip)
        backward_strip<T>(a, column, static_cast<size_t>(HWY_MIN(strip, end - column)), around);
    if (around) hwy::FlushStream();
}

} // namespace

void batch_backward_f32(const ColumnBackward<float>& a, Index begin, Index end, bool around) {
    backward_columns<float>(a, begin, end, around);
}
void batch_backward_f64(const ColumnBackward<double>& a, Index begin, Index end, bool around) {
    backward_columns<double>(a, begin, end, around);
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
    const bool around =
        writes_around_cache(3 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks);
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
