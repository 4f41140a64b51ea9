#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>

namespace normscope {

// How a step goes from a gradient g to new parameters p, with the formulas of torch.optim. η is the
// learning rate, w the weight decay, t counts the steps from 1:
//   sgd       p ← p − η·g                       g ← g + w·p first
//   momentum  b ← μ·b + g,  p ← p − η·b         g ← g + w·p first; b starts at 0
//   adam      m ← β₁·m + (1−β₁)·g,  v ← β₂·v + (1−β₂)·g²       Kingma, Ba 2015, algorithm 1
//             p ← p − η/(1−β₁ᵗ) · m/(√v/√(1−β₂ᵗ) + ε)          g ← g + w·p first
//   adamw     p ← p·(1 − η·w), then as adam with the plain g   Loshchilov, Hutter 2019, algorithm 2
enum class Optimizer : std::uint8_t { sgd, momentum, adam, adamw };
template<>
inline constexpr std::array<Choice<Optimizer>, 4> k_choices<Optimizer>{{
    {Optimizer::sgd, "sgd", "SGD"},
    {Optimizer::momentum, "momentum", "Momentum"},
    {Optimizer::adam, "adam", "Adam"},
    {Optimizer::adamw, "adamw", "AdamW"},
}};

struct OptimizerConfig {
    Optimizer kind = Optimizer::sgd;
    double momentum = 0.9; // μ
    double beta1 = 0.9, beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0; // w

    bool operator==(const OptimizerConfig&) const = default;
};

// Errors: a number out of its range, with the range.
Result<void> check_optimizer(const OptimizerConfig& config);

// A tensor's values and the gradient of the loss by them, `size` of each.
template<class S>
struct Parameter {
    S* value = nullptr;
    const S* gradient = nullptr;
    Index size = 0;
};

// An optimizer's memory, of all parameters one after the other; empty where it keeps nothing.
template<class S>
struct OptimizerState {
    std::int64_t steps = 0;
    Vector<S> first;  // b or m
    Vector<S> second; // v
};

// State before the first step: zeros for `size` values in all.
template<class S>
OptimizerState<S> start_optimizer(const OptimizerConfig& config, Index size);

// ‖g‖ over all parameters.
template<class S>
double gradient_norm(std::span<const Parameter<S>> parameters);

// The factor that brings gradients to a norm of at most `most`, as torch.nn.utils.clip_grad_norm_
// has it: min(1, most/(norm + 1e-6)).
double clip_scale(double norm, double most);

// One step. `state` was started for as many values as `parameters` have; `gradient_scale`
// multiplies every gradient first.
template<class S>
void optimize(const OptimizerConfig& config, double learning_rate,
              std::span<const Parameter<S>> parameters, OptimizerState<S>& state,
              double gradient_scale = 1);

// Factor of the learning rate at step t = 0, 1, … of T:
//   constant  1
//   linear    1 − t/T
//   noam      D^(−1/2)·min((t+1)^(−1/2), (t+1)·W^(−3/2))   Vaswani et al. 2017, eq. 3; D the width
// A warm-up of W steps multiplies constant and linear by min(1, (t+1)/W); noam has its own.
enum class Schedule : std::uint8_t { constant, linear, noam };
template<>
inline constexpr std::array<Choice<Schedule>, 3> k_choices<Schedule>{{
    {Schedule::constant, "constant", "Constant"},
    {Schedule::linear, "linear", "Linear decay"},
    {Schedule::noam, "noam", "Noam"},
}};

struct ScheduleConfig {
    Schedule kind = Schedule::constant;
    Index warmup = 0;   // W; 0: none
    Index steps = 1000; // T
    Index width = 16;   // D

    bool operator==(const ScheduleConfig&) const = default;
};

double schedule_factor(const ScheduleConfig& config, Index step);

} // namespace normscope
