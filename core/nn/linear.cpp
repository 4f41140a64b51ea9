#include "core/nn/linear.h"

#include "core/kernels/gemm.h"

namespace normscope {

template<class S>
Result<void> linear_forward_into(const Linear<S>& linear, const Matrix<S>& x, int threads,
                                 Matrix<S>& y, std::optional<OutputRows> some) {
    const OutputRows rows = some.value_or(OutputRows{0, linear.out()});
    TRY(check_features("a linear layer", x, linear.in()));
    y.resize(x.rows(), rows.count);
    const S* bias = linear.bias.size() == 0 ? nullptr : linear.bias.data() + rows.first;
    const Operand<S> weight = as_is(linear.weight).middle_rows(rows.first, rows.count);
    gemm(as_is(x), weight.transposed(), into(y), bias, Write::replace, threads);
    return {};
}

template<class S>
Result<void> linear_backward_into(const Linear<S>& linear, const Matrix<S>& x, const Matrix<S>& dy,
                                  const Pass& pass, LinearGradients<S>& gradients, Matrix<S>& dx,
                                  std::optional<OutputRows> some) {
    const OutputRows rows = some.value_or(OutputRows{0, linear.out()});
    TRY(check_gradient("a linear layer", dy, x.rows(), rows.count));
    const S* no_bias = nullptr;
    dx.resize(x.rows(), linear.in());
    // dx = dy·W
    gemm(as_is(dy), as_is(linear.weight).middle_rows(rows.first, rows.count), into(dx), no_bias,
         Write::replace, pass.threads);
    if (pass.want == Want::input_only) return {};
    TRY(check_features("a linear layer", x, linear.in()));
    // dW = dyᵀ·x, db = Σ_t dy
    gemm(transposed(dy), as_is(x),
         Target<S>{gradients.dweight.data() + rows.first * linear.in(), linear.in()}, no_bias,
         Write::replace, pass.threads);
    if (linear.bias.size() > 0) sum_rows(dy, gradients.dbias.segment(rows.first, rows.count));
    return {};
}

NORMSCOPE_IN_BOTH_PRECISIONS(linear_forward_into);
NORMSCOPE_IN_BOTH_PRECISIONS(linear_backward_into);

} // namespace normscope
