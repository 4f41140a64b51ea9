#include "core/kernels/sparse_gemm.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

// Row by row: c(i, ·) = Σ_k a(i, k)·b(k, ·) over the k where a(i, k) is not 0. A panel of b,
// k_depth rows × up to k_registers registers wide, is copied into the first-level cache; the part
// of c's row above it stays in registers. Which k those are is a word of bits a row and panel
// depth: to step from bit to bit asks less of memory than a list of places, and memory is what it
// waits for.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/sparse_gemm.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/base/parallel.h"
#include "core/kernels/pack-inl.h"

#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>

#ifndef NORMSCOPE_NN_SPARSE_GEMM_ONCE
#define NORMSCOPE_NN_SPARSE_GEMM_ONCE
namespace normscope {
namespace {

constexpr Index k_row_block = 512;        // rows of a that share a copy of a panel
constexpr Index k_panel_bytes = 24 << 10; // of the first-level cache's 32 kB
constexpr Index k_line = 64;              // bytes
// Smaller products (multiply-adds) and fewer zeros are quicker with every value.
constexpr Index k_from = 1 << 21;
constexpr double k_zeros_from = 0.35;
constexpr Index k_sample = 16; // every so many-th row is looked at for zeros
constexpr Index k_band = 8;    // rows of cᵀ that are written side by side: the ways of a cache
constexpr Index k_grain = 16;  // rows a thread

template<class S>
struct SparseProduct {
    Operand<S> a;
    Operand<S> b;
    Target<S> c;
    const S* bias;
    Turned turned;
};

} // namespace
} // namespace normscope
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope {
namespace HWY_NAMESPACE {

// As many sums as registers hold beside a value of a; b is read from memory.
constexpr std::size_t k_registers = 12;

// A word of bits, and what fits the panel.
template<class S>
Index panel_depth() {
    const auto row_bytes = static_cast<Index>(k_registers * hn::Lanes(Tag<S>()) * sizeof(S));
    return std::min<Index>(64, k_panel_bytes / row_bytes);
}

// to ← from + Σ row[k]·panel[k] over the bits k, `V` registers wide.
template<class S, std::size_t... V>
void add_row(std::index_sequence<V...>, const S* row, std::uint64_t bits, const S* panel,
             Index panel_width, const S* from, S* to) {
    const Tag<S> d;
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<Tag<S>> sum[sizeof...(V)];
    ((sum[V] = hn::LoadU(d, from + V * lanes)), ...);
    for (; bits != 0; bits &= bits - 1) {
        const Index k = std::countr_zero(bits);
        const auto value = hn::Set(d, row[k]);
        const S* b = panel + k * panel_width;
        ((sum[V] = hn::MulAdd(value, hn::Load(d, b + V * lanes), sum[V])), ...);
    }
    (hn::StoreU(sum[V], d, to + V * lanes), ...);
}

template<class S, std::size_t Registers = k_registers>
void add_row_of(std::size_t registers, const S* row, std::uint64_t bits, const S* panel,
                Index panel_width, const S* from, S* to) {
    if (registers == Registers) {
        add_row<S>(std::make_index_sequence<Registers>(), row, bits, panel, panel_width, from, to);
    } else if constexpr (Registers > 1) {
        add_row_of<S, Registers - 1>(registers, row, bits, panel, panel_width, from, to);
    }
}

// Bit k: row[k] is not 0, or NaN. n: at most 64.
template<class S>
std::uint64_t non_zeros(const S* row, Index n) {
    const Tag<S> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    std::uint64_t bits = 0;
    Index k = 0;
    for (; k + lanes <= n; k += lanes) {
        std::uint64_t some = 0;
        // Not(Eq), as Ne is false of NaN on some targets.
        hn::StoreMaskBits(d, hn::Not(hn::Eq(hn::LoadU(d, row + k), hn::Zero(d))),
                          reinterpret_cast<std::uint8_t*>(&some));
        bits |= some << k;
    }
    for (; k < n; ++k) bits |= std::uint64_t{row[k] != S{0}} << k;
    return bits;
}

// n: a multiple of a register's values.
template<class S>
bool all_finite(const S* values, Index n) {
    const Tag<S> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const auto zero = hn::Zero(d);
    // 0·v is NaN where v is not finite. Two sums, so that they need not wait for each other.
    auto odd = zero;
    auto even = zero;
    Index i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        even = hn::MulAdd(hn::Load(d, values + i), zero, even);
        odd = hn::MulAdd(hn::Load(d, values + i + lanes), zero, odd);
    }
    if (i < n) even = hn::MulAdd(hn::Load(d, values + i), zero, even);
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd))) == S{0};
}

// Sums of the rows of a from i0 on to c, or to cᵀ.
template<class S>
void write_rows(const SparseProduct<S>& p, Index i0, const Operand<S>& sums) {
    if (p.turned == Turned::no) {
        pack(sums, {0, sums.rows, 0, sums.cols}, p.c.data + i0 * p.c.row_step, p.c.row_step);
        return;
    }
    for (Index j = 0; j < sums.cols; j += k_band) {
        pack(sums.transposed(), {j, std::min(k_band, sums.cols - j), 0, sums.rows},
             p.c.data + j * p.c.row_step + i0, p.c.row_step);
    }
}

// Rows [first, last) of a·b; false where b is not finite.
template<class S>
bool rows_between(const SparseProduct<S>& p, Index first, Index last) {
    const auto lanes = static_cast<Index>(hn::Lanes(Tag<S>()));
    const Index depth = panel_depth<S>();
    // As few panels as can be, of about one width.
    const Index registers = (p.b.cols + lanes - 1) / lanes;
    const auto panels = static_cast<int>((registers + static_cast<Index>(k_registers) - 1) /
                                         static_cast<Index>(k_registers));
    const Index panel_width = (registers + panels - 1) / panels * lanes;
    // Beside c where its rows are not those of a·b or end within a register. A line longer than
    // needed: rows a power of two apart would share a few lines of the cache.
    const bool beside = p.turned == Turned::yes || p.b.cols % lanes != 0;
    const Index sums_step = registers * lanes + k_line / static_cast<Index>(sizeof(S));
    const bool by_columns = p.a.col_step != 1;
    const auto room = [](Index n) {
        return hwy::AllocateAligned<S>(static_cast<std::size_t>(std::max<Index>(n, 1)));
    };
    const auto panel = room(depth * panel_width);
    const auto copy = room(by_columns ? k_row_block * depth : 0);
    const auto sums = room(beside ? k_row_block * sums_step : 0);
    const auto start = room(registers * lanes);
    std::fill_n(start.get(), registers * lanes, S{0});
    if (p.bias != nullptr) std::copy_n(p.bias, p.b.cols, start.get());
    std::uint64_t bits[k_row_block];
    for (Index i0 = first; i0 < last; i0 += k_row_block) {
        const Index rows = std::min(k_row_block, last - i0);
        const Target<S> c = beside ? Target<S>{sums.get(), sums_step}
                                   : Target<S>{p.c.data + i0 * p.c.row_step, p.c.row_step};
        for (Index k0 = 0; k0 < p.a.cols; k0 += depth) {
            const Index kc = std::min(depth, p.a.cols - k0);
            if (by_columns) pack(p.a, {i0, rows, k0, kc}, copy.get(), depth);
            const S* a = by_columns ? copy.get() : p.a.data + i0 * p.a.row_step + k0;
            const Index a_step = by_columns ? depth : p.a.row_step;
            for (Index i = 0; i < rows; ++i) bits[i] = non_zeros(a + i * a_step, kc);
            for (int n = 0; n < panels; ++n) {
                const Index j0 = chunk_begin(registers, n, panels) * lanes;
                const Index j1 = chunk_begin(registers, n + 1, panels) * lanes;
                const Index width = std::min(j1, p.b.cols) - j0;
                if (width < panel_width) std::fill_n(panel.get(), kc * panel_width, S{0});
                pack(p.b, {k0, kc, j0, width}, panel.get(), panel_width);
                if (!all_finite(panel.get(), kc * panel_width)) return false;
                for (Index i = 0; i < rows; ++i) {
                    S* to = c.data + i * c.row_step + j0;
                    add_row_of(static_cast<std::size_t>((j1 - j0) / lanes), a + i * a_step, bits[i],
                               panel.get(), panel_width, k0 == 0 ? start.get() + j0 : to, to);
                }
            }
        }
        if (beside) write_rows<S>(p, i0, {sums.get(), rows, p.b.cols, sums_step, 1});
    }
    return true;
}

template<class S>
bool product(const SparseProduct<S>& p, int threads) {
    std::atomic<bool> finite = true;
    parallel_chunks(useful_threads(threads, p.a.rows, k_grain), p.a.rows,
                    [&](int, Index first, Index last) {
                        if (!rows_between(p, first, last)) finite = false;
                    });
    return finite;
}

bool sparse_f32(const SparseProduct<float>& p, int threads) {
    return product(p, threads);
}
bool sparse_f64(const SparseProduct<double>& p, int threads) {
    return product(p, threads);
}

} // namespace HWY_NAMESPACE
} // namespace normscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {
namespace {

// Whether so many values of a are 0 that passing over them pays: by a sample.
template<class S>
bool has_zeros(const Operand<S>& a) {
    const Operand<S> lines = a.col_step == 1 ? a : a.transposed();
    Index zeros = 0;
    Index seen = 0;
    for (Index i = 0; i < lines.rows; i += k_sample) {
        const S* line = lines.data + i * lines.row_step;
        zeros += std::count(line, line + lines.cols, S{0});
        seen += lines.cols;
    }
    return static_cast<double>(zeros) >= k_zeros_from * static_cast<double>(seen);
}

} // namespace

HWY_EXPORT(sparse_f32);
HWY_EXPORT(sparse_f64);

template<class S>
bool sparse_gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias, Turned turned,
                 int threads) {
    if (a.rows * a.cols * b.cols < k_from || !has_zeros(a)) return false;
    if constexpr (std::is_same_v<S, float>) {
        return HWY_DYNAMIC_DISPATCH(sparse_f32)({a, b, c, bias, turned}, threads);
    } else {
        return HWY_DYNAMIC_DISPATCH(sparse_f64)({a, b, c, bias, turned}, threads);
    }
}

template bool sparse_gemm(Operand<float>, Operand<float>, Target<float>, const float*, Turned, int);
template bool sparse_gemm(Operand<double>, Operand<double>, Target<double>, const double*, Turned,
                          int);

} // namespace normscope
#endif
