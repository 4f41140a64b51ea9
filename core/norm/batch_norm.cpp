#include "core/norm/definitions.h"

#include "core/norm/shape.h"

#include <cmath>

namespace normscope {

Result<Normalized<double>> batch_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running) {
    TRY(check_batch_input(z, options, running));
    Normalized<double> out;
    NormCache<double>& cache = out.cache;
    cache = {NormKind::batch, options.mode, Vector<double>(z.cols()), Vector<double>(z.cols()), z,
             options.eps};
    if (options.mode == Mode::eval) {
        // μ and σ² are the running ones        (Ioffe, Szegedy 2015, algorithm 2)
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + options.eps).rsqrt();
        // x̂_td = (z_td − μ_d) / √(σ²_d + ε)    (algorithm 2, line 11, before its γ and β)
        for (Index d = 0; d < z.cols(); ++d)
            cache.x_hat.col(d) = (z.col(d).array() - cache.mean(d)) * cache.rstd(d);
        return out;
    }
    const auto n = static_cast<double>(z.rows());
    Vector<double> unbiased(z.cols());
    for (Index d = 0; d < z.cols(); ++d) {
        auto x = cache.x_hat.col(d).array(); // z_d, which becomes x̂_d
        // μ = 1/T Σ_t z_t                    (Ioffe, Szegedy 2015, algorithm 1)
        const double mean = x.mean();
        x -= mean;
        // What μ lost to rounding is the mean of what is left.
        const double rest = x.mean();
        x -= rest;
        cache.mean(d) = mean + rest;
        // σ² = 1/T Σ_t (z_t − μ)²            (algorithm 1)
        const double variance = x.square().mean();
        cache.rstd(d) = 1 / std::sqrt(variance + options.eps);
        // x̂_t = (z_t − μ) / √(σ² + ε)        (algorithm 1, before its γ and β)
        x *= cache.rstd(d);
        // σ²·T/(T−1) is what is remembered   (algorithm 2, line 10)
        unbiased(d) = variance * (n / (n - 1));
    }
    out.running = update_running(running, cache.mean, unbiased, options.momentum);
    return out;
}

// In training, with s = √(σ² + ε), z_j moves μ by 1/T and s by x̂_j/T, so that
//   ∂x̂_i/∂z_j = (δ_ij − 1/T − x̂_i·x̂_j/T) / s
// and the chain rule, dz_j = Σ_i a_i·∂x̂_i/∂z_j, gives three terms (Ioffe, Szegedy 2015, section 3):
//   dz = (a − mean(a) − x̂·mean(a⊙x̂)) / s
// In evaluation μ and s are constants: dz = a/s.
Matrix<double> batch_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms) {
    const bool train = cache.mode == Mode::train;
    Matrix<double> dz = a;
    for (Index d = 0; d < a.cols(); ++d) {
        const auto x = cache.x_hat.col(d).array();
        const auto a_d = a.col(d).array();
        auto dz_d = dz.col(d).array();
        // − mean(a): what goes back through μ
        if (train && terms.mean) dz_d -= a_d.mean();
        // − x̂·mean(a⊙x̂): what goes back through s
        if (train && terms.projection) dz_d -= x * (a_d * x).mean();
        // ÷ s
        dz_d *= cache.rstd(d);
    }
    return dz;
}

template<class S>
void take_batch(const RunningStats<S>* running, std::optional<double> momentum,
                RunningStats<S>& batch) {
    batch.updates = (running ? running->updates : 0) + 1;
    // running ← (1 − m)·running + m·(the batch's); without an m, of the k-th batch m = 1/k.
    const S m = static_cast<S>(momentum ? *momentum : 1.0 / static_cast<double>(batch.updates));
    for (Index d = 0; d < batch.mean.size(); ++d) {
        const S mean = running ? running->mean(d) : S(0), var = running ? running->var(d) : S(1);
        batch.mean(d) = (S(1) - m) * mean + m * batch.mean(d);
        batch.var(d) = (S(1) - m) * var + m * batch.var(d);
    }
}

RunningStats<double> update_running(const RunningStats<double>* running, const Vector<double>& mean,
                                    const Vector<double>& unbiased_var,
                                    std::optional<double> momentum) {
    RunningStats<double> out{mean, unbiased_var, 0};
    take_batch(running, momentum, out);
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(take_batch);

} // namespace normscope
