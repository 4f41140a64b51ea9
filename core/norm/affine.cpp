#include "core/norm/affine.h"

#include "core/base/parallel.h"

namespace normscope {
namespace {

struct Line {
    double gamma = 0;
    double beta = 0;
    double residual = 0; // Σ (γ·x + β − y)²
};

template<class X, class Y>
Line fit(const X& x, const Y& y) {
    const double n = static_cast<double>(x.size());
    const double mean_x = x.sum() / n;
    const double mean_y = y.sum() / n;
    const double xx = (x - mean_x).square().sum();
    const double xy = ((x - mean_x) * (y - mean_y)).sum();
    Line line;
    line.gamma = xx == 0 ? 0 : xy / xx;
    line.beta = mean_y - line.gamma * mean_x;
    line.residual = (line.gamma * x + line.beta - y).square().sum();
    return line;
}

} // namespace

template<class S>
Result<void> affine_forward(const Matrix<S>& x_hat, const Affine<S>& affine, Matrix<S>& y,
                            int threads) {
    TRY(check_affine(x_hat.rows(), x_hat.cols(), affine));
    y.resize(x_hat.rows(), x_hat.cols());
    constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it
    parallel_chunks(useful_threads(threads, y.size(), k_grain), y.rows(),
                    [&](int, Index begin, Index end) {
                        for (Index t = begin; t < end; ++t) {
                            const auto x = x_hat.row(t).array();
                            const Index i = param_index(affine.per, t, 0);
                            if (affine.per == AffinePer::feature)
                                y.row(t) = x * affine.gamma.transpose().array() +
                                           affine.beta.transpose().array();
                            else
                                y.row(t) = x * affine.gamma(i) + affine.beta(i);
                        }
                    });
    return {};
}

template<class S>
Result<void> affine_backward_into(const Matrix<S>& x_hat, const Affine<S>& affine,
                                  const Matrix<S>& dy, const BackwardOptions& options,
                                  NormGradients<S>& out) {
    TRY(check_gradient_shape(x_hat, dy));
    TRY(check_affine(x_hat.rows(), x_hat.cols(), affine));
    const Index n = affine.gamma.size();
    out.dz.resize(dy.rows(), dy.cols());
    out.dgamma.setZero(n);
    out.dbeta.setZero(n);
    const bool use_gamma = options.terms.gamma;
    for (Index t = 0; t < dy.rows(); ++t) {
        const auto g = dy.row(t).array();
        const auto x = x_hat.row(t).array();
        if (affine.per == AffinePer::feature) {
            out.dgamma.transpose().array() += g * x;
            out.dbeta.transpose().array() += g;
            if (use_gamma)
                out.dz.row(t) = g * affine.gamma.transpose().array();
            else
                out.dz.row(t) = dy.row(t);
        } else {
            const Index i = affine.per == AffinePer::token ? t : 0;
            out.dgamma(i) += (g * x).sum();
            out.dbeta(i) += g.sum();
            out.dz.row(t) = g * (use_gamma ? affine.gamma(i) : S(1));
        }
    }
    return {};
}

Result<BestAffine> best_affine(const Matrix<double>& x_hat, const Matrix<double>& target,
                               AffinePer per) {
    const Index tokens = x_hat.rows();
    const Index features = x_hat.cols();
    if (target.rows() != tokens || target.cols() != features)
        return fail("the target does not fit: y is {}, the target {}", shape_text(tokens, features),
                    shape_text(target));
    if (x_hat.size() == 0)
        return fail("a fit needs at least one value; y is {}", shape_text(tokens, features));
    BestAffine best;
    best.affine = identity_affine<double>(per, tokens, features);
    double total = 0;
    for (Index i = 0; i < best.affine.gamma.size(); ++i) {
        const Line line =
            per == AffinePer::feature ? fit(x_hat.col(i).array(), target.col(i).array())
            : per == AffinePer::token ? fit(x_hat.row(i).array(), target.row(i).array())
                                      : fit(x_hat.array(), target.array());
        best.affine.gamma(i) = line.gamma;
        best.affine.beta(i) = line.beta;
        total += line.residual;
    }
    best.loss = total / static_cast<double>(x_hat.size());
    return best;
}

NORMSCOPE_IN_BOTH_PRECISIONS(affine_backward_into);

NORMSCOPE_IN_BOTH_PRECISIONS(affine_forward);

} // namespace normscope
