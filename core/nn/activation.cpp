#include "core/nn/activation.h"

#include <cmath>
#include <numbers>

namespace normscope {
namespace {

template<class S>
S normal_cdf(S z) {
    return S(0.5) * (S(1) + std::erf(z / std::numbers::sqrt2_v<S>));
}

template<class S>
S normal_density(S z) {
    constexpr S scale = std::numbers::inv_sqrtpi_v<S> / std::numbers::sqrt2_v<S>;
    return scale * std::exp(S(-0.5) * z * z);
}

} // namespace

template<class S>
void activate(Activation activation, Matrix<S>& z) {
    S* v = z.data();
    const Index n = z.size();
    switch (activation) {
    case Activation::none:
        break;
    case Activation::relu:
        // Written so that NaN passes.
        for (Index i = 0; i < n; ++i) v[i] = v[i] < S(0) ? S(0) : v[i];
        break;
    case Activation::gelu:
        for (Index i = 0; i < n; ++i) v[i] *= normal_cdf(v[i]);
        break;
    case Activation::tanh:
        for (Index i = 0; i < n; ++i) v[i] = std::tanh(v[i]);
        break;
    }
}

template<class S>
void activate_backward(Activation activation, const Matrix<S>& z, const Matrix<S>& y,
                       Matrix<S>& dy) {
    S* d = dy.data();
    const Index n = dy.size();
    switch (activation) {
    case Activation::none:
        break;
    case Activation::relu:
        // φ' = 1 where y > 0. Each dy is read, so that compilers take some at a time.
        for (Index i = 0; i < n; ++i) {
            const S of_y = d[i];
            d[i] = y.data()[i] <= S(0) ? S(0) : of_y;
        }
        break;
    case Activation::gelu:
        // φ' = Φ(z) + z·Φ'(z)
        for (Index i = 0; i < n; ++i) {
            const S v = z.data()[i];
            d[i] *= normal_cdf(v) + v * normal_density(v);
        }
        break;
    case Activation::tanh:
        // φ' = 1 − y²
        for (Index i = 0; i < n; ++i) d[i] *= S(1) - y.data()[i] * y.data()[i];
        break;
    }
}

NORMSCOPE_IN_BOTH_PRECISIONS(activate);
NORMSCOPE_IN_BOTH_PRECISIONS(activate_backward);

} // namespace normscope
