#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/kernels.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

#include <algorithm>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// What one row's dx is made from: x̂ = (x − mean)·s, dx = g·r + x̂·m2 + m1, g = γ⊙dy, where r is
// rstd (times the row's γ) and m1, m2 are the two means with their sign and r.
template<class T>
struct RowTerms {
    T mean = 0;
    T s = 1;
    T r = 1;
    T m1 = 0;
    T m2 = 0;
};

// The sums over k_rows rows at once, so that γ, dγ and dβ are read and written once for all of
// them: Σ g and Σ g⊙x̂ a row into `sum_g`, `sum_gx`; dγ += dy⊙x̂, dβ += dy a column.
template<class T, int k_rows, bool k_gamma, bool k_columns>
HWY_INLINE void row_sums(const RowBackward<T>& a, const T* HWY_RESTRICT x, const T* HWY_RESTRICT dy,
                         const RowTerms<T>* terms, T* HWY_RESTRICT dgamma, T* HWY_RESTRICT dbeta,
                         T* HWY_RESTRICT sum_g, T* HWY_RESTRICT sum_gx, bool ahead) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const size_t n = static_cast<size_t>(a.cols);
    V<T> mean[k_rows], s[k_rows], g_sum[k_rows], gx_sum[k_rows];
    for (int r = 0; r < k_rows; ++r) {
        mean[r] = hn::Set(d, terms[r].mean);
        s[r] = hn::Set(d, terms[r].s);
        g_sum[r] = gx_sum[r] = hn::Zero(d);
    }
    // `load` reads the vector at p + i and zeros lanes that do not count: their dy is 0, and 0·x̂
    // is 0 as x̂ is finite there.
    const auto step = [&](size_t i, auto&& load, auto&& store) HWY_ATTR {
        V<T> gamma = hn::Zero(d), column_g = gamma, column_b = gamma;
        if constexpr (k_gamma) gamma = load(a.gamma + i);
        if constexpr (k_columns) {
            column_g = load(dgamma + i);
            column_b = load(dbeta + i);
        }
        for (int r = 0; r < k_rows; ++r) {
            const size_t at = static_cast<size_t>(r) * n + i;
            if (ahead) {
                prefetch(x + at + k_rows * n, 1);
                prefetch(dy + at + k_rows * n, 1);
            }
            const V<T> x_hat = hn::Mul(hn::Sub(load(x + at), mean[r]), s[r]);
            const V<T> dyv = load(dy + at);
            V<T> g = dyv;
            if constexpr (k_gamma) g = hn::Mul(dyv, gamma);
            g_sum[r] = hn::Add(g_sum[r], g);
            gx_sum[r] = hn::MulAdd(g, x_hat, gx_sum[r]);
            if constexpr (k_columns) {
                column_g = hn::MulAdd(dyv, x_hat, column_g);
                column_b = hn::Add(column_b, dyv);
            }
        }
        if constexpr (k_columns) {
            store(column_g, dgamma + i);
            store(column_b, dbeta + i);
        }
    };
    size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        step(
            i, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
            [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); });
    if (i < n)
        step(
            i, [&](const T* p) HWY_ATTR { return load_part<T>(p, n - i); },
            [&](V<T> v, T* p) HWY_ATTR { store_part<T>(v, p, n - i); });
    for (int r = 0; r < k_rows; ++r) {
        sum_g[r] = sum_lanes<T>(g_sum[r]);
        sum_gx[r] = sum_lanes<T>(gx_sum[r]);
    }
}

template<class T, bool k_gamma>
HWY_INLINE void write_dx(const RowBackward<T>& a, const T* HWY_RESTRICT x, const T* dy, T* dx,
                         const RowTerms<T>& terms, bool around, size_t ahead) {
    const Tag<T> d;
    const V<T> mean = hn::Set(d, terms.mean);
    const V<T> r = hn::Set(d, terms.r);
    const V<T> m1 = hn::Set(d, terms.m1);
    const V<T> m2 = hn::Set(d, terms.m2 * terms.s);
    const auto value = [&](V<T> xv, V<T> dyv, V<T> gamma) HWY_ATTR {
        const V<T> g = k_gamma ? hn::Mul(dyv, gamma) : dyv;
        return hn::MulAdd(g, r, hn::MulAdd(hn::Sub(xv, mean), m2, m1));
    };
    const V<T> none = hn::Zero(d);
    write_row<T>(
        dx, static_cast<size_t>(a.cols), around,
        [&](size_t i) HWY_ATTR {
            if (ahead != 0) {
                prefetch(x + i + ahead, 1);
                prefetch(dy + i + ahead, 1);
            }
            return value(hn::LoadU(d, x + i), hn::LoadU(d, dy + i),
                         k_gamma ? hn::LoadU(d, a.gamma + i) : none);
        },
        [&](size_t i, size_t k) HWY_ATTR {
            return value(load_part<T>(x + i, k), load_part<T>(dy + i, k),
                         k_gamma ? load_part<T>(a.gamma + i, k) : none);
        });
}

template<class T, int k_rows, bool k_gamma, bool k_columns>
HWY_INLINE void backward_rows(const RowBackward<T>& a, Index row, T inv_n, T* dgamma, T* dbeta,
                              bool around) {
    const Index at = row * a.cols;
    const T* x = a.x + at;
    const T* dy = a.dy + at;
    RowTerms<T> terms[k_rows];
    for (int r = 0; r < k_rows; ++r)
        if (a.mean) {
            terms[r].mean = a.mean[row + r];
            terms[r].s = a.rstd[row + r];
        }
    T sum_g[k_rows];
    T sum_gx[k_rows];
    row_sums<T, k_rows, k_gamma, k_columns>(a, x, dy, terms, dgamma, dbeta, sum_g, sum_gx,
                                            around && k_rows == 1);
    const size_t n = static_cast<size_t>(a.cols);
    for (int r = 0; r < k_rows; ++r) {
        RowTerms<T>& t = terms[r];
        if (a.row_dgamma) {
            a.row_dgamma[row + r] = sum_gx[r];
            a.row_dbeta[row + r] = sum_g[r];
        }
        t.r = a.rstd[row + r] * (a.row_gamma ? a.row_gamma[row + r] : T(1));
        if (a.use_mean) t.m1 = -sum_g[r] * inv_n * t.r;
        if (a.use_projection) t.m2 = -sum_gx[r] * inv_n * t.r;
        const size_t offset = static_cast<size_t>(r) * n;
        write_dx<T, k_gamma>(a, x + offset, dy + offset, a.dx + at + static_cast<Index>(offset), t,
                             around, around && k_rows > 1 ? n * k_rows : 0);
    }
}

// Rows [begin, end). dγ and dβ of every 256 rows are summed on their own, then added to the total:
// the rounding of a long sum grows with its blocks, not with its rows.
template<class T, bool k_gamma, bool k_columns>
void backward_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                    bool around) {
    constexpr Index block = 256;
    const T inv_n = T(1) / static_cast<T>(a.cols);
    const size_t n = k_columns && end - begin > block ? static_cast<size_t>(a.cols) : 0;
    std::vector<T> part(2 * n);
    T* part_g = n == 0 ? dgamma : part.data();
    T* part_b = n == 0 ? dbeta : part_g + n;
    // Several rows at once read and write γ, dγ and dβ less often, which counts where they and a
    // row do not fit in the first-level cache together, and where all data is in the second. A
    // stream from memory is faster row by row.
    const bool several = !around || a.cols * static_cast<Index>(sizeof(T)) > 8192;
    for (Index from = begin; from < end; from += block) {
        const Index to = HWY_MIN(end, from + block);
        Index row = from;
        for (; several && row + 4 <= to; row += 4)
            backward_rows<T, 4, k_gamma, k_columns>(a, row, inv_n, part_g, part_b, around);
        for (; row < to; ++row)
            backward_rows<T, 1, k_gamma, k_columns>(a, row, inv_n, part_g, part_b, around);
        for (size_t i = 0; i < n; ++i) {
            dgamma[i] += part_g[i];
            dbeta[i] += part_b[i];
            part_g[i] = part_b[i] = 0;
        }
    }
    if (around) hwy::FlushStream();
}

template<class T>
void backward_any(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                  bool around) {
    if (a.gamma && dgamma)
        backward_range<T, true, true>(a, begin, end, dgamma, dbeta, around);
    else if (a.gamma)
        backward_range<T, true, false>(a, begin, end, dgamma, dbeta, around);
    else if (dgamma)
        backward_range<T, false, true>(a, begin, end, dgamma, dbeta, around);
    else
        backward_range<T, false, false>(a, begin, end, dgamma, dbeta, around);
}

} // namespace

void backward_f32(const RowBackward<float>& a, Index begin, Index end, float* dgamma, float* dbeta,
                  bool around) {
    backward_any<float>(a, begin, end, dgamma, dbeta, around);
}
void backward_f64(const RowBackward<double>& a, Index begin, Index end, double* dgamma,
                  double* dbeta, bool around) {
    backward_any<double>(a, begin, end, dgamma, dbeta, around);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(backward_f32);
HWY_EXPORT(backward_f64);

constexpr Index k_grain = 16 * 1024; // values: fewer a thread are not worth waking it

// Each thread sums dγ and dβ of its own rows; they are added up in the threads' order.
template<class S, class Kernel>
void run(const RowBackward<S>& a, int threads, Kernel kernel) {
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const bool around =
        writes_around_cache(3 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks);
    const auto width = static_cast<std::size_t>(a.dgamma ? a.cols : 0);
    if (chunks == 1) {
        std::fill_n(a.dgamma, width, S(0));
        std::fill_n(a.dbeta, width, S(0));
        kernel(a, 0, a.rows, a.dgamma, a.dbeta, around);
        return;
    }
    std::vector<S> sums(2 * width * static_cast<std::size_t>(chunks));
    parallel_chunks(chunks, a.rows, [&](int chunk, Index begin, Index end) {
        S* own = width == 0 ? nullptr : sums.data() + 2 * width * static_cast<std::size_t>(chunk);
        kernel(a, begin, end, own, own + width, around);
    });
    for (std::size_t i = 0; i < width; ++i) {
        S dgamma = 0;
        S dbeta = 0;
        for (std::size_t c = 0; c < static_cast<std::size_t>(chunks); ++c) {
            dgamma += sums[2 * width * c + i];
            dbeta += sums[2 * width * c + width + i];
        }
        a.dgamma[i] = dgamma;
        a.dbeta[i] = dbeta;
    }
}

} // namespace

void row_backward(const RowBackward<float>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(backward_f32));
}
void row_backward(const RowBackward<double>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(backward_f64));
}

} // namespace normscope::kernels
#endif
