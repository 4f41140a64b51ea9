#include "core/norm/jacobian.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <string>

namespace normscope {
namespace {

template<class S>
bool groups_are_features(const NormCache<S>& cache) {
    return cache.kind == NormKind::batch;
}

// Which terms the Jacobian has besides I/s.
struct Terms {
    double mean = 0;
    double projection = 0;
};

template<class S>
Terms jacobian_terms(const NormCache<S>& cache) {
    switch (cache.kind) {
    case NormKind::layer:
        return {1, 1};
    case NormKind::rms:
        return {0, 1};
    case NormKind::batch:
        return cache.mode == Mode::train ? Terms{1, 1} : Terms{};
    case NormKind::none:
        break;
    }
    return {};
}

template<class S>
double rstd_of(const NormCache<S>& cache, Index group) {
    return cache.kind == NormKind::none ? 1.0 : static_cast<double>(cache.rstd(group));
}

// The γ of x̂'s entry (t, d).
template<class S>
double gamma_at(const Affine<S>& affine, Index t, Index d) {
    switch (affine.per) {
    case AffinePer::feature:
        return static_cast<double>(affine.gamma(d));
    case AffinePer::token:
        return static_cast<double>(affine.gamma(t));
    case AffinePer::scalar:
        break;
    }
    return static_cast<double>(affine.gamma(0));
}

// Σ over rows i of γ_i²·Σ_j J_ij² for one token, without forming J.
template<class S>
double token_block_square(const NormCache<S>& cache, const Affine<S>& affine, Index t) {
    const Index features = cache.x_hat.cols();
    const double n = static_cast<double>(features);
    const Terms terms = jacobian_terms(cache);
    const auto x = cache.x_hat.row(t).template cast<double>().array();
    const double sum_x = x.sum();
    const double sum_xx = x.square().sum();
    double total = 0;
    for (Index d = 0; d < features; ++d) {
        const double rstd = rstd_of(cache, groups_are_features(cache) ? d : t);
        const double g = gamma_at(affine, t, d) * rstd;
        const double xd = static_cast<double>(cache.x_hat(t, d));
        // Σ_j (δ_dj − (m + p·x̂_d·x̂_j)/n)²
        const double m = terms.mean;
        const double px = terms.projection * xd;
        total += g * g *
                 (1 - 2 * (m + px * xd) / n +
                  (m * m * n + 2 * m * px * sum_x + px * px * sum_xx) / (n * n));
    }
    return total < 0 ? 0 : total; // rounding may fall below 0 where the block is 0
}

} // namespace

template<class S>
Result<Matrix<double>> norm_jacobian(const NormCache<S>& cache, Index group,
                                     const BackwardTerms& wanted) {
    const bool features = groups_are_features(cache);
    const Index groups = features ? cache.x_hat.cols() : cache.x_hat.rows();
    if (group < 0 || group >= groups)
        return fail("there is no " + std::string(features ? "feature " : "token ") +
                    std::to_string(group) + "; there are " + std::to_string(groups));
    const Index n = features ? cache.x_hat.rows() : cache.x_hat.cols();
    Vector<double> x(n);
    for (Index i = 0; i < n; ++i)
        x(i) = static_cast<double>(features ? cache.x_hat(i, group) : cache.x_hat(group, i));
    Terms terms = jacobian_terms(cache);
    if (!wanted.mean) terms.mean = 0;
    if (!wanted.projection) terms.projection = 0;
    Matrix<double> j = -(terms.projection * x * x.transpose()) / static_cast<double>(n);
    j.array() -= terms.mean / static_cast<double>(n);
    j.diagonal().array() += 1;
    j *= rstd_of(cache, group);
    return j;
}

template<class S>
Result<Matrix<double>> output_jacobian(const NormCache<S>& cache, const Affine<S>& affine,
                                       Index group, const BackwardTerms& terms) {
    if (auto ok = check_affine(cache.x_hat.rows(), cache.x_hat.cols(), affine); !ok)
        return tl::unexpected(ok.error());
    auto j = norm_jacobian(cache, group, terms);
    if (!j || !terms.gamma) return j;
    for (Index i = 0; i < j->rows(); ++i)
        j->row(i) *=
            groups_are_features(cache) ? gamma_at(affine, i, group) : gamma_at(affine, group, i);
    return j;
}

template<class S>
Result<Matrix<double>> influence_matrix(const NormCache<S>& cache, const Affine<S>& affine,
                                        std::optional<Index> first) {
    const Matrix<S>& x = cache.x_hat;
    if (auto ok = check_affine(x.rows(), x.cols(), affine); !ok) return tl::unexpected(ok.error());
    const Index tokens = std::clamp<Index>(first.value_or(x.rows()), 0, x.rows());
    Matrix<double> out = Matrix<double>::Zero(tokens, tokens);
    if (cache.kind != NormKind::batch || cache.mode == Mode::eval) {
        for (Index t = 0; t < tokens; ++t)
            out(t, t) = std::sqrt(token_block_square(cache, affine, t));
        return out;
    }
    // Batch norm in training: ∂y_id/∂z_jd = γ·rstd_d·(δ_ij − (1 + x̂_id·x̂_jd)/T), 0 across features.
    // But for a γ of token i, that is the same for i, j and for j, i.
    const double n = static_cast<double>(x.rows());
    const Matrix<double> x_hat = x.topRows(tokens).template cast<double>();
    const bool by_token = affine.per == AffinePer::token;
    Eigen::Array<double, 1, Eigen::Dynamic> weight(x.cols()); // rstd_d and what γ all tokens share
    for (Index d = 0; d < x.cols(); ++d)
        weight(d) = (by_token ? 1 : gamma_at(affine, 0, d)) * static_cast<double>(cache.rstd(d));
    const Eigen::Array<double, 1, Eigen::Dynamic> share = weight / n;
    for (Index i = 0; i < tokens; ++i)
        out(i, i) = (weight - share * (1 + x_hat.row(i).array().square())).matrix().norm();
    kernels::pair_norms(x_hat.data(), share.data(), out.data(), tokens, x.cols());
    if (by_token)
        for (Index i = 0; i < tokens; ++i) out.row(i) *= std::abs(gamma_at(affine, i, 0));
    return out;
}

template Result<Matrix<double>> norm_jacobian(const NormCache<float>&, Index, const BackwardTerms&);
template Result<Matrix<double>> norm_jacobian(const NormCache<double>&, Index,
                                              const BackwardTerms&);
template Result<Matrix<double>> output_jacobian(const NormCache<float>&, const Affine<float>&,
                                                Index, const BackwardTerms&);
template Result<Matrix<double>> output_jacobian(const NormCache<double>&, const Affine<double>&,
                                                Index, const BackwardTerms&);
template Result<Matrix<double>> influence_matrix(const NormCache<float>&, const Affine<float>&,
                                                 std::optional<Index>);
template Result<Matrix<double>> influence_matrix(const NormCache<double>&, const Affine<double>&,
                                                 std::optional<Index>);

} // namespace normscope
