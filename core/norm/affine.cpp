#include "core/norm/affine.h"

#include "core/kernels/norms.h"

namespace normscope {

template<class S>
Result<void> affine_forward(const Matrix<S>& x_hat, const Affine<S>& affine, Matrix<S>& y,
                            int threads) {
    if (auto ok = check_affine(x_hat.rows(), x_hat.cols(), affine); !ok) return ok;
    y.resize(x_hat.rows(), x_hat.cols());
    if (affine.per == AffinePer::feature)
        kernels::column_map(kernels::ColumnMap<S>{x_hat.data(), nullptr, affine.gamma.data(),
                                                  affine.beta.data(), y.data(), x_hat.rows(),
                                                  x_hat.cols()},
                            threads);
    else
        kernels::row_map(kernels::RowMap<S>{x_hat.data(), affine.gamma.data(), affine.beta.data(),
                                            affine.per == AffinePer::token ? 1 : 0, y.data(),
                                            x_hat.rows(), x_hat.cols()},
                         threads);
    return {};
}

template<class S>
Result<void> affine_backward_into(const Matrix<S>& x_hat, const Affine<S>& affine,
                                  const Matrix<S>& dy, const BackwardOptions& options,
                                  NormGradients<S>& out) {
    if (auto ok = check_gradient_shape(x_hat, dy); !ok) return ok;
    if (auto ok = check_affine(x_hat.rows(), x_hat.cols(), affine); !ok) return ok;
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

template decltype(affine_backward_into<float>) affine_backward_into<float>;
template decltype(affine_backward_into<double>) affine_backward_into<double>;

template decltype(affine_forward<float>) affine_forward<float>;
template decltype(affine_forward<double>) affine_forward<double>;

} // namespace normscope
