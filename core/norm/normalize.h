#pragma once
#include "core/base/lists.h"
#include "core/norm/sets.h"
#include "core/norm/shape.h"
#include "core/norm/spread.h"

#include <algorithm>
#include <array>
#include <limits>

// One table of all norms: for menus, the command line and the tests.
namespace normscope {

// A norm's properties. Code that works for every norm asks these, never the norm's kind.
struct NormEntry {
    NormKind kind;
    std::string_view id;         // "layer": command line, session files
    std::string_view label;      // "Layer": the screen
    std::string_view short_name; // "LN": in the name of a stack; empty: nothing is normalized
    Shares shares;
    const Spread* spread = &k_no_spread; // the mean taken off, and the divisor
    bool has_running;                    // evaluation goes by running statistics
    bool centres = spread->centres;      // μ is taken off
    bool divides = spread->divides;

    constexpr bool normalizes() const { return shares != Shares::nothing; }
    // Fewest values of a set: an unbiased variance is learned of two or more.
    constexpr Index fewest_values() const { return has_running ? 2 : 1; }
};

// Every norm, in the order the screen shows them.
inline constexpr std::array k_norms{
    NormEntry{NormKind::layer, "layer", "Layer", "LN", Shares::token, &k_variance, false},
    NormEntry{NormKind::batch, "batch", "Batch", "BN", Shares::feature, &k_variance, true},
    NormEntry{NormKind::rms, "rms", "RMS", "RMS", Shares::token, &k_mean_square, false},
    NormEntry{NormKind::group, "group", "Group", "GN", Shares::group, &k_variance, false},
    NormEntry{NormKind::none, "none", "None", "", Shares::nothing, &k_no_spread, false},
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

// The largest number of groups up to `groups` that divides the features.
Index fitting_groups(Index groups, Index features);
// An error unless G groups divide the features: it names the nearest G that do.
Result<void> check_groups(Index groups, Index features);
// check_groups() for a norm that shares by group; other norms need no check.
Result<void> check_groups(const Norm& norm, Index features);

// Errors: the inputs that the norm refuses, by its checks in shape.h and check_groups().
template<class S>
Result<void> check_input(const Norm& norm, const Matrix<S>& z, const NormOptions& options,
                         const RunningStats<S>* running) {
    TRY(norm_entry(norm).has_running ? check_batch_input(z, options, running)
                                     : check_norm_input(z, options.eps));
    return check_groups(norm, z.cols());
}

// The running statistics after one more batch. `running` may be null: mean 0 and var 1 then.
// Without a momentum m the running statistics are the average of all batches.
// A NaN in the batch's statistics stays: nothing that is added to it makes it a number again.
// mean, unbiased_var and `running` have D values each.
RunningStats<double> update_running(const RunningStats<double>* running, const Vector<double>& mean,
                                    const Vector<double>& unbiased_var,
                                    std::optional<double> momentum);

// update_running() in place: `batch` holds the batch's mean and unbiased variance, and becomes the
// new running statistics. `running` is not `batch`.
template<class S>
void take_batch(const RunningStats<S>* running, std::optional<double> momentum,
                RunningStats<S>& batch);

// The terms of the norm's backward pass; in evaluation by running statistics only that of γ.
BackwardTerms terms_of(NormKind kind, Mode mode = Mode::train);

// 1/s of a set; 1 where nothing is divided.
template<class S>
double rstd_of(const NormCache<S>& cache, Index set) {
    return norm_entry(cache.norm).divides ? static_cast<double>(cache.rstd(set)) : 1.0;
}

// x̂ and its statistics. z: T×D, not empty. Norms with running statistics read `running`: needed in
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

// normalize() and normalize_backward() by the norm's definition (definition.cpp), in double: the
// reference that tests and checks compare the kernels with. Errors as above.
Result<Normalized<double>> normalize_by_definition(const Norm& norm, const Matrix<double>& z,
                                                   const NormOptions& options = {},
                                                   const RunningStats<double>* running = nullptr);
Result<NormGradients<double>> normalize_backward_by_definition(const NormCache<double>& cache,
                                                               const Affine<double>& affine,
                                                               const Matrix<double>& dy,
                                                               const BackwardTerms& terms = {});

} // namespace normscope
