#pragma once
#include "core/nn/init.h"
#include "core/norm/shape.h"

#include <cstdint>
#include <optional>

namespace normscope {

// Gradients that a backward pass computes. input_only leaves out the parameters', which cost about
// as much as the input's; training leaves out those of λ, and of α but for ReZero's.
enum class Want : std::uint8_t { everything, training, input_only };

struct Pass {
    Want want = Want::everything;
    int threads = 1;
};

// `x` has `features` columns and at least one row, or the message of `who` names both shapes.
template<class S>
Result<void> check_features(const char* who, const Matrix<S>& x, Index features) {
    if (x.rows() > 0 && x.cols() == features) return {};
    return fail("{} expects tokens of {} features; the matrix is {}", who, features, shape_text(x));
}

// A gradient of `tokens`×`features`, or the message of `who` names both shapes.
template<class S>
Result<void> check_gradient(const char* who, const Matrix<S>& dy, Index tokens, Index features) {
    if (dy.rows() == tokens && dy.cols() == features) return {};
    return fail("{}: the gradient does not fit: the output is {}, dy is {}", who,
                shape_text(tokens, features), shape_text(dy));
}

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

// Rows first … first+count−1 of the weight and the bias: the outputs of a packed layer's part.
struct OutputRows {
    Index first = 0;
    Index count = 0;
};

// Writes y, resized, with all outputs or `some`. Errors: x of another width than the weight's.
template<class S>
Result<void> linear_forward_into(const Linear<S>& linear, const Matrix<S>& x, int threads,
                                 Matrix<S>& y, std::optional<OutputRows> some = {});

// Writes dx, resized, and the rows `some` of `gradients`, shaped like the parameters. `x`, the
// input of forward, is all that backward needs. With input_only `gradients` is left alone. Errors:
// x or dy that do not fit the weight.
template<class S>
Result<void> linear_backward_into(const Linear<S>& linear, const Matrix<S>& x, const Matrix<S>& dy,
                                  const Pass& pass, LinearGradients<S>& gradients, Matrix<S>& dx,
                                  std::optional<OutputRows> some = {});

// Gives gradients the parameters' shapes; with input_only they are empty.
template<class S>
void shape_gradients(const Linear<S>& linear, const Pass& pass, LinearGradients<S>& gradients) {
    const bool wanted = pass.want != Want::input_only;
    gradients.dweight.resize(wanted ? linear.out() : 0, wanted ? linear.in() : 0);
    gradients.dbias.resize(wanted ? linear.bias.size() : 0);
}

template<class S>
Result<Matrix<S>> linear_forward(const Linear<S>& linear, const Matrix<S>& x, int threads = 1) {
    Matrix<S> y;
    TRY(linear_forward_into(linear, x, threads, y));
    return y;
}
template<class S>
Result<LinearBackward<S>> linear_backward(const Linear<S>& linear, const Matrix<S>& x,
                                          const Matrix<S>& dy, const Pass& pass = {}) {
    LinearBackward<S> out;
    shape_gradients(linear, pass, out.gradients);
    TRY(linear_backward_into(linear, x, dy, pass, out.gradients, out.dx));
    return out;
}

} // namespace normscope
