#include "core/kernels/adam.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/adam.cpp"
#include <hwy/foreach_target.h>

#include "core/kernels/precision.h"
#include "core/kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

template<class T>
void adam_values(const AdamNumbers<T>& a, const T* g, T* p, T* m, T* v, Index count) {
    const Tag<T> d;
    const V<T> scale = hn::Set(d, a.scale), decay = hn::Set(d, a.decay);
    const V<T> beta1 = hn::Set(d, a.beta1), rest1 = hn::Set(d, a.rest1);
    const V<T> beta2 = hn::Set(d, a.beta2), rest2 = hn::Set(d, a.rest2);
    const V<T> rate = hn::Set(d, a.rate), root = hn::Set(d, a.root);
    const V<T> eps = hn::Set(d, a.eps), shrink = hn::Set(d, a.shrink);
    for_vectors<T>(static_cast<size_t>(count), [&](size_t i, size_t lanes) HWY_ATTR {
        const V<T> value = load<T>(p + i, lanes);
        const V<T> own = hn::MulAdd(decay, value, hn::Mul(scale, load<T>(g + i, lanes)));
        const V<T> mean = hn::MulAdd(rest1, own, hn::Mul(beta1, load<T>(m + i, lanes)));
        const V<T> square =
            hn::MulAdd(hn::Mul(rest2, own), own, hn::Mul(beta2, load<T>(v + i, lanes)));
        const V<T> size = hn::MulAdd(hn::Sqrt(square), root, eps);
        const V<T> step = hn::Div(hn::Mul(rate, mean), size);
        store<T>(hn::MulSub(shrink, value, step), p + i, lanes);
        store<T>(mean, m + i, lanes);
        store<T>(square, v + i, lanes);
    });
}

auto adam_kernels() {
    return std::make_pair(adam_values<float>, adam_values<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(adam_kernels);

template<class S>
void adam(const AdamNumbers<S>& a, const S* g, S* p, S* m, S* v, Index n) {
    in_precision<S>(HWY_DYNAMIC_DISPATCH(adam_kernels)())(a, g, p, m, v, n);
}

NORMSCOPE_IN_BOTH_PRECISIONS(adam);

} // namespace normscope::kernels
#endif
