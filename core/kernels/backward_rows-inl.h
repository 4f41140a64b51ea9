// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_BACKWARD_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_BACKWARD_ROWS_INL_H
#undef NORMSCOPE_CORE_KERNELS_BACKWARD_ROWS_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_BACKWARD_ROWS_INL_H
#endif

#include "core/kernels/scratch.h"
#include "core/kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

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

// The same in every lane: read once a row, as stores to dx might change what is in memory. The mean
// with its sign, because an addition reads one of its operands from memory in the same instruction,
// and a subtraction only what is taken away.
template<class T>
struct VectorTerms {
    explicit VectorTerms(const RowTerms<T>& t)
        : minus_mean(hn::Set(Tag<T>(), -t.mean)), r(hn::Set(Tag<T>(), t.r)),
          m1(hn::Set(Tag<T>(), t.m1)), m2(hn::Set(Tag<T>(), t.m2 * t.s)) {}
    V<T> minus_mean, r, m1, m2;
};

// One row on its way: Σ g and Σ g⊙x̂, in two chains each, so that no sum waits for the one before.
template<class T>
struct RowSums {
    V<T> g[2];
    V<T> gx[2];
};

// The kernel's two halves, a vector at a time. `load` and `store` may do part of a vector: lanes
// that do not count are read as 0, their dy is 0, and 0·x̂ is 0 as x̂ is finite there.
template<class T, bool k_gamma, bool k_columns>
struct BackwardRow {
    const T* HWY_RESTRICT gamma;
    T* HWY_RESTRICT dgamma;
    T* HWY_RESTRICT dbeta;

    // dγ += dy⊙x̂ and dβ += dy in their columns; the row's own sums
    template<class Load, class Store>
    HWY_INLINE void sum(const T* x, const T* dy, V<T> minus_mean, V<T> s, size_t i, size_t chain,
                        RowSums<T>& sums, Load&& load, Store&& store) const {
        const V<T> x_hat = hn::Mul(hn::Add(load(x + i), minus_mean), s);
        const V<T> dyv = load(dy + i);
        V<T> g = dyv;
        if constexpr (k_gamma) g = hn::Mul(dyv, load(gamma + i));
        sums.g[chain] = hn::Add(sums.g[chain], g);
        sums.gx[chain] = hn::MulAdd(g, x_hat, sums.gx[chain]);
        if constexpr (k_columns) {
            store(hn::MulAdd(dyv, x_hat, load(dgamma + i)), dgamma + i);
            store(hn::Add(load(dbeta + i), dyv), dbeta + i);
        }
    }

    template<class Load>
    HWY_INLINE V<T> dx(const T* x, const T* dy, const VectorTerms<T>& t, size_t i,
                       Load&& load) const {
        V<T> g = load(dy + i);
        if constexpr (k_gamma) g = hn::Mul(g, load(gamma + i));
        return hn::MulAdd(g, t.r, hn::MulAdd(hn::Add(load(x + i), t.minus_mean), t.m2, t.m1));
    }
};

// A row whose sums are known and whose dx is still to be written.
template<class T>
struct Pending {
    const T* x = nullptr; // null: there is none
    const T* dy = nullptr;
    T* dx = nullptr;
    RowTerms<T> terms;
};

// Where dγ and dβ are summed up: those of every 256 rows on their own, then added to the total, as
// the rounding of a long sum grows with its blocks, not with its rows.
template<class T>
class ColumnSums {
  public:
    static constexpr Index k_block = 256; // rows

    // Room of its own only for more rows than a block; none for n = 0.
    ColumnSums(T* dgamma, T* dbeta, Index rows, size_t n)
        : dgamma_(dgamma), dbeta_(dbeta), width_(rows > k_block ? n : 0), part_(2, width_) {}

    T* dgamma() const { return width_ == 0 ? dgamma_ : part_.array(0); }
    T* dbeta() const { return width_ == 0 ? dbeta_ : part_.array(1); }

    // After `done` of `rows` rows.
    void end_rows(Index done, Index rows) const {
        if (width_ == 0 || (done % k_block != 0 && done != rows)) return;
        T* part_g = part_.array(0);
        T* part_b = part_.array(1);
        for (size_t i = 0; i < width_; ++i) {
            dgamma_[i] += part_g[i];
            dbeta_[i] += part_b[i];
            part_g[i] = part_b[i] = 0;
        }
    }

  private:
    T* dgamma_;
    T* dbeta_;
    size_t width_;
    Scratch<T> part_;
};

// The mean and 1/s by which row's x̂ is made.
template<class T>
HWY_INLINE RowTerms<T> terms_for_sums(const RowBackward<T>& a, Index row) {
    RowTerms<T> t;
    if (a.mean) {
        t.mean = a.mean[row];
        t.s = a.rstd[row];
    }
    return t;
}

// What dx takes from the sums of a row, which are written where they are asked for.
template<class T>
HWY_INLINE void add_sums(const RowBackward<T>& a, Index row, T sum_g, T sum_gx, RowTerms<T>& t) {
    if (a.row_dgamma) {
        a.row_dgamma[row] = sum_gx;
        a.row_dbeta[row] = sum_g;
    }
    const T inv_n = T(1) / static_cast<T>(a.cols);
    t.r = a.rstd[row] * (a.row_gamma ? a.row_gamma[row] : T(1));
    if (a.use_mean) t.m1 = -sum_g * inv_n * t.r;
    if (a.use_projection) t.m2 = -sum_gx * inv_n * t.r;
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
