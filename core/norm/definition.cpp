#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <cmath>

// The definition of every norm, in plain steps and in double: what checks and tests run. The screen
// runs its twin over the kernels (normalize.cpp). γ and β are the same for every norm: affine.h.

namespace normscope {

namespace {

// Calls visit(set, of) for each set of cells that share statistics; of(m) are its cells in a T×D
// matrix.
template<class Visit>
void for_sets(const StatisticSets& sets, const Visit& visit) {
    for (Index set = 0; set < sets.count(); ++set)
        if (sets.shares == Shares::group)
            visit(set, [&](auto& m) { return cells(m, sets.block(set)).array(); });
        else if (sets.by_feature())
            visit(set, [&](auto& m) { return m.col(set).array(); });
        else
            visit(set, [&](auto& m) { return m.row(set).array(); });
}

} // namespace

Result<Normalized<double>> normalize_by_definition(const Norm& norm, const Matrix<double>& z,
                                                   const NormOptions& options,
                                                   const RunningStats<double>* running) {
    TRY(check_input(norm, z, options, running));
    const NormEntry& entry = norm_entry(norm);
    const StatisticSets sets = statistic_sets(norm, z.rows(), z.cols());
    const Index count = entry.normalizes() ? sets.count() : 0;
    Normalized<double> out;
    NormCache<double>& cache = out.cache;
    cache = {norm, options.mode, Vector<double>::Zero(count), Vector<double>(count),
             z,    options.eps};
    if (!entry.normalizes()) return out;
    if (entry.has_running && options.mode == Mode::eval) {
        // μ and σ² are the running ones        (Ioffe, Szegedy 2015, algorithm 2)
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + options.eps).rsqrt();
        // x̂_td = (z_td − μ_d) / √(σ²_d + ε)    (algorithm 2, line 11, before its γ and β)
        for (Index d = 0; d < z.cols(); ++d)
            cache.x_hat.col(d) = (z.col(d).array() - cache.mean(d)) * cache.rstd(d);
        return out;
    }
    const auto n = static_cast<double>(sets.size());
    Vector<double> unbiased(count);
    for_sets(sets, [&](Index set, const auto& of) {
        auto x = of(cache.x_hat); // z of the set, which becomes x̂
        if (entry.centres) {
            // μ = 1/N Σ_i z_i          (Ba, Kiros, Hinton 2016, eq. 3; Wu, He 2018, eq. 2)
            const double mean = x.mean();
            x -= mean;
            // The mean of the differences is the part of μ lost to rounding.
            const double rest = x.mean();
            x -= rest;
            cache.mean(set) = mean + rest;
        }
        // σ² = 1/N Σ_i (z_i − μ)²; where no μ is taken off RMS² = 1/N Σ_i z_i²
        //                              (Zhang, Sennrich 2019, eq. 4)
        const double variance = x.square().mean();
        cache.rstd(set) = 1 / std::sqrt(variance + options.eps);
        // x̂_i = (z_i − μ) / √(σ² + ε)  (Ba, Kiros, Hinton 2016, eq. 4, before its gain and bias)
        x *= cache.rstd(set);
        // Running statistics take σ²·N/(N−1) (Ioffe, Szegedy 2015, algorithm 2, line 10)
        unbiased(set) = variance * (n / (n - 1));
    });
    if (entry.has_running)
        out.running = update_running(running, cache.mean, unbiased, options.momentum);
    return out;
}

// With s = √(σ² + ε), z_j moves μ by 1/N and s by x̂_j/N, so that
//   ∂x̂_i/∂z_j = (δ_ij − 1/N − x̂_i·x̂_j/N) / s
// and the chain rule, dz_j = Σ_i a_i·∂x̂_i/∂z_j, gives three terms:
//   dz = (a − mean(a) − x̂·mean(a⊙x̂)) / s
// without the first mean where no μ is taken off. Of running statistics, which are constants,
// dz = a/s.
Result<NormGradients<double>> normalize_backward_by_definition(const NormCache<double>& cache,
                                                               const Affine<double>& affine,
                                                               const Matrix<double>& dy,
                                                               const BackwardTerms& terms) {
    auto grads = TRY(affine_backward(cache.x_hat, affine, dy, {terms}));
    if (!norm_entry(cache.norm).normalizes()) return grads;
    const BackwardTerms has = terms_of(cache.norm, cache.mode);
    const Matrix<double> a_all = grads.dz; // dL/dx̂ = γ⊙dy
    for_sets(statistic_sets(cache), [&](Index set, const auto& of) {
        const auto x = of(cache.x_hat);
        const auto a = of(a_all);
        auto dz = of(grads.dz);
        // − mean(a): the gradient through μ
        if (has.mean && terms.mean) dz -= a.mean();
        // − x̂·mean(a⊙x̂): the gradient through s
        if (has.projection && terms.projection) dz -= x * (a * x).mean();
        // ÷ s
        dz *= cache.rstd(set);
    });
    return grads;
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
