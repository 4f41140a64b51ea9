#include "core/nn/linear.h"

#include "core/kernels/gemm.h"

namespace normscope {

template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const Matrix<S>& x, int threads) {
    if (auto ok = check_features("a linear layer", x, linear.in()); !ok)
        return tl::unexpected(ok.error());
    Matrix<S> y(x.rows(), linear.out());
    const S* bias = linear.bias.size() == 0 ? nullptr : linear.bias.data();
    gemm(as_is(x), transposed(linear.weight), into(y), bias, Write::replace, threads);
    return y;
}

template<class S>
Result<LinearBackward<S>> linear_backward(const Linear<S>& linear, const Matrix<S>& x,
                                          const Matrix<S>& dy, const Pass& pass) {
    if (auto ok = check_gradient("a linear layer", dy, x.rows(), linear.out()); !ok)
        return tl::unexpected(ok.error());
    const S* no_bias = nullptr;
    LinearBackward<S> out;
    out.dx.resize(x.rows(), linear.in());
    // dx = dy·W
    gemm(as_is(dy), as_is(linear.weight), into(out.dx), no_bias, Write::replace, pass.threads);
    if (pass.want == Want::input_only) return out;
    if (auto ok = check_features("a linear layer", x, linear.in()); !ok)
        return tl::unexpected(ok.error());
    // dW = dyᵀ·x, db = Σ_t dy
    out.gradients.dweight.resize(linear.out(), linear.in());
    gemm(transposed(dy), as_is(x), into(out.gradients.dweight), no_bias, Write::replace,
         pass.threads);
    if (linear.bias.size() > 0) {
        // Row by row, as dy lies in memory.
        out.gradients.dbias = dy.row(0).transpose();
        for (Index t = 1; t < dy.rows(); ++t) out.gradients.dbias += dy.row(t).transpose();
    }
    return out;
}

template Result<Matrix<float>> linear_forward(const Linear<float>&, const Matrix<float>&, int);
template Result<Matrix<double>> linear_forward(const Linear<double>&, const Matrix<double>&, int);
template Result<LinearBackward<float>> linear_backward(const Linear<float>&, const Matrix<float>&,
                                                       const Matrix<float>&, const Pass&);
template Result<LinearBackward<double>>
linear_backward(const Linear<double>&, const Matrix<double>&, const Matrix<double>&, const Pass&);

} // namespace normscope
