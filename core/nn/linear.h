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

template<class S>
OutputRows all_outputs(const Linear<S>& linear) {
    return {0, linear.out()};
}

// Into y, resized. Errors: x of another width than the weight's.
template<class S>
Result<void> linear_forward_into(const Linear<S>& linear, const OutputRows& rows,
                                 const Matrix<S>& x, int threads, Matrix<S>& y);

// dx, resized, and those rows of `gradients`, which has the parameters' shapes. `x`, the input of
// forward, is all that backward needs. With input_only the gradients are left alone. Errors: x or
// dy that do not fit the weight.
template<class S>
Result<void> linear_backward_into(const Linear<S>& linear, const OutputRows& rows,
                                  const Matrix<S>& x, const Matrix<S>& dy, const Pass& pass,
                                  LinearGradients<S>& gradients, Matrix<S>& dx);

// Gives gradients the parameters' shapes; with input_only they are empty.
template<class S>
void shape_gradients(const Linear<S>& linear, const Pass& pass, LinearGradients<S>& gradients) {
    const bool wanted = pass.want != Want::input_only;
    gradients.dweight.resize(wanted ? linear.out() : 0, wanted ? linear.in() : 0);
    gradients.dbias.resize(wanted ? linear.bias.size() : 0);
}

// All outputs.
template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const Matrix<S>& x, int threads = 1) {
    return filled<Matrix<S>>(
        [&](auto& y) { return linear_forward_into(linear, all_outputs(linear), x, threads, y); });
}
template<class S>
Result<LinearBackward<S>> linear_backward(const Linear<S>& linear, const Matrix<S>& x,
                                          const Matrix<S>& dy, const Pass& pass = {}) {
    return filled<LinearBackward<S>>([&](auto& out) {
        shape_gradients(linear, pass, out.gradients);
        return linear_backward_into(linear, all_outputs(linear), x, dy, pass, out.gradients,
                                    out.dx);
    });
}

} // namespace normscope
