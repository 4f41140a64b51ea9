#include "core/kernels/gemm.h"

#include <algorithm>
#include <utility>

// The scheme of Goto and van de Geijn (2008): a block of a, k_block_rows × k_depth, is copied in
// the order in which it is read and stays in the second-level cache; a panel of b, k_depth × two
// registers wide, is copied into the first-level cache; tiles of c stay in registers. Rows that lie
// a power of two apart would otherwise share a few lines of the first-level cache.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/gemm.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/base/parallel.h"
#include "core/kernels/pack-inl.h"
#include "core/kernels/precision.h"

#include <hwy/highway.h>

#ifndef NORMSCOPE_NN_GEMM_ONCE
#define NORMSCOPE_NN_GEMM_ONCE
namespace normscope {
namespace {

constexpr Index k_depth = 256;
constexpr Index k_block_rows = 192; // a multiple of every k_rows
// Copying a pays where it is read for at least so many panels of b.
constexpr Index k_copy_from = 4;
// Products smaller than this are not worth waking a thread (multiply-adds).
constexpr Index k_thread_from = 1 << 20;

template<class S>
struct Product {
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
// Rows of a register tile: two accumulators each, and room for two of b, one of a, and a product
// where that is rounded before it is added (WASM).
#if HWY_TARGET <= HWY_AVX3
inline constexpr std::size_t k_rows = 8;
#elif HWY_TARGET == HWY_WASM
inline constexpr std::size_t k_rows = 4;
#else
inline constexpr std::size_t k_rows = 6;
#endif

// Prefetches the source of the next panel, line by line between the tiles of this one: the source
// is far away, and its rows lie too far apart for the processor to see which is next.
template<class S>
class FetchAhead {
  public:
    FetchAhead(const Operand<S>& b, Index k0, Index kc, Index j0, Index width)
        : at_(b.data + k0 * b.row_step + j0 * b.col_step),
          step_(b.col_step == 1 ? b.row_step : b.col_step),
          lines_(((b.col_step == 1 ? width : kc) + k_per_line - 1) / k_per_line),
          left_((b.col_step == 1 ? kc : width) * lines_) {}

    void fetch(Index count) {
        if constexpr (HWY_TARGET == HWY_WASM) return; // has no prefetch instruction
        for (count = std::min(count, left_); count > 0; --count, --left_) {
            __builtin_prefetch(at_ + line_ * k_per_line, 0, 2); // not into the first-level cache
            if (++line_ < lines_) continue;
            line_ = 0;
            at_ += step_;
        }
    }
    Index left() const { return left_; }

  private:
    static constexpr Index k_per_line = 64 / sizeof(S); // values of a cache line
    const S* at_;
    Index step_;
    Index lines_; // of a row
    Index line_ = 0;
    Index left_;
};

template<class D, class V>
HWY_INLINE void multiply(D d, const hn::TFromD<D>* a, V b0, V b1, V& c0, V& c1) {
    const V value = hn::Set(d, *a);
    c0 = hn::MulAdd(value, b0, c0);
    c1 = hn::MulAdd(value, b1, c1);
}

template<class D, class V>
HWY_INLINE void start(D d, V& c0, V& c1, const hn::TFromD<D>* from, V b0, V b1) {
    if (from == nullptr) {
        c0 = b0;
        c1 = b1;
        return;
    }
    c0 = hn::Add(hn::LoadU(d, from), b0);
    c1 = hn::Add(hn::LoadU(d, from + hn::Lanes(d)), b1);
}

template<class D, class V>
HWY_INLINE void finish(D d, V c0, V c1, hn::TFromD<D>* to) {
    hn::StoreU(c0, d, to);
    hn::StoreU(c1, d, to + hn::Lanes(d));
}

// A tile of sizeof...(R) rows × two registers: c ← [c] + bias + Σ_k a(·, k)·panel[k].
// ColumnMajor: rows of a are adjacent in memory (a transposed operand), else its columns are.
// A function of its own: browsers hold the tile in registers only so.
template<bool ColumnMajor, class S, std::size_t... R>
HWY_NOINLINE void tile(std::index_sequence<R...>, const S* a, Index a_step, Index kc,
                       const S* panel, S* c, Index c_step, bool adds, const S* bias) {
    const Tag<S> d;
    using V = hn::Vec<Tag<S>>;
    const std::size_t lanes = hn::Lanes(d);
    V b0 = hn::Zero(d);
    V b1 = b0;
    if (bias != nullptr) {
        b0 = hn::LoadU(d, bias);
        b1 = hn::LoadU(d, bias + lanes);
    }
    V c0[sizeof...(R)];
    V c1[sizeof...(R)];
    (__builtin_prefetch(c + static_cast<Index>(R) * c_step, 1), ...); // written at the end
    (start(d, c0[R], c1[R], adds ? c + static_cast<Index>(R) * c_step : nullptr, b0, b1), ...);
    HWY_UNROLL(2) // of more, a browser holds more values of b at a time than there are registers
    for (Index k = 0; k < kc; ++k) {
        b0 = hn::Load(d, panel);
        b1 = hn::Load(d, panel + lanes);
        panel += 2 * lanes;
        if constexpr (ColumnMajor) {
            (multiply(d, a + R, b0, b1, c0[R], c1[R]), ...);
            a += a_step;
        } else {
            (multiply(d, a + static_cast<Index>(R) * a_step, b0, b1, c0[R], c1[R]), ...);
            ++a;
        }
    }
    (finish(d, c0[R], c1[R], c + static_cast<Index>(R) * c_step), ...);
}

template<bool ColumnMajor, class S, std::size_t Rows>
void tile_of(std::size_t rows, const S* a, Index a_step, Index kc, const S* panel, S* c,
             Index c_step, bool adds, const S* bias) {
    if (rows == Rows) {
        tile<ColumnMajor, S>(std::make_index_sequence<Rows>(), a, a_step, kc, panel, c, c_step,
                             adds, bias);
    } else if constexpr (Rows > 1) {
        tile_of<ColumnMajor, S, Rows - 1>(rows, a, a_step, kc, panel, c, c_step, adds, bias);
    }
}

// The rows of the next tile where `left` are left: as many as registers hold, but no tile of a row
// or two at the end, whose sums would wait for each other.
inline Index tile_rows(Index left) {
    constexpr auto most = static_cast<Index>(k_rows);
    return left >= 2 * most ? most : left > most ? (left + 1) / 2 : left;
}

// A block of a: rows [i0, i0+rows), columns [k0, k0+kc).
struct Block {
    Index i0;
    Index rows;
    Index k0;
    Index kc;
};

// Copies a block of a tile after tile, in each of them column after column.
template<class S>
void pack_rows(const Operand<S>& a, const Block& block, S* to) {
    for (Index i = 0; i < block.rows;) {
        const Index rows = tile_rows(block.rows - i);
        pack(a.transposed(), {block.k0, block.kc, block.i0 + i, rows}, to, rows);
        to += rows * block.kc;
        i += rows;
    }
}

// The rows of a block, columns [j0, j0 + width) of c: one panel. `packed` is the block of a as
// pack_rows leaves it, or null.
template<bool ColumnMajor, class S>
void column_panel(const Product<S>& p, const Block& block, Index j0, Index width, const S* packed) {
    const Tag<S> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const Index panel_width = 2 * lanes;
    HWY_ALIGN S panel[2 * HWY_MAX_BYTES / sizeof(S) * k_depth];
    HWY_ALIGN S edge[2 * HWY_MAX_BYTES / sizeof(S) * k_rows] = {};
    HWY_ALIGN S edge_bias[2 * HWY_MAX_BYTES / sizeof(S)] = {};
    if (width < panel_width) std::fill_n(panel, block.kc * panel_width, S{0});
    pack(p.b, {block.k0, block.kc, j0, width}, panel, panel_width);
    const bool adds = block.k0 > 0 || p.write == Write::add;
    const S* bias = block.k0 == 0 && p.bias != nullptr ? p.bias + j0 : nullptr;
    if (width < panel_width && bias != nullptr) {
        std::copy_n(bias, width, edge_bias);
        bias = edge_bias;
    }
    const Index next = std::min(j0 + panel_width, p.b.cols);
    FetchAhead<S> ahead(p.b, block.k0, block.kc, next, std::min(p.b.cols - next, panel_width));
    const Index share = ahead.left() * static_cast<Index>(k_rows) / block.rows + 1;
    for (Index i = 0; i < block.rows;) {
        ahead.fetch(share);
        const Index rows = tile_rows(block.rows - i);
        const S* a = packed;
        Index a_step = rows;
        if (packed != nullptr) {
            packed += rows * block.kc;
        } else {
            a = p.a.data + (block.i0 + i) * p.a.row_step + block.k0 * p.a.col_step;
            a_step = ColumnMajor ? p.a.col_step : p.a.row_step;
        }
        S* c = p.c.data + (block.i0 + i) * p.c.row_step + j0;
        const auto count = static_cast<std::size_t>(rows);
        i += rows;
        if (width == panel_width) {
            tile_of<ColumnMajor, S, k_rows>(count, a, a_step, block.kc, panel, c, p.c.row_step,
                                            adds, bias);
            continue;
        }
        for (Index r = 0; adds && r < rows; ++r)
            std::copy_n(c + r * p.c.row_step, width, edge + r * panel_width);
        tile_of<ColumnMajor, S, k_rows>(count, a, a_step, block.kc, panel, edge, panel_width, adds,
                                        bias);
        for (Index r = 0; r < rows; ++r)
            std::copy_n(edge + r * panel_width, width, c + r * p.c.row_step);
    }
}

// Columns of c from panel `first` to before panel `last`.
template<class S>
void panels_between(const Product<S>& p, Index first, Index last) {
    const Index panel_width = 2 * static_cast<Index>(hn::Lanes(Tag<S>()));
    const bool packs = last - first >= k_copy_from;
    const bool column_major = packs || (p.a.row_step == 1 && p.a.col_step != 1);
    const Index block_rows = packs ? std::min(k_block_rows, p.a.rows) : p.a.rows;
    HWY_ALIGN S copy[k_block_rows * k_depth];
    for (Index i0 = 0; i0 < p.a.rows; i0 += block_rows) {
        for (Index k0 = 0; k0 < std::max<Index>(p.a.cols, 1); k0 += k_depth) {
            const Block block{i0, std::min(block_rows, p.a.rows - i0), k0,
                              std::min(k_depth, p.a.cols - k0)};
            if (packs) pack_rows(p.a, block, copy);
            const S* packed = packs ? copy : nullptr;
            for (Index n = first; n < last; ++n) {
                const Index j0 = n * panel_width;
                const Index width = std::min(panel_width, p.b.cols - j0);
                if (column_major)
                    column_panel<true>(p, block, j0, width, packed);
                else
                    column_panel<false>(p, block, j0, width, packed);
            }
        }
    }
}

template<class S>
void product(const Product<S>& p, int threads) {
    const Index panel_width = 2 * static_cast<Index>(hn::Lanes(Tag<S>()));
    const Index panels = (p.b.cols + panel_width - 1) / panel_width;
    if (p.a.rows * p.a.cols * p.b.cols < k_thread_from) threads = 1;
    const auto parts = static_cast<int>(std::min<Index>(threads, panels));
    parallel_chunks(parts, panels,
                    [&](int, Index first, Index last) { panels_between(p, first, last); });
}

auto products() {
    return std::make_pair(product<float>, product<double>);
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(products);

template<class S>
void gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias, Write write, int threads) {
    in_precision<S>(HWY_DYNAMIC_DISPATCH(products)())({a, b, c, bias, write}, threads);
}

NORMSCOPE_IN_BOTH_PRECISIONS(gemm);

} // namespace normscope
#endif
