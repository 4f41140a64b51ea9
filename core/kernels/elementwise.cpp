#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/elementwise.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

template<class T>
void map_rows(const RowMap<T>& a, Index begin, Index end, Memory memory) {
    const Tag<T> d;
    for (Index row = begin; row < end; ++row) {
        const T* x = a.x + row * a.cols;
        const V<T> scale = hn::Set(d, a.scale[row * a.stride]);
        const V<T> offset = hn::Set(d, a.offset[row * a.stride]);
        if (memory.around) prefetch(x + a.cols, static_cast<size_t>(a.cols), memory.rows);
        write_row<T>(
            a.y + row * a.cols, static_cast<size_t>(a.cols), memory.around,
            [&](size_t i) HWY_ATTR { return hn::MulAdd(hn::LoadU(d, x + i), scale, offset); },
            [&](size_t i, size_t k)
                HWY_ATTR { return hn::MulAdd(load_part<T>(x + i, k), scale, offset); });
    }
    if (memory.around) hwy::FlushStream();
}

template<class T>
void add_values(const T* x, const T* f, T* z, Index begin, Index end, bool around) {
    const Tag<T> d;
    const T* xs = x + begin;
    const T* fs = f + begin;
    write_row<T>(
        z + begin, static_cast<size_t>(end - begin), around,
        [&](size_t i) HWY_ATTR { return hn::Add(hn::LoadU(d, xs + i), hn::LoadU(d, fs + i)); },
        [&](size_t i, size_t k)
            HWY_ATTR { return hn::Add(load_part<T>(xs + i, k), load_part<T>(fs + i, k)); });
    if (around) hwy::FlushStream();
}

auto row_maps() {
    return std::make_pair(map_rows<float>, map_rows<double>);
}
auto adds() {
    return std::make_pair(add_values<float>, add_values<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(row_maps);
HWY_EXPORT(adds);

constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it

template<class S>
void row_map(const RowMap<S>& a, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(row_maps)());
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Memory memory =
        a.memory.value_or(memory_for(2 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks));
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, memory); });
}

template<class S>
void add(const S* x, const S* f, S* z, Index n, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(adds)());
    const int chunks = useful_threads(threads, n, k_grain);
    const bool around = z != x && z != f && // in place the lines are in the cache already
                        memory_for(3 * n * static_cast<Index>(sizeof(S)) / chunks).around;
    parallel_chunks(chunks, n,
                    [&](int, Index begin, Index end) { kernel(x, f, z, begin, end, around); });
}

template decltype(row_map<float>) row_map<float>;
template decltype(row_map<double>) row_map<double>;
template decltype(add<float>) add<float>;
template decltype(add<double>) add<double>;

} // namespace normscope::kernels
#endif
