#include "core/kernels/softmax.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/softmax.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/kernels/precision.h"
#include "core/kernels/simd-inl.h"

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

template<class S>
void softmax(S* row, Index visible, Index size) {
    const Tag<S> d;
    const auto n = static_cast<size_t>(visible);
    constexpr S infinity = std::numeric_limits<S>::infinity();
    const V<S> least = hn::Set(d, -infinity);
    V<S> most = least, check = hn::Zero(d);
    for_vectors<S>(n, [&](size_t i, size_t count) HWY_ATTR {
        const V<S> v = load<S>(row + i, count);
        most = hn::Max(hn::IfThenElse(hn::FirstN(d, count), v, least), most);
        check = hn::MulAdd(v, hn::Zero(d), check); // NaN and ∞ leave 0·v = NaN behind
    });
    const S largest = hn::GetLane(hn::MaxOfLanes(d, most));
    const bool finite = sum_lanes(d, check) == S(0);
    std::fill(row + visible, row + size, S(0));
    // −∞ alone is a score that softmax takes; anything else not finite has no softmax.
    const bool has_nan =
        !finite && std::any_of(row, row + visible, [](S v) { return !(v < infinity); });
    if (has_nan || largest == -infinity) {
        std::fill(row, row + visible, std::numeric_limits<S>::quiet_NaN());
        return;
    }
    const V<S> shift = hn::Set(d, largest);
    const auto [sum] = sum_up<S, 1>(n, [&](V<S>* sums, size_t i, size_t count) HWY_ATTR {
        const V<S> e = hn::Exp(d, hn::Sub(load<S>(row + i, count), shift));
        store<S>(e, row + i, count);
        sums[0] = hn::Add(sums[0], first_n<S>(e, count));
    });
    const V<S> scale = hn::Set(d, S(1) / sum);
    for_vectors<S>(n, [&](size_t i, size_t count) HWY_ATTR {
        store<S>(hn::Mul(load<S>(row + i, count), scale), row + i, count);
    });
}

template<class S>
void softmax_backward(const S* p, S* dp, Index size, S scale) {
    const Tag<S> d;
    const auto n = static_cast<size_t>(size);
    const auto [dot] = sum_up<S, 1>(n, [&](V<S>* sums, size_t i, size_t count) HWY_ATTR {
        sums[0] = hn::MulAdd(load<S>(p + i, count), load<S>(dp + i, count), sums[0]);
    });
    const V<S> middle = hn::Set(d, dot);
    const V<S> factor = hn::Set(d, scale);
    for_vectors<S>(n, [&](size_t i, size_t count) HWY_ATTR {
        const V<S> centred = hn::Sub(load<S>(dp + i, count), middle);
        store<S>(hn::Mul(hn::Mul(load<S>(p + i, count), centred), factor), dp + i, count);
    });
}

auto softmaxes() {
    return std::make_pair(softmax<float>, softmax<double>);
}
auto softmax_backwards() {
    return std::make_pair(softmax_backward<float>, softmax_backward<double>);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {
namespace kernels {
HWY_EXPORT(softmaxes);
HWY_EXPORT(softmax_backwards);
} // namespace kernels

template<class S>
void softmax_row(S* row, Index visible, Index size) {
    using namespace kernels;
    in_precision<S>(HWY_DYNAMIC_DISPATCH(softmaxes)())(row, visible, size);
}
template<class S>
void softmax_row_backward(const S* p, S* dp, Index size, S scale) {
    using namespace kernels;
    in_precision<S>(HWY_DYNAMIC_DISPATCH(softmax_backwards)())(p, dp, size, scale);
}

NORMSCOPE_IN_BOTH_PRECISIONS(softmax_row);
NORMSCOPE_IN_BOTH_PRECISIONS(softmax_row_backward);

} // namespace normscope
#endif
