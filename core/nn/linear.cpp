#include "core/nn/linear.h"

#include "core/kernels/gemm.h"

#include <utility>

namespace normscope {

template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const OutputRows& rows,
                                 const Matrix<S>& x, int threads) {
    if (auto ok = check_features("a linear layer", x, linear.in()); !ok)
        return tl::unexpected(ok.error());
    Matrix<S> y(x.rows(), rows.count);
    const S* bias = linear.bias.size() == 0 ? nullptr : linear.bias.data() + rows.first;
    const Operand<S> weight = as_is(linear.weight).middle_rows(rows.first, rows.count);
    gemm(as_is(x), weight.transposed(), into(y), bias, Write::replace, threads);
    return y;
}

template<class S>
Result<Matrix<S>> linear_backward(const Linear<S>& linear, const OutputRows& rows,
                                  const Matrix<S>& x, const Matrix<S>& dy,
                                  LinearGradients<S>& gradients, const Pass& pass) {
    if (auto ok = check_gradient("a linear layer", dy, x.rows(), rows.count); !ok)
        return tl::unexpected(ok.error());
    const S* no_bias = nullptr;
    Matrix<S> dx(x.rows(), linear.in());
    // dx = dy·W
    gemm(as_is(dy), as_is(linear.weight).middle_rows(rows.first, rows.count), into(dx), no_bias,
         Write::replace, pass.threads);
    if (pass.want == Want::input_only) return dx;
    if (auto ok = check_features("a linear layer", x, linear.in()); !ok)
        return tl::unexpected(ok.error());
    // dW = dyᵀ·x, db = Σ_t dy
    gemm(transposed(dy), as_is(x),
         Target<S>{gradients.dweight.data() + rows.first * linear.in(), linear.in()}, no_bias,
         Write::replace, pass.threads);
    if (linear.bias.size() > 0) {
        // Row by row, as dy lies in memory.
        auto dbias = gradients.dbias.segment(rows.first, rows.count);
        dbias = dy.row(0).transpose();
        for (Index t = 1; t < dy.rows(); ++t) dbias += dy.row(t).transpose();
    }
    return dx;
}

template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const Matrix<S>& x, int threads) {
    return linear_forward(linear, OutputRows{0, linear.out()}, x, threads);
}

template<class S>
Result<LinearBackward<S>> linear_backward(const Linear<S>& linear, const Matrix<S>& x,
                                          const Matrix<S>& dy, const Pass& pass) {
    LinearBackward<S> out;
    out.gradients = gradients_like(linear, pass);
    auto dx = linear_backward(linear, OutputRows{0, linear.out()}, x, dy, out.gradients, pass);
    if (!dx) return tl::unexpected(dx.error());
    out.dx = std::move(*dx);
    return out;
}

template Result<Matrix<float>> linear_forward(const Linear<float>&, const OutputRows&,
                                              const Matrix<float>&, int);
template Result<Matrix<double>> linear_forward(const Linear<double>&, const OutputRows&,
                                               const Matrix<double>&, int);
template Result<Matrix<float>> linear_backward(const Linear<float>&, const OutputRows&,
                                               const Matrix<float>&, const Matrix<float>&,
                                               LinearGradients<float>&, const Pass&);
template Result<Matrix<double>> linear_backward(const Linear<double>&, const OutputRows&,
                                                const Matrix<double>&, const Matrix<double>&,
                                                LinearGradients<double>&, const Pass&);
template Result<Matrix<float>> linear_forward(const Linear<float>&, const Matrix<float>&, int);
template Result<Matrix<double>> linear_forward(const Linear<double>&, const Matrix<double>&, int);
template Result<LinearBackward<float>> linear_backward(const Linear<float>&, const Matrix<float>&,
                                                       const Matrix<float>&, const Pass&);
template Result<LinearBackward<double>>
linear_backward(const Linear<double>&, const Matrix<double>&, const Matrix<double>&, const Pass&);

} // namespace normscope
