// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_PACK_INL_H
#undef NORMSCOPE_CORE_KERNELS_PACK_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_PACK_INL_H
#endif

#include "core/kernels/gemm.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace normscope::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template<class S>
using Tag = hn::ScalableTag<S>;

// Values of a block that is turned in registers: 4×4 of float, 2×2 of double.
template<class S>
inline constexpr Index k_side = 16 / sizeof(S);

// to(k, l) = from(l, k), k_side rows and columns; steps are those between rows.
template<class S>
HWY_INLINE void turn(const S* from, Index from_step, S* to, Index to_step) {
#if HWY_TARGET == HWY_SCALAR
    for (Index k = 0; k < k_side<S>; ++k)
        for (Index l = 0; l < k_side<S>; ++l) to[k * to_step + l] = from[l * from_step + k];
#else
    const hn::FixedTag<S, k_side<S>> d;
    const auto r0 = hn::LoadU(d, from);
    const auto r1 = hn::LoadU(d, from + from_step);
    if constexpr (k_side<S> == 4) {
        const auto r2 = hn::LoadU(d, from + 2 * from_step);
        const auto r3 = hn::LoadU(d, from + 3 * from_step);
        const auto a = hn::InterleaveLower(d, r0, r2);
        const auto b = hn::InterleaveLower(d, r1, r3);
        const auto c = hn::InterleaveUpper(d, r0, r2);
        const auto e = hn::InterleaveUpper(d, r1, r3);
        hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
        hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + to_step);
        hn::StoreU(hn::InterleaveLower(d, c, e), d, to + 2 * to_step);
        hn::StoreU(hn::InterleaveUpper(d, c, e), d, to + 3 * to_step);
    } else {
        hn::StoreU(hn::InterleaveLower(d, r0, r1), d, to);
        hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, to + to_step);
    }
#endif
}

// Part of a matrix: rows [row, row+rows), columns [col, col+cols).
struct Part {
    Index row;
    Index rows;
    Index col;
    Index cols;
};

// Copies a part of m to rows of `to`, `to_step` apart.
template<class S>
void pack(const Operand<S>& m, const Part& part, S* to, Index to_step) {
    const Tag<S> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const S* source = m.data + part.row * m.row_step + part.col * m.col_step;
    Index done = 0;
    if (m.col_step == 1) {
        done = part.cols - part.cols % lanes;
        for (Index k = 0; k < part.rows; ++k) {
            const S* row = source + k * m.row_step;
            for (Index j = 0; j < done; j += lanes)
                hn::StoreU(hn::LoadU(d, row + j), d, to + k * to_step + j);
        }
    } else {
        const Index turned = part.rows - part.rows % k_side<S>;
        done = part.cols - part.cols % k_side<S>;
        for (Index j = 0; j < done; j += k_side<S>) {
            const S* column = source + j * m.col_step;
            for (Index k = 0; k < turned; k += k_side<S>)
                turn(column + k, m.col_step, to + k * to_step + j, to_step);
            for (Index k = turned; k < part.rows; ++k)
                for (Index l = 0; l < k_side<S>; ++l)
                    to[k * to_step + j + l] = column[l * m.col_step + k];
        }
    }
    if (done == part.cols) return;
    for (Index k = 0; k < part.rows; ++k) {
        const S* row = source + k * m.row_step;
        for (Index j = done; j < part.cols; ++j) to[k * to_step + j] = row[j * m.col_step];
    }
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
