#pragma once
#include "core/nn/init.h"
#include "core/nn/pass.h"

namespace normscope {

// y = x·Wᵀ + b, as torch.nn.Linear. x: T×in, weight: out×in, bias: out values, or none.
template<class S>
struct Linear {
    Matrix<S> weight;
    Vector<S> bias;

    Index in() const { return weight.cols(); }
    Index out() const { return weight.rows(); }
};

template<class S>
struct LinearGradients {
    Matrix<S> dweight; // out×in
    Vector<S> dbias;   // out values, none without a bias
};

template<class S>
struct LinearBackward {
    Matrix<S> dx; // T×in
    LinearGradients<S> gradients;
};

// Weights by `rule`, bias 0.
template<class S>
Linear<S> make_linear(const InitRule& rule, Index in, Index out, Random& random) {
    return {init_weight<S>(rule, in, out, random), Vector<S>::Zero(out)};
}

// Rows first … first+count−1 of the weight and the bias: those outputs alone, as a packed layer's
// parts have them.
struct OutputRows {
    Index first = 0;
    Index count = 0;
};

// Errors: x of another width than the weight's.
template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const OutputRows& rows,
                                 const Matrix<S>& x, int threads = 1);

// dx, and into `gradients` (which has the parameters' shapes) those of the rows. Errors as below.
template<class S>
Result<Matrix<S>> linear_backward(const Linear<S>& linear, const OutputRows& rows,
                                  const Matrix<S>& x, const Matrix<S>& dy,
                                  LinearGradients<S>& gradients, const Pass& pass = {});

// Gradients of the parameters' shapes, not yet filled; none with input_only.
template<class S>
LinearGradients<S> gradients_like(const Linear<S>& linear, const Pass& pass) {
    if (pass.want == Want::input_only) return {};
    return {Matrix<S>(linear.out(), linear.in()), Vector<S>(linear.bias.size())};
}

// All outputs. Errors: x of another width than the weight's.
template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const Matrix<S>& x, int threads = 1);

// `x`, the input of forward, is all that backward needs. With input_only the gradients of the
// parameters stay empty. Errors: x or dy that do not fit the weight.
template<class S>
Result<LinearBackward<S>> linear_backward(const Linear<S>& linear, const Matrix<S>& x,
                                          const Matrix<S>& dy, const Pass& pass = {});

} // namespace normscope
