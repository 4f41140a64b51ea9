#include "core/train/optimizer.h"

#include "core/base/in_range.h"
#include "core/kernels/adam.h"

#include <cmath>

namespace normscope {
namespace {

bool is_adaptive(Optimizer kind) {
    return kind == Optimizer::adam || kind == Optimizer::adamw;
}

// The numbers of a step, in the precision S.
template<class S>
kernels::AdamNumbers<S> step_numbers(const OptimizerConfig& c, double learning_rate,
                                     std::int64_t step, double gradient_scale) {
    const auto number = [](double value) { return static_cast<S>(value); };
    const bool decoupled = c.kind == Optimizer::adamw;
    const bool adapts = is_adaptive(c.kind);
    const auto t = static_cast<double>(step);
    return {number(gradient_scale),
            number(decoupled ? 0 : c.weight_decay),
            number(c.beta1),
            number(1 - c.beta1),
            number(c.beta2),
            number(1 - c.beta2),
            number(adapts ? learning_rate / (1 - std::pow(c.beta1, t)) : learning_rate),
            number(adapts ? 1 / std::sqrt(1 - std::pow(c.beta2, t)) : 1),
            number(c.eps),
            number(decoupled ? 1 - learning_rate * c.weight_decay : 1)};
}

template<class S>
void sgd_step(const kernels::AdamNumbers<S>& n, const Parameter<S>& p) {
    for (Index i = 0; i < p.size; ++i)
        p.value[i] -= n.rate * (n.scale * p.gradient[i] + n.decay * p.value[i]);
}

template<class S>
void momentum_step(const kernels::AdamNumbers<S>& n, S momentum, const Parameter<S>& p, S* b) {
    for (Index i = 0; i < p.size; ++i) {
        b[i] = momentum * b[i] + (n.scale * p.gradient[i] + n.decay * p.value[i]);
        p.value[i] -= n.rate * b[i];
    }
}

} // namespace

Result<void> check_optimizer(const OptimizerConfig& c) {
    if (!(c.eps > 0) || !std::isfinite(c.eps))
        return fail("the optimizer's ε must be a finite number above 0; it is {}", c.eps);
    for (const auto& [what, value] : {std::pair("the momentum", c.momentum),
                                      std::pair("β₁", c.beta1), std::pair("β₂", c.beta2)})
        if (!(value >= 0 && value < 1))
            return fail("{} must be from 0 to below 1; it is {}", what, value);
    return in_range("the weight decay", c.weight_decay, 0, 1e3);
}

template<class S>
OptimizerState<S> start_optimizer(const OptimizerConfig& config, Index size) {
    OptimizerState<S> out;
    if (config.kind != Optimizer::sgd) out.first = Vector<S>::Zero(size);
    if (is_adaptive(config.kind)) out.second = Vector<S>::Zero(size);
    return out;
}

template<class S>
double gradient_norm(std::span<const Parameter<S>> parameters) {
    double squares = 0;
    for (const Parameter<S>& p : parameters)
        squares += squared_norm(Eigen::Map<const Vector<S>>(p.gradient, p.size));
    return std::sqrt(squares);
}

double clip_scale(double norm, double most) {
    return std::min(1.0, most / (norm + 1e-6));
}

template<class S>
void optimize(const OptimizerConfig& config, double learning_rate,
              std::span<const Parameter<S>> parameters, OptimizerState<S>& state,
              double gradient_scale) {
    const auto numbers = step_numbers<S>(config, learning_rate, ++state.steps, gradient_scale);
    Index at = 0;
    for (const Parameter<S>& p : parameters) {
        if (config.kind == Optimizer::sgd)
            sgd_step(numbers, p);
        else if (config.kind == Optimizer::momentum)
            momentum_step(numbers, static_cast<S>(config.momentum), p, state.first.data() + at);
        else
            kernels::adam(numbers, p.gradient, p.value, state.first.data() + at,
                          state.second.data() + at, p.size);
        at += p.size;
    }
}

double schedule_factor(const ScheduleConfig& config, Index step) {
    const double count = static_cast<double>(step) + 1;
    const auto warmup = static_cast<double>(config.warmup);
    if (config.kind == Schedule::noam) {
        const double falling = 1 / std::sqrt(count);
        const double rising = config.warmup > 0 ? count * std::pow(warmup, -1.5) : falling;
        return std::min(falling, rising) / std::sqrt(static_cast<double>(config.width));
    }
    const double warm = config.warmup > 0 ? std::min(1.0, count / warmup) : 1;
    if (config.kind == Schedule::constant) return warm;
    const double done = static_cast<double>(step) / static_cast<double>(config.steps);
    return warm * std::max(0.0, 1 - done);
}

NORMSCOPE_IN_BOTH_PRECISIONS(start_optimizer);
NORMSCOPE_IN_BOTH_PRECISIONS(gradient_norm);
NORMSCOPE_IN_BOTH_PRECISIONS(optimize);

} // namespace normscope
