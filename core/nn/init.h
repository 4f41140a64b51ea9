#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/random.h"

#include <cmath>
#include <cstdint>

namespace normscope {

// How weights start. With fan_in inputs and fan_out outputs of a layer:
//   xavier_normal   N(0, 2/(fan_in + fan_out))                  Glorot, Bengio 2010
//   xavier_uniform  U(±√(6/(fan_in + fan_out)))                 Glorot, Bengio 2010, eq. 16
//   he_normal       N(0, 2/fan_in)                              He et al. 2015, eq. 10
//   normal          N(0, s²), s given                           GPT-2 uses s = 0.02
enum class Init : std::uint8_t { xavier_normal, xavier_uniform, he_normal, normal };
template<>
inline constexpr std::array<Choice<Init>, 4> k_choices<Init>{{
    {Init::xavier_normal, "xavier-normal", "Xavier normal"},
    {Init::xavier_uniform, "xavier-uniform", "Xavier uniform"},
    {Init::he_normal, "he-normal", "He normal"},
    {Init::normal, "normal", "Normal"},
}};

struct InitRule {
    Init init = Init::xavier_normal;
    double gain = 1;   // multiplies every weight
    double std = 0.02; // s of Init::normal

    bool operator==(const InitRule&) const = default;
};

// fan_out×fan_in weights (PyTorch's layout), drawn row by row. float gets the same numbers rounded.
template<class S>
Matrix<S> init_weight(const InitRule& rule, Index fan_in, Index fan_out, Random& random) {
    Matrix<S> weight(fan_out, fan_in);
    const Index fans = rule.init == Init::he_normal ? fan_in : fan_in + fan_out;
    const double std =
        rule.gain *
        (rule.init == Init::normal ? rule.std : std::sqrt(2.0 / static_cast<double>(fans)));
    // U(−b, b) has the variance b²/3.
    const double bound = std * std::sqrt(3.0);
    for (Index i = 0; i < weight.size(); ++i) {
        const double value = rule.init == Init::xavier_uniform ? bound * (2 * random.uniform() - 1)
                                                               : std * random.normal();
        weight.data()[i] = static_cast<S>(value);
    }
    return weight;
}

} // namespace normscope
