#include "core/kernels/bin_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/bin_index.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/kernels/precision.h"

#include <hwy/highway.h>

#ifndef NORMSCOPE_STATS_BIN_INDEX_ONCE
#define NORMSCOPE_STATS_BIN_INDEX_ONCE
namespace normscope::detail {
namespace {

// Position of x in units of bins, plus one: (x − origin)·scale + shift; bin i is [i+1, i+2).
// `origin` is lo rounded to S and `shift` makes up for it, so that x − origin is exact when
// the range is narrow beside its offset.
template<class S>
struct BinScale {
    S origin;
    S scale;
    S shift;
    S bins;
    S tolerance; // a position this close to a whole number must be compared with the edge
};

// Bins with their edges, as bin_indices needs them. thresholds[e] is the least S whose index is at
// least e: the edge e−1 rounded up, so that comparing in S decides as comparing in double would.
template<class S>
struct Bins {
    BinScale<S> scale;
    const S* thresholds;
};

} // namespace
} // namespace normscope::detail
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Index of each value as BinCounts defines it.
template<class S>
void bin_indices(const S* x, std::size_t n, const Bins<S>& bins, std::int32_t* out) {
    const hn::ScalableTag<S> d;
    const hn::RebindToSigned<decltype(d)> ds;
    const hn::Rebind<std::int32_t, decltype(d)> di;
    const std::size_t lanes = hn::Lanes(d);
    const auto origin = hn::Set(d, bins.scale.origin);
    const auto factor = hn::Set(d, bins.scale.scale);
    const auto shift = hn::Set(d, bins.scale.shift);
    const auto top = hn::Set(d, bins.scale.bins + S{1});
    const auto nan_index = hn::Set(d, bins.scale.bins + S{2});
    const auto tolerance = hn::Set(d, bins.scale.tolerance);
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, S{1});
    const auto store = [&](auto whole, std::int32_t* to) {
        if constexpr (std::is_same_v<S, float>)
            hn::StoreU(hn::ConvertTo(di, whole), di, to);
        else
            hn::StoreU(hn::DemoteTo(di, whole), di, to);
    };
    const auto place = [&](auto v, std::int32_t* to) {
        const auto position = hn::MulAdd(hn::Sub(v, origin), factor, shift);
        const auto placed = hn::Min(hn::Max(position, zero), top);
        const auto clear = hn::Ge(hn::Abs(hn::Sub(position, hn::Round(position))), tolerance);
        if (HWY_LIKELY(hn::AllTrue(d, clear))) {
            store(placed, to);
            return;
        }
        // Some lane is within rounding of an edge or not finite: the nearest edge decides for all.
        const auto is_nan = hn::IsNaN(v);
        const auto edge = hn::Round(hn::IfThenElse(is_nan, zero, placed));
        const auto threshold = hn::GatherIndex(d, bins.thresholds, hn::ConvertTo(ds, edge));
        const auto index = hn::IfThenElse(hn::Ge(v, threshold), edge, hn::Sub(edge, one));
        store(hn::IfThenElse(is_nan, nan_index, index), to);
    };
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) place(hn::LoadU(d, x + i), out + i);
    if (i == n) return;
    alignas(64) S rest[HWY_MAX_BYTES / sizeof(S)] = {};
    alignas(64) std::int32_t rest_index[HWY_MAX_BYTES / sizeof(S)];
    std::copy(x + i, x + n, rest);
    place(hn::Load(d, rest), rest_index);
    std::copy_n(rest_index, n - i, out + i);
}

auto bin_index_kernels() {
    return std::make_pair(bin_indices<float>, bin_indices<double>);
}

} // namespace normscope::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::detail {

HWY_EXPORT(bin_index_kernels);

namespace {

// The least P that is not below `edge`.
template<class P>
P round_up(double edge) {
    const P nearest = static_cast<P>(edge);
    if (static_cast<double>(nearest) >= edge) return nearest;
    return std::nextafter(nearest, std::numeric_limits<P>::infinity());
}

template<class P>
std::vector<P> thresholds_of(std::span<const double> edges) {
    constexpr P infinity = std::numeric_limits<P>::infinity();
    std::vector<P> thresholds{-infinity};
    for (const double edge : edges) thresholds.push_back(round_up<P>(edge));
    // The last bin includes its right edge.
    if (static_cast<double>(thresholds.back()) == edges.back())
        thresholds.back() = std::nextafter(thresholds.back(), infinity);
    return thresholds;
}

// Numbers so small or large that float arithmetic would overflow or lose them are placed in double.
template<class S>
bool fits(double lo, double scale, double bins) {
    if constexpr (std::is_same_v<S, double>)
        return std::isfinite(scale);
    else
        return std::abs(lo) < 1e30 && scale < 1e30 && scale > 1e-30 && bins < 65536;
}

// A table of its own for every fourth value: equal neighbours do not wait for each other's store.
constexpr std::size_t k_tables = 4;
constexpr Index k_block = 1024;
// Tables are flushed before 32 bits could overflow.
constexpr Index k_flush = Index{1} << 30;

template<class P, class S>
void count_into(BinCounts& counts, Sample<S> sample, std::span<const double> edges) {
    const auto bins = edges.size() - 1;
    const double lo = edges.front();
    const double scale = static_cast<double>(bins) / (edges.back() - lo);
    BinScale<P> placing{static_cast<P>(lo), static_cast<P>(scale), 0, static_cast<P>(bins), 0};
    placing.shift = static_cast<P>((static_cast<double>(placing.origin) - lo) * scale + 1.0);
    // Four roundings (difference, factor, product, shift), each half an ulp of the position.
    placing.tolerance =
        static_cast<P>(bins + 2) * 3 * std::numeric_limits<P>::epsilon() + static_cast<P>(1e-12);

    const std::vector<P> thresholds = thresholds_of<P>(edges);
    const Bins<P> table{placing, thresholds.data()};

    const std::size_t row = bins + 3;
    std::vector<std::uint32_t> tables(row * k_tables, 0);
    const auto flush = [&] {
        for (std::size_t t = 0; t < k_tables; ++t)
            for (std::size_t i = 0; i < row; ++i) counts[i] += tables[t * row + i];
        std::fill(tables.begin(), tables.end(), 0u);
    };
    std::uint32_t* const t0 = tables.data();
    std::uint32_t* const t1 = t0 + row;
    std::uint32_t* const t2 = t1 + row;
    std::uint32_t* const t3 = t2 + row;
    const auto indices_of = in_precision<P>(HWY_DYNAMIC_DISPATCH(bin_index_kernels)());
    std::array<P, k_block> gathered;
    std::array<std::int32_t, k_block> index;
    Index since_flush = 0;
    for (Index start = 0; start < sample.size; start += k_block) {
        const Index n = std::min(k_block, sample.size - start);
        const S* values = sample.data + start * sample.stride;
        const P* block = gathered.data();
        if constexpr (std::is_same_v<P, S>) {
            if (sample.stride == 1) block = values;
        }
        if (block == gathered.data())
            for (Index i = 0; i < n; ++i)
                gathered[static_cast<std::size_t>(i)] = static_cast<P>(values[i * sample.stride]);
        const auto size = static_cast<std::size_t>(n);
        indices_of(block, size, table, index.data());
        std::size_t i = 0;
        for (; i + k_tables <= size; i += k_tables) {
            ++t0[index[i]];
            ++t1[index[i + 1]];
            ++t2[index[i + 2]];
            ++t3[index[i + 3]];
        }
        for (; i < size; ++i) ++t0[index[i]];
        since_flush += n;
        if (since_flush >= k_flush) {
            flush();
            since_flush = 0;
        }
    }
    flush();
}

} // namespace

template<class S>
BinCounts count_equal(Sample<S> sample, std::span<const double> edges) {
    const auto bins = static_cast<double>(edges.size() - 1);
    BinCounts counts(edges.size() + 2, 0);
    if (fits<S>(edges.front(), bins / (edges.back() - edges.front()), bins))
        count_into<S>(counts, sample, edges);
    else
        count_into<double>(counts, sample, edges);
    return counts;
}

template BinCounts count_equal(Sample<float>, std::span<const double>);
template BinCounts count_equal(Sample<double>, std::span<const double>);

} // namespace normscope::detail
#endif
