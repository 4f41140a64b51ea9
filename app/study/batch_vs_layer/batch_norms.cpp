#include "app/study/batch_vs_layer/batch_norms.h"

#include "core/base/rounding.h"
#include "core/block/add_norm.h"
#include "core/norm/affine.h"
#include "core/norm/jacobian.h"
#include "core/norm/normalize.h"

#include <cmath>

namespace normscope {

namespace {

constexpr Index k_most_pairs = Index{1} << 24; // n²·D of an influence matrix
constexpr Index k_most_influence = 256;        // tokens

// Rounding residue is shown as 0: a mean that is tiny beside the set's values, a statistic that is
// tiny beside ε or beside its mean's rounding.
void take_statistics(NormOfZ& norm) {
    const NormCache<double>& cache = norm.cache;
    const Spread& spread = spread_of(cache);
    norm.statistic =
        cache.rstd.unaryExpr([&](double r) { return spread.statistic_of(r, cache.eps); });
    norm.statistic = norm.statistic.cwiseMax(0.0).eval();
    norm.mean = cache.mean;
    for (Index i = 0; i < norm.statistic.size(); ++i) {
        double& q = norm.statistic(i);
        if (q <= k_sum_round_off * cache.eps) q = 0;
        if (!spread.centres) continue;
        double& mean = norm.mean(i);
        const double of_mean = spread.power(k_sum_round_off * mean);
        mean = but_for_rounding(mean, q);
        if (std::isfinite(q) && q <= of_mean) q = 0;
    }
}

// x̂ of all rows of z by the statistics of the first `batch` where tokens share them: (z − μ)/s.
Result<NormCache<double>> normalized_by(const Norm& norm, const Matrix<double>& z,
                                        const NormOptions& options, Index batch) {
    const bool part = norm_entry(norm).shares == Shares::feature && batch < z.rows();
    auto normalized = TRY(part ? normalize<double>(norm, z.topRows(batch), options)
                               : normalize<double>(norm, z, options));
    NormCache<double> cache = std::move(normalized.cache);
    if (part) {
        Matrix<double> all(z.rows(), z.cols());
        all.topRows(batch) = cache.x_hat;
        for (Index t = batch; t < z.rows(); ++t)
            all.row(t) = (z.row(t) - cache.mean.transpose()).cwiseProduct(cache.rstd.transpose());
        cache.x_hat = std::move(all);
    }
    return cache;
}

NormOfZ norm_of_z(const Norm& norm, const Matrix<double>& z, const NormOptions& options,
                  Index batch) {
    NormOfZ out;
    out.batch = batch;
    if (auto cache = normalized_by(norm, z, options, batch)) {
        out.cache = std::move(*cache);
        take_statistics(out);
        return out;
    } else {
        out.error = cache.error();
    }
    out.cache = refused_cache<double>(norm, z.rows(), z.cols(), options);
    out.mean = out.statistic = out.cache.mean;
    return out;
}

bool moved(double before, double after) {
    return before != after && !(std::isnan(before) && std::isnan(after));
}

Moved measured(Matrix<double> change) {
    Moved out;
    Index top = change.rows(), left = change.cols(), bottom = 0, right = 0;
    for (Index t = 0; t < change.rows(); ++t)
        for (Index d = 0; d < change.cols(); ++d) {
            const double by = change(t, d);
            if (by == 0) continue;
            ++out.count;
            top = std::min(top, t);
            left = std::min(left, d);
            bottom = t + 1;
            right = std::max(right, d + 1);
            if (std::isfinite(by)) out.largest = std::max(out.largest, std::abs(by));
        }
    if (out.count > 0) out.bounds = {top, left, bottom - top, right - left};
    out.change = std::move(change);
    return out;
}

// Moves in x̂ on the way to another Z, or with `way` −1 on the way back from it.
Touch touch_by(const NormsOfZ& norms, const Matrix<double>& z, double way) {
    Touch out;
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        const NormOfZ& norm = norms.norms[i];
        const auto other = normalized_by(norm.cache.norm, z, norms.options, norms.batch);
        if (norm.error || !other) continue;
        out[i] =
            measured(other->x_hat.binaryExpr(norm.cache.x_hat, [way](double there, double here) {
                return moved(here, there) ? way * (there - here) : 0.0;
            }));
    }
    return out;
}

} // namespace

NormsOfZ norms_of_z(const Document& d) {
    NormsOfZ out;
    // Shapes agree in every document, so that the Add cannot refuse them.
    (void)residual_add<double>(*d.x, *d.f, d.residual, out.z);
    out.options = norm_options(d);
    out.batch = batch_size(d.batch, d.token_count());
    const Index groups = fitting_groups(d.norm.groups, d.feature_count());
    for (std::size_t i = 0; i < k_compared_count; ++i)
        out.norms[i] = norm_of_z({k_compared_norms[i].kind, groups}, out.z, out.options, out.batch);
    if (!out.z.allFinite()) out.not_a_number = not_a_number_in_z(d);
    return out;
}

Influences influences(const Document& d, const NormsOfZ& norms, NormResult result) {
    Influences out;
    const Index features = norms.z.cols();
    out.batch = batch_size(d.batch, norms.z.rows());
    const auto room = static_cast<Index>(
        std::sqrt(static_cast<double>(k_most_pairs) / static_cast<double>(features)));
    out.tokens = std::min({out.batch, std::max<Index>(room, 1), k_most_influence});
    const Affine<double> affine =
        result == NormResult::y
            ? affine_of(d)
            : identity_affine<double>(AffinePer::feature, norms.z.rows(), features);
    const Affine<double> of_batch = first_tokens(affine, out.batch);
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        const NormEntry& of = k_compared_norms[i];
        const bool part = of.shares == Shares::feature && out.batch < norms.z.rows();
        const NormOfZ own = part ? norm_of_z(norms.norms[i].cache.norm, norms.z.topRows(out.batch),
                                             norms.options, out.batch)
                                 : NormOfZ{};
        const NormOfZ& norm = part ? own : norms.norms[i];
        out.error[i] = norm.error;
        if (norm.error) continue;
        if (auto m = influence_matrix(norm.cache, part ? of_batch : affine, out.tokens))
            out.of[i] = std::move(*m);
    }
    return out;
}

Touch touch_since(const Document& earlier, const NormsOfZ& norms) {
    Matrix<double> z;
    (void)residual_add<double>(*earlier.x, *earlier.f, earlier.residual, z); // as norms_of_z()
    return touch_by(norms, z, -1);
}

Touch touch_of(const NormsOfZ& norms, Index token, Index feature, double by) {
    Matrix<double> raised = norms.z;
    raised(token, feature) += by;
    return touch_by(norms, raised, 1);
}

Touch scaled(const Touch& touch, const Affine<double>& affine) {
    Touch out;
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        Matrix<double> change = touch[i].change;
        for (Index t = 0; t < change.rows(); ++t)
            for (Index d = 0; d < change.cols(); ++d)
                if (change(t, d) != 0) // 0·∞ is no change either
                    change(t, d) *= affine.gamma(param_index(affine.per, t, d));
        out[i] = measured(std::move(change));
    }
    return out;
}

} // namespace normscope
