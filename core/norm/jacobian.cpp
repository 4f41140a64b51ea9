#include "core/norm/jacobian.h"

#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <algorithm>

namespace normscope {
namespace {

// The γ of x̂'s entry (t, d).
double gamma_at(const Affine<double>& affine, Index t, Index d) {
    return affine.gamma(param_index(affine.per, t, d));
}

// Σ over rows i of γ_i²·Σ_j J_ij² for one token, without forming J. No set reaches beyond the
// token, or the norm has neither term.
double token_block_square(const NormCache<double>& cache, const Affine<double>& affine, Index t) {
    const StatisticSets sets = statistic_sets(cache);
    const BackwardTerms terms = terms_of(cache.norm, cache.mode);
    const double n = static_cast<double>(sets.size());
    const double m = terms.mean ? 1 : 0;
    double total = 0;
    Vector<double> pull = Vector<double>::Zero(sets.size()); // of the token's set
    double sum = 0, squares = 0;
    for (Index d = 0; d < cache.x_hat.cols(); ++d) {
        const Index set = sets.set_of(t, d);
        const CellBlock b = sets.block(set);
        if (terms.projection && d == b.col) {
            pull = spread_of(cache).pull(values_of(cache.x_hat, b));
            sum = pull.sum();
            squares = pull.squaredNorm();
        }
        const double g = gamma_at(affine, t, d) * rstd_of(cache, set);
        const double x = terms.projection ? cache.x_hat(t, d) : 0;
        // Σ_j (δ_dj − (m + x̂_d·pull_j)/n)²
        total += g * g *
                 (1 - 2 * (m + x * pull(d - b.col)) / n +
                  (m * m * n + 2 * m * x * sum + x * x * squares) / (n * n));
    }
    return total < 0 ? 0 : total; // rounding may fall below 0 where the block is 0
}

} // namespace

Result<Matrix<double>> norm_jacobian(const NormCache<double>& cache, Index set,
                                     const BackwardTerms& wanted) {
    const StatisticSets sets = statistic_sets(cache);
    if (set < 0 || set >= sets.count())
        return fail("there is no {} {}; there are {}", sets.name(), set, sets.count());
    const BackwardTerms has = terms_of(cache.norm, cache.mode);
    const auto n = static_cast<double>(sets.size());
    const Vector<double> x = values_of(cache.x_hat, sets.block(set));
    Matrix<double> j = Matrix<double>::Zero(x.size(), x.size());
    if (has.projection && wanted.projection) j = -(x * spread_of(cache).pull(x).transpose()) / n;
    j.array() -= (has.mean && wanted.mean ? 1 : 0) / n;
    j.diagonal().array() += 1;
    j *= rstd_of(cache, set);
    return j;
}

Result<Matrix<double>> output_jacobian(const NormCache<double>& cache, const Affine<double>& affine,
                                       Index set, const BackwardTerms& terms) {
    TRY(check_affine(cache.x_hat.rows(), cache.x_hat.cols(), affine));
    Matrix<double> j = TRY(norm_jacobian(cache, set, terms));
    if (!terms.gamma) return j;
    return gamma_of(affine, statistic_sets(cache), set).asDiagonal() * j;
}

Result<Matrix<double>> influence_matrix(const NormCache<double>& cache,
                                        const Affine<double>& affine, std::optional<Index> first) {
    const Matrix<double>& x = cache.x_hat;
    TRY(check_affine(x.rows(), x.cols(), affine));
    const Index tokens = std::clamp<Index>(first.value_or(x.rows()), 0, x.rows());
    Matrix<double> out = Matrix<double>::Zero(tokens, tokens);
    const BackwardTerms terms = terms_of(cache.norm, cache.mode);
    if (!statistic_sets(cache).by_feature() || !(terms.mean || terms.projection)) {
        for (Index t = 0; t < tokens; ++t)
            out(t, t) = std::sqrt(token_block_square(cache, affine, t));
        return out;
    }
    if (!terms.mean || !spread_of(cache).squares) {
        for (Index d = 0; d < x.cols(); ++d)
            if (const auto j = output_jacobian(cache, affine, d))
                out += j->topLeftCorner(tokens, tokens).cwiseAbs2();
        return out.cwiseSqrt().eval();
    }
    // A feature's tokens share statistics that Z moves: ∂y_id/∂z_jd = γ·rstd_d·(δ_ij − (1 +
    // x̂_id·x̂_jd)/T), 0 across features. The matrix is symmetric unless γ is per token.
    const double n = static_cast<double>(x.rows());
    const Matrix<double> x_hat = x.topRows(tokens);
    const bool by_token = affine.per == AffinePer::token;
    Eigen::Array<double, 1, Eigen::Dynamic> weight(x.cols()); // rstd_d and what γ all tokens share
    for (Index d = 0; d < x.cols(); ++d)
        weight(d) = (by_token ? 1 : gamma_at(affine, 0, d)) * cache.rstd(d);
    const Eigen::Array<double, 1, Eigen::Dynamic> share = weight / n;
    for (Index i = 0; i < tokens; ++i)
        out(i, i) = (weight - share * (1 + x_hat.row(i).array().square())).matrix().norm();
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < i; ++j)
            out(i, j) = out(j, i) =
                (share * (1 + x_hat.row(i).array() * x_hat.row(j).array())).matrix().norm();
    if (by_token)
        for (Index i = 0; i < tokens; ++i) out.row(i) *= std::abs(gamma_at(affine, i, 0));
    return out;
}

} // namespace normscope
