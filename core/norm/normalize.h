#pragma once
#include "core/base/lists.h"
#include "core/norm/definitions.h"
#include "core/norm/sets.h"
#include "core/norm/spread.h"

#include <algorithm>
#include <array>
#include <limits>

// One table of all norms: what a menu lists, what the command line accepts, what tests run over.
namespace normscope {

using ForwardByDefinition = Result<Normalized<double>> (*)(const Matrix<double>& z,
                                                           const NormOptions& options,
                                                           const RunningStats<double>* running);

// dz of a = dL/dx̂.
using BackwardByDefinition = Matrix<double> (*)(const NormCache<double>& cache,
                                                const Matrix<double>& a,
                                                const BackwardTerms& terms);

// What a norm is. Code that works for every norm asks this, never which norm it is.
struct NormEntry {
    NormKind kind;
    std::string_view id;         // "layer": command line, session files
    std::string_view label;      // "Layer": the screen
    std::string_view short_name; // "LN": in the name of a stack; empty: nothing is normalized
    Shares shares;
    const Spread* spread = &k_no_spread; // what it takes off and divides by
    bool has_running;                    // its evaluation goes by running statistics
    ForwardByDefinition forward_by_definition;
    BackwardByDefinition backward_by_definition;
    bool centres = spread->centres; // μ is taken off
    bool divides = spread->divides;

    constexpr bool normalizes() const { return shares != Shares::nothing; }
    // Of a set: an unbiased variance is learned of two or more.
    constexpr Index fewest_values() const { return has_running ? 2 : 1; }
};

// Every norm, in the order the screen shows them.
inline constexpr std::array k_norms{
    NormEntry{NormKind::layer, "layer", "Layer", "LN", Shares::token, &k_variance, false,
              layer_norm_forward, layer_norm_backward},
    NormEntry{NormKind::batch, "batch", "Batch", "BN", Shares::feature, &k_variance, true,
              batch_norm_forward, batch_norm_backward},
    NormEntry{NormKind::rms, "rms", "RMS", "RMS", Shares::token, &k_mean_square, false,
              rms_norm_forward, rms_norm_backward},
    NormEntry{NormKind::group, "group", "Group", "GN", Shares::group, &k_variance, false,
              group_norm_forward, group_norm_backward},
    NormEntry{NormKind::none, "none", "None", "", Shares::nothing, &k_no_spread, false,
              none_forward, none_backward},
};
template<>
inline constexpr auto k_choices<NormKind> = [] {
    std::array<Choice<NormKind>, k_norms.size()> norms{};
    std::ranges::transform(k_norms, norms.begin(), [](const NormEntry& norm) {
        return Choice<NormKind>{norm.kind, norm.id, norm.label};
    });
    return norms;
}();

const NormEntry& norm_entry(NormKind kind);

template<class S>
const Spread& spread_of(const NormCache<S>& cache) {
    return *norm_entry(cache.norm).spread;
}

// The sets of cells of a T×D matrix that share statistics under a norm. Where its groups do not
// divide D, which it refuses, whole tokens stand for them.
StatisticSets statistic_sets(const Norm& norm, Index tokens, Index features);
template<class S>
StatisticSets statistic_sets(const NormCache<S>& cache) {
    return statistic_sets(cache.norm, cache.x_hat.rows(), cache.x_hat.cols());
}

// The cache of a norm that refused a T×D matrix: NaN for every number.
template<class S>
NormCache<S> refused_cache(const Norm& norm, Index tokens, Index features,
                           const NormOptions& options) {
    const S nan = std::numeric_limits<S>::quiet_NaN();
    NormCache<S> cache;
    cache.norm = norm;
    cache.mode = options.mode;
    cache.eps = options.eps;
    cache.x_hat = Matrix<S>::Constant(tokens, features, nan);
    cache.mean = cache.rstd = Vector<S>::Constant(statistic_sets(cache).count(), nan);
    return cache;
}

// An error where the norm is in groups that do not divide the features.
Result<void> check_groups(const Norm& norm, Index features);

// The terms of the norm's backward pass; in evaluation by running statistics only that of γ.
BackwardTerms terms_of(NormKind kind, Mode mode = Mode::train);

// 1/s of a set; 1 where nothing is divided.
template<class S>
double rstd_of(const NormCache<S>& cache, Index set) {
    return norm_entry(cache.norm).divides ? static_cast<double>(cache.rstd(set)) : 1.0;
}

// x̂ and its statistics. z: T×D, not empty. `running` is read by norms that have them: needed in
// eval mode, optional in train mode (absent: starts from mean 0, var 1).
// Errors: an empty matrix; running statistics to be learned of one token, or of another width.
// normalize_into() is for a caller that keeps `out` from pass to pass: `running` is not
// out.running.
template<class S>
Result<void> normalize_into(const Norm& norm, const Matrix<S>& z, const NormOptions& options,
                            const RunningStats<S>* running, Normalized<S>& out);
template<class S>
Result<Normalized<S>> normalize(const Norm& norm, const Matrix<S>& z,
                                const NormOptions& options = {},
                                const RunningStats<S>* running = nullptr) {
    Normalized<S> out;
    TRY(normalize_into(norm, z, options, running, out));
    return out;
}

// The gradients of y = γ ⊙ x̂ + β, by the norm that made `cache`. With a = γ⊙dy:
//   dz = (a − mean(a) − d·mean(a⊙x̂)) / s   means over the values that share μ and s, d of Spread
//   dγ = Σ dy⊙x̂,  dβ = Σ dy                over the values that share γ and β
// each term where the norm has it (terms_of()); without a norm dz = a.
// dy: T×D. Errors: dy of another shape than x̂; γ or β of another length than `affine.per` asks for.
template<class S>
Result<void> normalize_backward_into(const NormCache<S>& cache, const Affine<S>& affine,
                                     const Matrix<S>& dy, const BackwardOptions& options,
                                     NormGradients<S>& out);
template<class S>
Result<NormGradients<S>> normalize_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                            const Matrix<S>& dy,
                                            const BackwardOptions& options = {}) {
    NormGradients<S> out;
    TRY(normalize_backward_into(cache, affine, dy, options, out));
    return out;
}

// The same two by the norm's definition, in double: what the kernels are tested against, and what a
// check compares them with. Errors as above.
Result<Normalized<double>> normalize_by_definition(const Norm& norm, const Matrix<double>& z,
                                                   const NormOptions& options = {},
                                                   const RunningStats<double>* running = nullptr);
Result<NormGradients<double>> normalize_backward_by_definition(const NormCache<double>& cache,
                                                               const Affine<double>& affine,
                                                               const Matrix<double>& dy,
                                                               const BackwardTerms& terms = {});

} // namespace normscope
