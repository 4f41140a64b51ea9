#include "core/norm/definitions.h"

#include "core/norm/shape.h"

#include <cmath>

namespace normscope {

Result<Normalized<double>> rms_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                            const RunningStats<double>* /*running*/) {
    TRY(check_norm_input(z, options.eps));
    Normalized<double> out;
    NormCache<double>& cache = out.cache;
    cache = {
        NormKind::rms, options.mode, Vector<double>::Zero(z.rows()), Vector<double>(z.rows()), z,
        options.eps};
    for (Index t = 0; t < z.rows(); ++t) {
        auto x = cache.x_hat.row(t).array(); // z_t, which becomes x̂_t
        // RMS² = 1/D Σ_d z_d²                (Zhang, Sennrich 2019, eq. 4)
        const double mean_square = x.square().mean();
        cache.rstd(t) = 1 / std::sqrt(mean_square + options.eps);
        // x̂_d = z_d / √(RMS² + ε)            (eq. 4, before its gain)
        x *= cache.rstd(t);
    }
    return out;
}

// With s = √(RMS² + ε), z_j moves s by x̂_j/D, so that
//   ∂x̂_i/∂z_j = (δ_ij − x̂_i·x̂_j/D) / s
// and the chain rule, dz_j = Σ_i a_i·∂x̂_i/∂z_j, gives two terms:
//   dz = (a − x̂·mean(a⊙x̂)) / s
Matrix<double> rms_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                 const BackwardTerms& terms) {
    Matrix<double> dz = a;
    for (Index t = 0; t < a.rows(); ++t) {
        const auto x = cache.x_hat.row(t).array();
        auto dz_t = dz.row(t).array();
        // − x̂·mean(a⊙x̂): what goes back through s
        if (terms.projection) dz_t -= x * (a.row(t).array() * x).mean();
        // ÷ s
        dz_t *= cache.rstd(t);
    }
    return dz;
}

} // namespace normscope
