// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_FORWARD_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_FORWARD_ROWS_INL_H
#undef NORMSCOPE_CORE_KERNELS_FORWARD_ROWS_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_FORWARD_ROWS_INL_H
#endif

#include "core/kernels/row_statistics-inl.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

// A pass over rows: W is its Way and P its Pace, see rows.cpp.

// Rows, one behind the other, whose statistics are known and whose y, and z where it waits in
// scratch, are to be written.
template<class T, size_t k_rows>
struct PendingRows {
    const T* z = nullptr; // null: there are none
    T* y = nullptr;
    T* kept = nullptr; // where a z in scratch goes
    RowStats<T> stats[k_rows];
};

struct Range {
    size_t begin, end;
};

// The values `of_y` of pending rows, and `of_z` of a z that waits in scratch.
template<class T, class W, size_t k_rows>
HWY_INLINE void write_pending(const RowForward<T>& a, const PendingRows<T, k_rows>& rows,
                              Range of_y, Range of_z, bool around) {
    const size_t n = static_cast<size_t>(a.cols);
    for (size_t row = 0; row < k_rows; ++row) {
        const T* z = rows.z + row * n;
        const Normalize<T> norm(rows.stats[row]);
        const auto at = [&](size_t i, auto&& load) HWY_ATTR {
            const Affine<T, W::affine> affine(a, of_y.begin + i, load);
            return affine.y(norm.x_hat(load(z + of_y.begin + i)));
        };
        write_row<T>(
            rows.y + row * n + of_y.begin, of_y.end - of_y.begin, around,
            [&](size_t i) HWY_ATTR {
                return at(i, [](const T* p) HWY_ATTR { return hn::LoadU(Tag<T>(), p); });
            },
            [&](size_t i, size_t k) HWY_ATTR {
                return at(i, [&](const T* p) HWY_ATTR { return load_part<T>(p, k); });
            });
        if constexpr (W::add && W::around) {
            const T* from = z + of_z.begin;
            write_row<T>(
                rows.kept + row * n + of_z.begin, of_z.end - of_z.begin, around,
                [&](size_t i) HWY_ATTR { return hn::LoadU(Tag<T>(), from + i); },
                [&](size_t i, size_t k) HWY_ATTR { return load_part<T>(from + i, k); });
        }
    }
}

// The sums of a row about a center, two chains each, so that no sum waits for the one before.
template<class T, class W>
struct ForwardSums {
    explicit ForwardSums(T center = 0) : minus_c(hn::Set(Tag<T>(), -center)) {}

    // z = x (+ f, kept in z) at i
    HWY_INLINE void take(const T* x, const T* f, T* z, size_t i, size_t chain) {
        const Tag<T> d;
        V<T> v = hn::LoadU(d, x + i);
        if constexpr (W::add) {
            v = hn::Add(v, hn::LoadU(d, f + i));
            hn::StoreU(v, d, z + i);
        }
        if constexpr (!W::rms) {
            v = hn::Add(v, minus_c);
            s[chain] = hn::Add(s[chain], v);
        }
        q[chain] = hn::MulAdd(v, v, q[chain]);
    }

    HWY_INLINE void take_part(const T* x, const T* f, T* z, size_t i, size_t count) {
        V<T> v = load_part<T>(x + i, count);
        if constexpr (W::add) {
            v = hn::Add(v, load_part<T>(f + i, count));
            store_part<T>(v, z + i, count);
        }
        if constexpr (!W::rms) v = first_n<T>(hn::Add(v, minus_c), count);
        s[1] = hn::Add(s[1], v);
        q[1] = hn::MulAdd(v, v, q[1]);
    }

    V<T> minus_c;
    V<T> s[2] = {hn::Zero(Tag<T>()), hn::Zero(Tag<T>())};
    V<T> q[2] = {hn::Zero(Tag<T>()), hn::Zero(Tag<T>())};
};

// Sums up the rows x (+ f, kept in z) and writes `before` in the same loop, so that memory is read
// and written at once, as in a copy; the z of `before` is still in the cache. Where z is in scratch
// it takes the place of that of `before`, which is read first. A row's sums do not depend on how
// many rows are taken at once.
template<class T, class W, class P>
HWY_INLINE void sum_and_write(const RowForward<T>& a, const T* x, const T* f, T* z,
                              ForwardSums<T, W> (&sums)[P::rows],
                              const PendingRows<T, P::rows>& before, Memory memory) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const size_t n = static_cast<size_t>(a.cols);
    // f and z are null without an addition.
    const auto added = [](auto* p, size_t at) HWY_ATTR { return W::add ? p + at : p; };
    size_t i = 0;
    if (before.z) {
        constexpr bool k_keep = W::add && W::around; // z is in scratch
        constexpr bool k_sums_first = P::sums_first && !k_keep;
        // The same for all rows: several are taken at once only where they are whole lines.
        const size_t head_y = W::around ? values_to_line(before.y, n) : 0;
        const size_t head_z = k_keep ? values_to_line(before.kept, n) : 0;
        write_pending<T, W>(a, before, {0, head_y}, {0, head_z}, false);
        Normalize<T> norms[P::rows];
        for (size_t row = 0; row < P::rows; ++row) norms[row] = Normalize<T>(before.stats[row]);
        const size_t whole = n - HWY_MAX(head_y, head_z);
        const size_t ahead = ahead_of<T>(memory, W::add ? 2 : 1, P::rows);
        const auto load = [](const T* p) HWY_ATTR { return hn::LoadU(Tag<T>(), p); };
        const auto write = [](V<T> v, T* to) HWY_ATTR {
            if constexpr (W::around)
                hn::Stream(v, Tag<T>(), to);
            else
                hn::StoreU(v, Tag<T>(), to);
        };
        // The vectors at `at`; those of a row are added to its chains in turn, beginning with
        // `chain`.
        const auto go = [&](size_t at, auto chain) HWY_ATTR {
            const auto take = [&]() HWY_ATTR {
                // At the end of a row that of the rows that come after these, not of its neighbour.
                const size_t next = at + ahead < n ? at + ahead : at + ahead + (P::rows - 1) * n;
                HWY_UNROLL(4)
                for (size_t row = 0; row < P::rows; ++row) {
                    const size_t from = row * n;
                    if constexpr (W::around) {
                        prefetch(x + from + next, P::step * lanes, memory.rows);
                        if constexpr (W::add)
                            prefetch(f + from + next, P::step * lanes, memory.rows);
                    }
                    HWY_UNROLL(4)
                    for (size_t k = 0; k < P::step; ++k)
                        sums[row].take(x + from, added(f, from), added(z, from), at + k * lanes,
                                       (chain() + k) % 2);
                }
            };
            if constexpr (k_sums_first) take();
            Affine<T, W::affine> affine[P::step];
            HWY_UNROLL(4)
            for (size_t k = 0; k < P::step; ++k)
                affine[k] = Affine<T, W::affine>(a, head_y + at + k * lanes, load);
            const auto y_of = [&](size_t row, size_t k) HWY_ATTR {
                return affine[k].y(
                    norms[row].x_hat(load(before.z + row * n + head_y + at + k * lanes)));
            };
            V<T> y[P::rows * P::step];
            V<T> kept[P::rows * P::step];
            if constexpr (!k_sums_first) {
                HWY_UNROLL(4)
                for (size_t row = 0; row < P::rows; ++row) {
                    HWY_UNROLL(4)
                    for (size_t k = 0; k < P::step; ++k) {
                        y[row * P::step + k] = y_of(row, k);
                        if constexpr (k_keep)
                            kept[row * P::step + k] =
                                load(before.z + row * n + head_z + at + k * lanes);
                    }
                }
                take();
            }
            // Array after array, so that lines written past the cache are complete at once.
            HWY_UNROLL(4)
            for (size_t row = 0; row < P::rows; ++row) {
                HWY_UNROLL(4)
                for (size_t k = 0; k < P::step; ++k)
                    write(k_sums_first ? y_of(row, k) : y[row * P::step + k],
                          before.y + row * n + head_y + at + k * lanes);
            }
            if constexpr (k_keep) {
                HWY_UNROLL(4)
                for (size_t row = 0; row < P::rows; ++row) {
                    HWY_UNROLL(4)
                    for (size_t k = 0; k < P::step; ++k)
                        write(kept[row * P::step + k],
                              before.kept + row * n + head_z + at + k * lanes);
                }
            }
        };
        constexpr size_t k_turn = HWY_MAX(P::step, 2); // vectors
        for (; i + k_turn * lanes <= whole; i += k_turn * lanes) {
            go(i, std::integral_constant<size_t, 0>());
            if constexpr (P::step == 1) go(i + lanes, std::integral_constant<size_t, 1>());
        }
        write_pending<T, W>(a, before, {head_y + i, n}, {head_z + i, n}, false);
    }
    for (size_t row = 0; row < P::rows; ++row) {
        const size_t at = row * n;
        const T* f_row = added(f, at);
        T* z_row = added(z, at);
        size_t k = i;
        for (; k + 2 * lanes <= n; k += 2 * lanes) {
            sums[row].take(x + at, f_row, z_row, k, 0);
            sums[row].take(x + at, f_row, z_row, k + lanes, 1);
        }
        for_vectors<T>(
            k, n, [&](size_t v) HWY_ATTR { sums[row].take(x + at, f_row, z_row, v, 0); },
            [&](size_t v, size_t count)
                HWY_ATTR { sums[row].take_part(x + at, f_row, z_row, v, count); });
    }
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
