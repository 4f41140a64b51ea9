#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/elementwise.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/norms.h"
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

} // namespace

void row_map_f32(const RowMap<float>& a, Index begin, Index end, Memory memory) {
    map_rows<float>(a, begin, end, memory);
}
void row_map_f64(const RowMap<double>& a, Index begin, Index end, Memory memory) {
    map_rows<double>(a, begin, end, memory);
}
void add_f32(const float* x, const float* f, float* z, Index begin, Index end, bool around) {
    add_values<float>(x, f, z, begin, end, around);
}
void add_f64(const double* x, const double* f, double* z, Index begin, Index end, bool around) {
    add_values<double>(x, f, z, begin, end, around);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(row_map_f32);
HWY_EXPORT(row_map_f64);
HWY_EXPORT(add_f32);
HWY_EXPORT(add_f64);

constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it

template<class S, class Kernel>
void run_map(const RowMap<S>& a, int threads, Kernel kernel) {
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Memory memory =
        a.memory.value_or(memory_for(2 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks));
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, memory); });
}

template<class S, class Kernel>
void run_add(const S* x, const S* f, S* z, Index n, int threads, Kernel kernel) {
    const int chunks = useful_threads(threads, n, k_grain);
    const bool around = z != x && z != f && // in place the lines are in the cache already
                        memory_for(3 * n * static_cast<Index>(sizeof(S)) / chunks).around;
    parallel_chunks(chunks, n,
                    [&](int, Index begin, Index end) { kernel(x, f, z, begin, end, around); });
}

} // namespace

void row_map(const RowMap<float>& a, int threads) {
    run_map(a, threads, HWY_DYNAMIC_DISPATCH(row_map_f32));
}
void row_map(const RowMap<double>& a, int threads) {
    run_map(a, threads, HWY_DYNAMIC_DISPATCH(row_map_f64));
}
void add(const float* x, const float* f, float* z, Index n, int threads) {
    run_add(x, f, z, n, threads, HWY_DYNAMIC_DISPATCH(add_f32));
}
void add(const double* x, const double* f, double* z, Index n, int threads) {
    run_add(x, f, z, n, threads, HWY_DYNAMIC_DISPATCH(add_f64));
}

} // namespace normscope::kernels
#endif
