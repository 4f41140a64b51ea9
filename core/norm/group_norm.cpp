#include "core/norm/definitions.h"

#include "core/norm/sets.h"
#include "core/norm/shape.h"

#include <algorithm>
#include <cmath>

namespace normscope {

Index fitting_groups(Index groups, Index features) {
    Index fitting = std::max<Index>(1, std::min(groups, features));
    while (features % fitting != 0) --fitting;
    return fitting;
}

Result<void> check_groups(Index groups, Index features) {
    const Index below = fitting_groups(groups, features);
    if (below == groups) return {};
    Index above = std::clamp<Index>(groups, 1, features);
    while (features % above != 0) ++above;
    return fail("group norm: {} groups cannot share {} features evenly; choose {} groups", groups,
                features,
                above == below ? error_of("{}", below) : error_of("{} or {}", below, above));
}

Result<Normalized<double>> group_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* /*running*/) {
    TRY(check_norm_input(z, options.eps));
    TRY(check_groups(options.groups, z.cols()));
    const StatisticSets sets{Shares::group, z.rows(), z.cols(), options.groups};
    Normalized<double> out;
    NormCache<double>& cache = out.cache;
    cache = {Norm{NormKind::group, options.groups},
             options.mode,
             Vector<double>(sets.count()),
             Vector<double>(sets.count()),
             z,
             options.eps};
    for (Index set = 0; set < sets.count(); ++set) {
        auto x = cells(cache.x_hat, sets.block(set)).array();
        // μ = 1/m Σ_k z_k over the m = D/G features of the group    (Wu, He 2018, eq. 2)
        const double mean = x.mean();
        x -= mean;
        // What μ lost to rounding is the mean of what is left.
        const double rest = x.mean();
        x -= rest;
        cache.mean(set) = mean + rest;
        // σ² = 1/m Σ_k (z_k − μ)²            (eq. 2, its ε in the next step)
        const double variance = x.square().mean();
        cache.rstd(set) = 1 / std::sqrt(variance + options.eps);
        // x̂_k = (z_k − μ) / √(σ² + ε)        (eq. 1)
        x *= cache.rstd(set);
    }
    return out;
}

// As layer norm's, with means over the group:
//   dz = (a − mean(a) − x̂·mean(a⊙x̂)) / √(σ² + ε)
Matrix<double> group_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms) {
    const StatisticSets sets{Shares::group, a.rows(), a.cols(), cache.norm.groups};
    Matrix<double> dz = a;
    for (Index set = 0; set < sets.count(); ++set) {
        const auto x = cells(cache.x_hat, sets.block(set)).array();
        const auto a_set = cells(a, sets.block(set)).array();
        auto dz_set = cells(dz, sets.block(set)).array();
        // − mean(a): what goes back through μ
        if (terms.mean) dz_set -= a_set.mean();
        // − x̂·mean(a⊙x̂): what goes back through √(σ² + ε)
        if (terms.projection) dz_set -= x * (a_set * x).mean();
        // ÷ √(σ² + ε)
        dz_set *= cache.rstd(set);
    }
    return dz;
}

} // namespace normscope
