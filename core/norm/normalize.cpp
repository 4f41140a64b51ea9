#include "core/norm/normalize.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"

#include <algorithm>

namespace normscope {

const NormEntry& norm_entry(NormKind kind) {
    const auto found = std::ranges::find(k_norms, kind, &NormEntry::kind);
    return found == k_norms.end() ? k_norms.front() : *found;
}

StatisticSets statistic_sets(const Norm& norm, Index tokens, Index features) {
    const Shares shares = norm_entry(norm).shares;
    const bool in_groups = shares == Shares::group && check_groups(norm.groups, features);
    return {shares, tokens, features, in_groups ? norm.groups : 1};
}

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

Result<void> check_groups(const Norm& norm, Index features) {
    if (norm_entry(norm).shares != Shares::group) return {};
    return check_groups(norm.groups, features);
}

BackwardTerms terms_of(NormKind kind, Mode mode) {
    const NormEntry& norm = norm_entry(kind);
    const bool constants = norm.has_running && mode == Mode::eval;
    return {norm.centres && !constants, norm.divides && !constants, true};
}

// The fast twins of the definitions, over the kernels. A token in G groups is G rows.
template<class S>
Result<void> normalize_into(const Norm& norm, const Matrix<S>& z, const NormOptions& options,
                            const RunningStats<S>* running, Normalized<S>& out) {
    const NormEntry& entry = norm_entry(norm);
    TRY(check_input(norm, z, options, running));
    NormCache<S>& cache = out.cache;
    const Index sets = entry.normalizes() ? statistic_sets(norm, z.rows(), z.cols()).count() : 0;
    cache.norm = norm;
    cache.mode = options.mode;
    cache.eps = options.eps;
    cache.mean.resize(sets);
    cache.rstd.resize(sets);
    if (!entry.has_running || options.mode == Mode::eval) out.running.reset();
    if (!entry.normalizes()) {
        cache.x_hat = z;
        return {};
    }
    const S eps = static_cast<S>(options.eps);
    if (entry.has_running && options.mode == Mode::eval) {
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + eps).sqrt().inverse().matrix();
        cache.x_hat = (z.rowwise() - cache.mean.transpose()).array().rowwise() *
                      cache.rstd.transpose().array();
        return {};
    }
    cache.x_hat.resize(z.rows(), z.cols());
    kernels::Forward<S> a{.x = z.data(),
                          .y = cache.x_hat.data(),
                          .mean = cache.mean.data(),
                          .rstd = cache.rstd.data(),
                          .rows = sets,
                          .cols = z.size() / sets,
                          .eps = eps,
                          .use_mean = entry.centres};
    if (entry.shares != Shares::feature) {
        kernels::rows_forward(a, options.threads);
        return {};
    }
    if (!out.running) out.running.emplace();
    Vector<S>& var = out.running->var;
    var.resize(sets);
    a.rows = z.rows();
    a.cols = z.cols();
    a.var = var.data();
    kernels::columns_forward(a, options.threads);
    const S n = static_cast<S>(z.rows());
    var *= n / (n - 1);
    out.running->mean = cache.mean;
    take_batch(running, options.momentum, *out.running);
    return {};
}

template<class S>
Result<void> normalize_backward_into(const NormCache<S>& cache, const Affine<S>& affine,
                                     const Matrix<S>& dy, const BackwardOptions& options,
                                     NormGradients<S>& out) {
    const Shares shares = norm_entry(cache.norm).shares;
    const BackwardTerms has = terms_of(cache.norm, cache.mode);
    const bool constants = !has.mean && !has.projection;
    // A γ a column is taken on the way; else dL/dx̂ comes first and goes back as with γ = 1.
    const bool on_the_way =
        affine.per == AffinePer::feature && shares != Shares::group && !constants;
    if (on_the_way) {
        TRY(check_gradient_shape(cache.x_hat, dy));
        TRY(check_affine(dy.rows(), dy.cols(), affine));
        out.dz.resize(dy.rows(), dy.cols());
        out.dgamma.resize(dy.cols());
        out.dbeta.resize(dy.cols());
    } else {
        TRY(affine_backward_into(cache.x_hat, affine, dy, options, out));
    }
    if (shares == Shares::nothing) return {};
    if (constants) {
        out.dz.array().rowwise() *= cache.rstd.transpose().array();
        return {};
    }
    kernels::Backward<S> a{.x_hat = cache.x_hat.data(),
                           .rstd = cache.rstd.data(),
                           .dy = out.dz.data(),
                           .dx = out.dz.data(),
                           .rows = cache.rstd.size(),
                           .cols = dy.size() / cache.rstd.size(),
                           .use_mean = has.mean && options.terms.mean,
                           .use_projection = options.terms.projection};
    if (on_the_way) {
        a.gamma = options.terms.gamma ? affine.gamma.data() : nullptr;
        a.dy = dy.data();
        a.dgamma = out.dgamma.data();
        a.dbeta = out.dbeta.data();
    }
    if (shares != Shares::feature) {
        kernels::rows_backward(a, options.threads);
        return {};
    }
    Vector<S> sums(on_the_way ? 0 : 2 * dy.cols());
    if (!on_the_way) a.dgamma = sums.data(), a.dbeta = sums.data() + dy.cols();
    a.rows = dy.rows();
    a.cols = dy.cols();
    kernels::columns_backward(a, options.threads);
    return {};
}

NORMSCOPE_IN_BOTH_PRECISIONS(normalize_into);
NORMSCOPE_IN_BOTH_PRECISIONS(normalize_backward_into);

} // namespace normscope
