#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/support/copy_loop.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/simd-inl.h"
#include "tests/bench/support/copy_loop.h"

#include <hwy/cache_control.h> // FlushStream

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

// Returns a sum of what was read, so that reading cannot be left out.
float copy_range(const bench::CopyLoop& a, Index begin, Index end) {
    const Tag<float> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    V<float> s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    if (a.twice)
        for (const float* in : a.in)
            for (Index i = begin; i + 4 * lanes <= end; i += 4 * lanes) {
                s0 = hn::Add(s0, hn::Load(d, in + i));
                s1 = hn::Add(s1, hn::Load(d, in + i + lanes));
                s2 = hn::Add(s2, hn::Load(d, in + i + 2 * lanes));
                s3 = hn::Add(s3, hn::Load(d, in + i + 3 * lanes));
            }
    const float* first = a.in[0];
    const float* second = a.in.size() > 1 ? a.in[1] : nullptr;
    float* to = a.out[0];
    float* also = a.out.size() > 1 ? a.out[1] : nullptr;
    for (Index i = begin; i < end; i += lanes) {
        V<float> v = hn::Load(d, first + i);
        if (second) v = hn::Add(v, hn::Load(d, second + i));
        if (a.around) {
            hn::Stream(v, d, to + i);
            if (also) hn::Stream(v, d, also + i);
        } else {
            hn::Store(v, d, to + i);
            if (also) hn::Store(v, d, also + i);
        }
    }
    if (a.around) hwy::FlushStream();
    return sum_lanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)));
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
HWY_EXPORT(copy_range);

void copy_with(const bench::CopyLoop& loop, int threads) {
    constexpr Index line = 16;
    const Index lines = (loop.values + line - 1) / line; // arrays are padded to whole cache lines
    const int chunks = useful_threads(threads, loop.values, 24 * 1024);
    const auto kernel = HWY_DYNAMIC_DISPATCH(copy_range);
    parallel_chunks(chunks, lines, [&](int, Index begin, Index end) {
        volatile float seen = kernel(loop, begin * line, end * line);
        static_cast<void>(seen);
    });
}

} // namespace normscope::kernels

namespace normscope::bench {
void copy_loop(const CopyLoop& loop, int threads) {
    kernels::copy_with(loop, threads);
}
} // namespace normscope::bench
#endif
