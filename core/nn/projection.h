#pragma once
#include "core/nn/activation.h"
#include "core/nn/linear.h"

namespace normscope {

// The plainest sublayers, y = ψ(φ(x)·Wᵀ + b):
//   linear       φ, ψ none
//   tanh-linear  ψ = tanh
//   relu-linear  φ = relu, the order "activation first" of He et al. 2016, whose output keeps mean
//   0
template<class S>
struct Projection {
    Linear<S> linear;
    Activation before = Activation::none; // φ
    Activation after = Activation::none;  // ψ
};

template<class S>
struct ProjectionCache {
    Matrix<S> x;      // kept where φ is gelu only
    Matrix<S> input;  // φ(x)
    Matrix<S> z;      // before ψ; kept where ψ is gelu only
    Matrix<S> output; // kept where ψ is not none
};

// Of x, which stands in cache.input. Errors: x of another width than W's.
template<class S>
Result<void> project_into(const Projection<S>& projection, int threads, ProjectionCache<S>& cache,
                          Matrix<S>& y);

// `dz` is at what ψ reads. Errors: dy of another shape than y.
template<class S>
Result<void> project_backward_into(const Projection<S>& projection, const ProjectionCache<S>& cache,
                                   const Matrix<S>& dy, const Pass& pass,
                                   LinearGradients<S>& gradients, Matrix<S>& dz, Matrix<S>& dx);

} // namespace normscope
