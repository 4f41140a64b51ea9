#include "core/train/optimizer.h"

#include "core/base/dot.h"
#include "core/base/in_range.h"

#include <array>
#include <cmath>
#include <string>

namespace normscope {
namespace {

constexpr std::array<Choice<Optimizer>, 4> k_optimizers{{
    {Optimizer::sgd, "sgd", "SGD"},
    {Optimizer::momentum, "momentum", "Momentum"},
    {Optimizer::adam, "adam", "Adam"},
    {Optimizer::adamw, "adamw", "AdamW"},
}};

bool is_adaptive(Optimizer kind) {
    return kind == Optimizer::adam || kind == Optimizer::adamw;
}

// The numbers of a step, in its precision.
template<class S>
struct StepNumbers {
    S scale;    // of the gradient
    S decay;    // w where it is added to the gradient, else 0
    S rate;     // η, of adam η/(1−β₁ᵗ)
    S momentum; // μ
    S beta1, rest1, beta2, rest2;
    S root;   // √(1−β₂ᵗ)
    S eps;    // ε
    S shrink; // what adamw multiplies p by

    StepNumbers(const OptimizerConfig& c, double learning_rate, std::int64_t step,
                double gradient_scale)
        : scale(static_cast<S>(gradient_scale)),
          decay(static_cast<S>(c.kind == Optimizer::adamw ? 0 : c.weight_decay)),
          rate(static_cast<S>(learning_rate)), momentum(static_cast<S>(c.momentum)),
          beta1(static_cast<S>(c.beta1)), rest1(static_cast<S>(1 - c.beta1)),
          beta2(static_cast<S>(c.beta2)), rest2(static_cast<S>(1 - c.beta2)), root(1),
          eps(static_cast<S>(c.eps)), shrink(1) {
        if (!is_adaptive(c.kind)) return;
        const auto t = static_cast<double>(step);
        rate = static_cast<S>(learning_rate / (1 - std::pow(c.beta1, t)));
        root = static_cast<S>(std::sqrt(1 - std::pow(c.beta2, t)));
        if (c.kind == Optimizer::adamw) shrink = static_cast<S>(1 - learning_rate * c.weight_decay);
    }
};

template<class S>
void sgd_step(const StepNumbers<S>& n, const Parameter<S>& p) {
    for (Index i = 0; i < p.size; ++i)
        p.value[i] -= n.rate * (n.scale * p.gradient[i] + n.decay * p.value[i]);
}

template<class S>
void momentum_step(const StepNumbers<S>& n, const Parameter<S>& p, S* b) {
    for (Index i = 0; i < p.size; ++i) {
        b[i] = n.momentum * b[i] + (n.scale * p.gradient[i] + n.decay * p.value[i]);
        p.value[i] -= n.rate * b[i];
    }
}

template<class S>
void adam_step(const StepNumbers<S>& n, const Parameter<S>& p, S* m, S* v) {
    for (Index i = 0; i < p.size; ++i) {
        const S g = n.scale * p.gradient[i] + n.decay * p.value[i];
        m[i] = n.beta1 * m[i] + n.rest1 * g;
        v[i] = n.beta2 * v[i] + n.rest2 * g * g;
        p.value[i] = n.shrink * p.value[i] - n.rate * m[i] / (std::sqrt(v[i]) / n.root + n.eps);
    }
}

} // namespace

std::span<const Choice<Optimizer>> choices(Optimizer) {
    return k_optimizers;
}

Result<void> check_optimizer(const OptimizerConfig& c) {
    if (!(c.eps > 0) || !std::isfinite(c.eps))
        return fail("the optimizer's ε must be a finite number above 0; it is " +
                    std::to_string(c.eps));
    for (const auto& [what, value] : {std::pair("the momentum", c.momentum),
                                      std::pair("β₁", c.beta1), std::pair("β₂", c.beta2)})
        if (!(value >= 0 && value < 1))
            return fail(std::string(what) + " must be from 0 to below 1; it is " +
                        std::to_string(value));
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
    for (const Parameter<S>& p : parameters) {
        const Eigen::Map<const Vector<S>> gradient(p.gradient, p.size);
        squares += dot(gradient, gradient);
    }
    return std::sqrt(squares);
}

double clip_scale(double norm, double most) {
    return std::min(1.0, most / (norm + 1e-6));
}

template<class S>
void optimize(const OptimizerConfig& config, double learning_rate,
              std::span<const Parameter<S>> parameters, OptimizerState<S>& state,
              double gradient_scale) {
    const StepNumbers<S> numbers(config, learning_rate, ++state.steps, gradient_scale);
    Index at = 0;
    for (const Parameter<S>& p : parameters) {
        if (config.kind == Optimizer::sgd)
            sgd_step(numbers, p);
        else if (config.kind == Optimizer::momentum)
            momentum_step(numbers, p, state.first.data() + at);
        else
            adam_step(numbers, p, state.first.data() + at, state.second.data() + at);
        at += p.size;
    }
}

template OptimizerState<float> start_optimizer(const OptimizerConfig&, Index);
template OptimizerState<double> start_optimizer(const OptimizerConfig&, Index);
template double gradient_norm(std::span<const Parameter<float>>);
template double gradient_norm(std::span<const Parameter<double>>);
template void optimize(const OptimizerConfig&, double, std::span<const Parameter<float>>,
                       OptimizerState<float>&, double);
template void optimize(const OptimizerConfig&, double, std::span<const Parameter<double>>,
                       OptimizerState<double>&, double);

} // namespace normscope
