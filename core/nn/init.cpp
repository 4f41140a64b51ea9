#include "core/nn/init.h"

#include <cmath>

namespace normscope {
double init_std(const InitRule& rule, Index fan_in, Index fan_out) {
    if (rule.init == Init::normal) return rule.gain * rule.std;
    const Index fans = rule.init == Init::he_normal ? fan_in : fan_in + fan_out;
    return rule.gain * std::sqrt(2.0 / static_cast<double>(fans));
}

template<class S>
Matrix<S> init_weight(const InitRule& rule, Index fan_in, Index fan_out, Random& random) {
    Matrix<S> weight(fan_out, fan_in);
    const double std = init_std(rule, fan_in, fan_out);
    // U(−b, b) has the variance b²/3.
    const double bound = std * std::sqrt(3.0);
    for (Index i = 0; i < weight.size(); ++i) {
        const double value = rule.init == Init::xavier_uniform ? bound * (2 * random.uniform() - 1)
                                                               : std * random.normal();
        weight.data()[i] = static_cast<S>(value);
    }
    return weight;
}

template Matrix<float> init_weight(const InitRule&, Index, Index, Random&);
template Matrix<double> init_weight(const InitRule&, Index, Index, Random&);

} // namespace normscope
