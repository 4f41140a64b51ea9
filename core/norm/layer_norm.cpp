#include "core/norm/definitions.h"

#include "core/norm/shape.h"

#include <cmath>

namespace normscope {

Result<Normalized<double>> layer_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* /*running*/) {
    TRY(check_norm_input(z, options.eps));
    Normalized<double> out;
    NormCache<double>& cache = out.cache;
    cache = {NormKind::layer, options.mode, Vector<double>(z.rows()), Vector<double>(z.rows()), z,
             options.eps};
    for (Index t = 0; t < z.rows(); ++t) {
        auto x = cache.x_hat.row(t).array(); // z_t, which becomes x̂_t
        // μ = 1/D Σ_d z_d                    (Ba, Kiros, Hinton 2016, eq. 3)
        const double mean = x.mean();
        x -= mean;
        // What μ lost to rounding is the mean of what is left.
        const double rest = x.mean();
        x -= rest;
        cache.mean(t) = mean + rest;
        // σ² = 1/D Σ_d (z_d − μ)²            (eq. 3)
        const double variance = x.square().mean();
        cache.rstd(t) = 1 / std::sqrt(variance + options.eps);
        // x̂_d = (z_d − μ) / √(σ² + ε)        (eq. 4, before its gain and bias)
        x *= cache.rstd(t);
    }
    return out;
}

// With s = √(σ² + ε), z_j moves μ by 1/D and s by x̂_j/D, so that
//   ∂x̂_i/∂z_j = (δ_ij − 1/D − x̂_i·x̂_j/D) / s
// and the chain rule, dz_j = Σ_i a_i·∂x̂_i/∂z_j, gives three terms:
//   dz = (a − mean(a) − x̂·mean(a⊙x̂)) / s
Matrix<double> layer_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms) {
    Matrix<double> dz = a;
    for (Index t = 0; t < a.rows(); ++t) {
        const auto x = cache.x_hat.row(t).array();
        const auto a_t = a.row(t).array();
        auto dz_t = dz.row(t).array();
        // − mean(a): what goes back through μ
        if (terms.mean) dz_t -= a_t.mean();
        // − x̂·mean(a⊙x̂): what goes back through s
        if (terms.projection) dz_t -= x * (a_t * x).mean();
        // ÷ s
        dz_t *= cache.rstd(t);
    }
    return dz;
}

} // namespace normscope
