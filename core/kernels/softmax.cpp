#include "core/kernels/softmax.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/softmax.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace normscope::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template<class S>
void softmax(S* row, Index visible, Index size) {
    const hn::ScalableTag<S> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    constexpr S infinity = std::numeric_limits<S>::infinity();
    S largest = -infinity;
    bool is_number = true;
    {
        auto most = hn::Set(d, -infinity);
        auto check = hn::Zero(d);
        Index j = 0;
        for (; j + lanes <= visible; j += lanes) {
            const auto v = hn::LoadU(d, row + j);
            most = hn::Max(v, most);
            // NaN and ∞ leave 0·v = NaN behind.
            check = hn::MulAdd(v, hn::Zero(d), check);
        }
        largest = hn::GetLane(hn::MaxOfLanes(d, most));
        S rest = hn::GetLane(hn::SumOfLanes(d, check));
        for (; j < visible; ++j) {
            largest = std::max(largest, row[j]);
            rest += row[j] * S(0);
        }
        is_number = rest == S(0);
    }
    std::fill(row + visible, row + size, S(0));
    // −∞ alone is a score that softmax takes; anything else not finite has no softmax.
    const bool has_nan = !is_number && std::any_of(row, row + visible, [](S v) {
        return !(v < std::numeric_limits<S>::infinity());
    });
    if (has_nan || largest == -infinity) {
        std::fill(row, row + visible, std::numeric_limits<S>::quiet_NaN());
        return;
    }
    const auto shift = hn::Set(d, largest);
    auto total = hn::Zero(d);
    S sum = 0;
    Index j = 0;
    for (; j + lanes <= visible; j += lanes) {
        const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, row + j), shift));
        hn::StoreU(e, d, row + j);
        total = hn::Add(total, e);
    }
    if (j < visible) {
        HWY_ALIGN S rest[HWY_MAX_BYTES / sizeof(S)] = {};
        for (Index k = j; k < visible; ++k) rest[k - j] = row[k] - largest;
        hn::Store(hn::Exp(d, hn::Load(d, rest)), d, rest);
        for (Index k = j; k < visible; ++k) {
            row[k] = rest[k - j];
            sum += row[k];
        }
    }
    sum += hn::GetLane(hn::SumOfLanes(d, total));
    const S scale = S(1) / sum;
    for (j = 0; j + lanes <= visible; j += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(d, row + j), hn::Set(d, scale)), d, row + j);
    for (; j < visible; ++j) row[j] *= scale;
}

template<class S>
void softmax_backward(const S* p, S* dp, Index size, S scale) {
    const hn::ScalableTag<S> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    auto total = hn::Zero(d);
    Index j = 0;
    for (; j + lanes <= size; j += lanes)
        total = hn::MulAdd(hn::LoadU(d, p + j), hn::LoadU(d, dp + j), total);
    S dot = hn::GetLane(hn::SumOfLanes(d, total));
    for (; j < size; ++j) dot += p[j] * dp[j];
    const auto middle = hn::Set(d, dot);
    const auto factor = hn::Set(d, scale);
    for (j = 0; j + lanes <= size; j += lanes) {
        const auto centred = hn::Sub(hn::LoadU(d, dp + j), middle);
        hn::StoreU(hn::Mul(hn::Mul(hn::LoadU(d, p + j), centred), factor), d, dp + j);
    }
    for (; j < size; ++j) dp[j] = p[j] * (dp[j] - dot) * scale;
}

void softmax_f32(float* row, Index visible, Index size) {
    softmax(row, visible, size);
}
void softmax_f64(double* row, Index visible, Index size) {
    softmax(row, visible, size);
}
void softmax_backward_f32(const float* p, float* dp, Index size, float scale) {
    softmax_backward(p, dp, size, scale);
}
void softmax_backward_f64(const double* p, double* dp, Index size, double scale) {
    softmax_backward(p, dp, size, scale);
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(softmax_f32);
HWY_EXPORT(softmax_f64);
HWY_EXPORT(softmax_backward_f32);
HWY_EXPORT(softmax_backward_f64);

void softmax_row(float* row, Index visible, Index size) {
    HWY_DYNAMIC_DISPATCH(softmax_f32)(row, visible, size);
}
void softmax_row(double* row, Index visible, Index size) {
    HWY_DYNAMIC_DISPATCH(softmax_f64)(row, visible, size);
}
void softmax_row_backward(const float* p, float* dp, Index size, float scale) {
    HWY_DYNAMIC_DISPATCH(softmax_backward_f32)(p, dp, size, scale);
}
void softmax_row_backward(const double* p, double* dp, Index size, double scale) {
    HWY_DYNAMIC_DISPATCH(softmax_backward_f64)(p, dp, size, scale);
}

} // namespace normscope
#endif
