#include "core/kernels/gemm.h"

#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/small_gemm.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/kernels/pack-inl.h"
#include "core/kernels/precision.h"

#include <hwy/highway.h>

#ifndef NORMSCOPE_KERNELS_SMALL_GEMM_ONCE
#define NORMSCOPE_KERNELS_SMALL_GEMM_ONCE
namespace normscope {
namespace {

// Values of b that a copy of it has room for, with its rows filled up to whole vectors.
constexpr Index k_small_values = 4096;

template<class S>
struct SmallProduct {
    Operand<S> a;
    Operand<S> b;
    Target<S> c;
    const S* bias;
    Write write;
};

} // namespace
} // namespace normscope
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope::HWY_NAMESPACE {

// A vector of columns of b, and as many columns of c as count.
template<class S>
struct Columns {
    const S* b;
    Index b_step;
    S* c;
    Index c_step;
    Index count;
    const S* bias; // null: none
    bool adds;
};

template<class S>
HWY_INLINE hn::Vec<Tag<S>> load_columns(const S* from, Index count) {
    const Tag<S> d;
    if (count == static_cast<Index>(hn::Lanes(d))) return hn::LoadU(d, from);
    HWY_ALIGN S part[HWY_MAX_BYTES / sizeof(S)] = {};
    std::copy_n(from, count, part);
    return hn::Load(d, part);
}

template<class S>
HWY_INLINE void store_columns(hn::Vec<Tag<S>> v, S* to, Index count) {
    const Tag<S> d;
    if (count == static_cast<Index>(hn::Lanes(d))) return hn::StoreU(v, d, to);
    HWY_ALIGN S part[HWY_MAX_BYTES / sizeof(S)];
    hn::Store(v, d, part);
    std::copy_n(part, count, to);
}

// sizeof...(R) rows of c: c ← [c] + bias + Σ_k a(·, k)·b(k, ·).
template<class S, std::size_t... R>
HWY_INLINE void rows_of_columns(std::index_sequence<R...>, const Operand<S>& a, Index row,
                                const Columns<S>& p) {
    const Tag<S> d;
    using V = hn::Vec<Tag<S>>;
    const auto at = [&](std::size_t r) { return p.c + (row + static_cast<Index>(r)) * p.c_step; };
    const V start = p.bias ? load_columns(p.bias, p.count) : hn::Zero(d);
    V sums[sizeof...(R)];
    ((sums[R] = p.adds ? hn::Add(start, load_columns<S>(at(R), p.count)) : start), ...);
    const S* values = a.data + row * a.row_step;
    for (Index k = 0; k < a.cols; ++k) {
        const V b = hn::LoadU(d, p.b + k * p.b_step);
        ((sums[R] = hn::MulAdd(hn::Set(d, values[static_cast<Index>(R) * a.row_step]), b, sums[R])),
         ...);
        values += a.col_step;
    }
    (store_columns<S>(sums[R], at(R), p.count), ...);
}

// False, and nothing is done, where b does not fit into the copy.
template<class S>
bool small_product(const SmallProduct<S>& p) {
    constexpr Index k_rows = 8;
    const auto lanes = static_cast<Index>(hn::Lanes(Tag<S>()));
    const Index step = (p.b.cols + lanes - 1) / lanes * lanes;
    if (p.b.rows * step > k_small_values) return false;
    HWY_ALIGN S copy[k_small_values];
    Operand<S> b = p.b;
    if (b.col_step != 1 || b.cols % lanes != 0) {
        if (step != b.cols)
            for (Index k = 0; k < b.rows; ++k)
                std::fill(copy + k * step + b.cols, copy + (k + 1) * step, S(0));
        pack(b, {0, b.rows, 0, b.cols}, copy, step);
        b = {copy, b.rows, b.cols, step, 1};
    }
    for (Index j = 0; j < b.cols; j += lanes) {
        const Columns<S> columns{b.data + j,
                                 b.row_step,
                                 p.c.data + j,
                                 p.c.row_step,
                                 std::min(lanes, b.cols - j),
                                 p.bias ? p.bias + j : nullptr,
                                 p.write == Write::add};
        Index row = 0;
        for (; row + k_rows <= p.a.rows; row += k_rows)
            rows_of_columns<S>(std::make_index_sequence<k_rows>(), p.a, row, columns);
        for (; row < p.a.rows; ++row)
            rows_of_columns<S>(std::make_index_sequence<1>(), p.a, row, columns);
    }
    return true;
}

auto small_products() {
    return std::make_pair(small_product<float>, small_product<double>);
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(small_products);

template<class S>
void small_gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias, Write write) {
    const auto product = in_precision<S>(HWY_DYNAMIC_DISPATCH(small_products)());
    if (!product({a, b, c, bias, write})) gemm(a, b, c, bias, write);
}

NORMSCOPE_IN_BOTH_PRECISIONS(small_gemm);

} // namespace normscope
#endif
