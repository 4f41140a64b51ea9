#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/random.h"

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

// The standard deviation that `rule` gives.
double init_std(const InitRule& rule, Index fan_in, Index fan_out);

// fan_out×fan_in weights (PyTorch's layout), drawn row by row. float gets the same numbers rounded.
template<class S>
Matrix<S> init_weight(const InitRule& rule, Index fan_in, Index fan_out, Random& random);

} // namespace normscope
