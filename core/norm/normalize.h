#pragma once
#include "core/norm/norm.h"

#include <span>

// One table of all norms: what a menu lists, what the command line accepts, what tests run over.
namespace normscope {

template<class S>
using ForwardFn = Result<Normalized<S>> (*)(const Matrix<S>& z, const NormOptions& options,
                                            const RunningStats<S>* running);

template<class S>
using BackwardFn = Result<NormGradients<S>> (*)(const NormCache<S>& cache, const Affine<S>& affine,
                                                const Matrix<S>& dy,
                                                const BackwardOptions& options);

struct NormEntry {
    NormKind kind;
    std::string_view id;    // "layer": command line, session files
    std::string_view label; // "Layer": the screen
    ForwardFn<float> forward_f32;
    ForwardFn<double> forward_f64;
    BackwardFn<float> backward_f32;
    BackwardFn<double> backward_f64;
};

// Every norm, in the order the screen shows them.
std::span<const NormEntry> norm_table();

const NormEntry& norm_entry(NormKind kind);

// The norm whose id is `id`, or an error that lists the ids.
Result<NormKind> norm_from_id(std::string_view id);

// x̂ and its statistics. z: T×D, not empty. `running` is read by batch norm: needed in eval mode,
// optional in train mode (absent: starts from mean 0, var 1).
// Errors: an empty matrix; batch norm training on one token; running statistics of another width.
template<class S>
Result<Normalized<S>> normalize(NormKind kind, const Matrix<S>& z, const NormOptions& options = {},
                                const RunningStats<S>* running = nullptr);

extern template Result<Normalized<float>> normalize(NormKind, const Matrix<float>&,
                                                    const NormOptions&, const RunningStats<float>*);
extern template Result<Normalized<double>>
normalize(NormKind, const Matrix<double>&, const NormOptions&, const RunningStats<double>*);

// The gradients of y = γ ⊙ x̂ + β, by the norm that made `cache`. With a = γ⊙dy and s = √(σ²+ε):
//   dz = (a − mean(a) − x̂·mean(a⊙x̂)) / s   means over the values that share μ and σ²
//   dγ = Σ dy⊙x̂,  dβ = Σ dy                over the values that share γ and β
// rms has no mean(a), batch in eval mode neither mean (its statistics are constants), none: dz = a.
// dy: T×D. Errors: dy of another shape than x̂; γ or β of another length than `affine.per` asks for.
template<class S>
Result<NormGradients<S>> normalize_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                            const Matrix<S>& dy,
                                            const BackwardOptions& options = {});

extern template Result<NormGradients<float>> normalize_backward(const NormCache<float>&,
                                                                const Affine<float>&,
                                                                const Matrix<float>&,
                                                                const BackwardOptions&);
extern template Result<NormGradients<double>> normalize_backward(const NormCache<double>&,
                                                                 const Affine<double>&,
                                                                 const Matrix<double>&,
                                                                 const BackwardOptions&);

} // namespace normscope
