#include "core/norm/affine.h"

#include "core/norm/shape.h"

namespace normscope {
namespace {

template<class S>
Result<void> check_affine(const Matrix<S>& x, const Affine<S>& affine) {
    const Index n = affine_size(affine.per, x.rows(), x.cols());
    if (affine.gamma.size() == n && affine.beta.size() == n) return {};
    return fail("γ and β do not fit: the matrix is " + shape_text(x.rows(), x.cols()) +
                " and needs " + std::to_string(n) + " of each; γ is " +
                shape_text(affine.gamma.size(), 1) + " and β " + shape_text(affine.beta.size(), 1));
}

} // namespace

template<class S>
Result<void> affine_forward(const Matrix<S>& x_hat, const Affine<S>& affine, Matrix<S>& y,
                            int /*threads*/) {
    if (auto ok = check_affine(x_hat, affine); !ok) return ok;
    y.resize(x_hat.rows(), x_hat.cols());
    for (Index t = 0; t < x_hat.rows(); ++t) {
        const auto x = x_hat.row(t).array();
        if (affine.per == AffinePer::feature) {
            y.row(t) = x * affine.gamma.transpose().array() + affine.beta.transpose().array();
        } else {
            const Index i = affine.per == AffinePer::token ? t : 0;
            y.row(t) = x * affine.gamma(i) + affine.beta(i);
        }
    }
    return {};
}

template Result<void> affine_forward(const Matrix<float>&, const Affine<float>&, Matrix<float>&,
                                     int);
template Result<void> affine_forward(const Matrix<double>&, const Affine<double>&, Matrix<double>&,
                                     int);

} // namespace normscope
