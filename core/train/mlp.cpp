#include "core/train/mlp.h"

#include "core/base/in_range.h"
#include "core/base/lists.h"
#include "core/kernels/gemm.h"
#include "core/nn/linear.h"
#include "core/norm/affine.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace normscope {
namespace {

constexpr int k_most_mlp_layers = 1024;
constexpr double k_widest_mlp = 4096;
constexpr double k_most_values = 1e8;

template<class S>
void draw_weight(Mlp<S>& mlp, const std::string& name, Index first, Index fan_in, Index fan_out) {
    const bool tanh = mlp.config.activation == Activation::tanh;
    const InitRule rule{tanh ? Init::normal : Init::he_normal, 1,
                        1 / std::sqrt(static_cast<double>(fan_in))};
    Random random = random_stream(mlp.config.seed, name);
    const Matrix<S> weight = init_weight<S>(rule, fan_in, fan_out, random);
    std::copy_n(weight.data(), weight.size(), mlp.values.data() + first);
}

template<class S>
Operand<S> weight_of(const Vector<S>& values, Index first, Index out, Index in) {
    return {values.data() + first, out, in, in, 1};
}

// y = N(x), with γ and β. In training the running statistics move on.
template<class S>
Result<void> apply_norm(Mlp<S>& mlp, std::size_t l, const Matrix<S>& x, Mode mode,
                        typename MlpPass<S>::Layer& own, Matrix<S>& y) {
    const NormOptions options{.eps = mlp.config.eps, .mode = mode, .momentum = mlp.config.momentum};
    RunningStats<S>* running = mlp.running.empty() ? nullptr : &mlp.running[l];
    TRY(normalize_into(mlp.config.norm, x, options, running, own.normed));
    if (own.normed.running) *running = *own.normed.running;
    own.affine.gamma = mlp.values.segment(mlp.layers[l].gamma, x.cols());
    own.affine.beta = mlp.values.segment(mlp.layers[l].beta, x.cols());
    return affine_forward(own.normed.cache.x_hat, own.affine, y);
}

// Replaces pass.da by the gradient at N's input; the gradients of γ and β go to their places.
template<class S>
Result<void> norm_backward(const Mlp<S>& mlp, std::size_t l, MlpPass<S>& pass) {
    const auto& own = pass.layers[l];
    TRY(normalize_backward_into<S>(own.normed.cache, own.affine, pass.da, {}, pass.dnorm));
    pass.gradients.segment(mlp.layers[l].gamma, mlp.config.width) = pass.dnorm.dgamma;
    pass.gradients.segment(mlp.layers[l].beta, mlp.config.width) = pass.dnorm.dbeta;
    pass.da.swap(pass.dnorm.dz);
    return {};
}

// Whether the layers have a norm at this place.
template<class S>
bool has_norm(const Mlp<S>& mlp, NormPlace place) {
    return norm_entry(mlp.config.norm).normalizes() && mlp.config.place == place;
}

// A layer's output before α and the skip.
template<class S>
const Matrix<S>& branch_of(const Mlp<S>& mlp, const typename MlpPass<S>::Layer& layer) {
    return has_norm(mlp, NormPlace::post) ? layer.branch : layer.a;
}

// A layer's output, with the skip if it has one.
template<class S>
const Matrix<S>& output_of(const Mlp<S>& mlp, const MlpPass<S>& pass, std::size_t l) {
    return mlp.has_skip(l) ? pass.layers[l].h : branch_of(mlp, pass.layers[l]);
}

// y = x·Wᵀ + b
template<class S>
void linear_into(const Mlp<S>& mlp, const Matrix<S>& x, Index weight, Index bias, Index out,
                 Matrix<S>& y) {
    y.resize(x.rows(), out);
    small_gemm(as_is(x), weight_of(mlp.values, weight, out, x.cols()).transposed(), into(y),
               mlp.values.data() + bias);
}

// dW = dyᵀ·x, db = Σ_t dy
template<class S>
void linear_gradients(const Matrix<S>& x, const Matrix<S>& dy, Index weight, Index bias,
                      Vector<S>& gradients) {
    small_gemm(transposed(dy), as_is(x), Target<S>{gradients.data() + weight, x.cols()});
    sum_rows(dy, gradients.segment(bias, dy.cols()));
}

// dx = dy·W
template<class S>
void linear_input(const Mlp<S>& mlp, const Matrix<S>& dy, Index weight, Index in, Write write,
                  Matrix<S>& dx) {
    if (write == Write::replace) dx.resize(dy.rows(), in);
    constexpr const S* no_bias = nullptr;
    small_gemm(as_is(dy), weight_of(mlp.values, weight, dy.cols(), in), into(dx), no_bias, write);
}

template<class S>
Result<void> layer_forward(Mlp<S>& mlp, std::size_t l, const Matrix<S>& x, Mode mode,
                           MlpPass<S>& pass) {
    const auto& layer = mlp.layers[l];
    auto& own = pass.layers[l];
    linear_into(mlp, x, layer.weight, layer.bias, mlp.config.width, own.z);
    const bool before = has_norm(mlp, NormPlace::pre);
    if (before) TRY(apply_norm(mlp, l, own.z, mode, own, own.u));
    own.a = before ? own.u : own.z;
    activate(mlp.config.activation, own.a);
    if (has_norm(mlp, NormPlace::post)) TRY(apply_norm(mlp, l, own.a, mode, own, own.branch));
    if (!mlp.has_skip(l)) return {};
    own.h.resize(x.rows(), x.cols());
    if (layer.alpha < 0)
        own.h.noalias() = x + branch_of(mlp, own);
    else
        own.h.noalias() = x + mlp.values(layer.alpha) * branch_of(mlp, own);
    return {};
}

// Replaces pass.dh, the gradient at the layer's output, by that at its input.
template<class S>
Result<void> layer_backward(const Mlp<S>& mlp, std::size_t l, const Matrix<S>& x,
                            MlpPass<S>& pass) {
    const auto& layer = mlp.layers[l];
    const auto& own = pass.layers[l];
    // h = x + α·branch: dα = Σ dh ⊙ branch
    pass.da = pass.dh;
    if (layer.alpha >= 0) {
        pass.gradients(layer.alpha) = static_cast<S>(dot(pass.dh, branch_of(mlp, own)));
        pass.da *= mlp.values(layer.alpha);
    }
    if (has_norm(mlp, NormPlace::post)) TRY(norm_backward(mlp, l, pass));
    activate_backward(mlp.config.activation, pre_activation(mlp, pass, l), own.a, pass.da);
    if (has_norm(mlp, NormPlace::pre)) TRY(norm_backward(mlp, l, pass));
    linear_gradients(x, pass.da, layer.weight, layer.bias, pass.gradients);
    if (l == 0) return {}; // nothing reads the gradient at the points
    linear_input(mlp, pass.da, layer.weight, x.cols(),
                 mlp.has_skip(l) ? Write::add : Write::replace, pass.dh);
    return {};
}

} // namespace

Result<void> check_mlp(const MlpConfig& c) {
    TRY(in_range("the number of layers", c.layers, 1, k_most_mlp_layers));
    TRY(in_range("the width", c.width, 1, k_widest_mlp));
    TRY(in_range("the number of inputs", c.inputs, 1, k_widest_mlp));
    TRY(in_range("the number of outputs", c.outputs, 1, k_widest_mlp));
    TRY(check_eps(c.eps));
    TRY(check_groups(c.norm, c.width));
    if (static_cast<double>(c.layers) * static_cast<double>(c.width * c.width) > k_most_values)
        return fail("this MLP has more weights than fit; use fewer layers or a smaller width");
    return {};
}

template<class S>
Result<Mlp<S>> make_mlp(const MlpConfig& config) {
    TRY(check_mlp(config));
    Mlp<S> out;
    out.config = config;
    const NormEntry& norm = norm_entry(config.norm);
    Index size = 0; // of the tensors that have a place
    const auto place = [&](const std::string& name, std::vector<Index> shape) {
        const Index first = size;
        size += std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
        out.places.push_back({name, std::move(shape), first});
        return first;
    };
    const auto name_of = [](std::size_t layer) { return "layers." + std::to_string(layer) + "."; };
    for (std::size_t l = 0; l < static_cast<std::size_t>(config.layers); ++l) {
        const std::string at = name_of(l);
        auto& layer = out.layers.emplace_back(typename Mlp<S>::Layer{-1, -1, -1, -1, -1});
        layer.weight = place(at + "weight", {config.width, out.inputs_of(l)});
        layer.bias = place(at + "bias", {config.width});
        if (norm.normalizes()) {
            layer.gamma = place(at + "norm.weight", {config.width});
            layer.beta = place(at + "norm.bias", {config.width});
        }
        if (config.skip == Skip::rezero && out.has_skip(l)) layer.alpha = place(at + "alpha", {1});
        if (norm.has_running)
            out.running.push_back(
                {Vector<S>::Zero(config.width), Vector<S>::Ones(config.width), 0});
    }
    out.head_weight = place("head.weight", {config.outputs, config.width});
    out.head_bias = place("head.bias", {config.outputs});
    out.values = Vector<S>::Zero(size);
    for (const auto l : indices(out.layers)) {
        const auto& layer = out.layers[l];
        draw_weight(out, name_of(l) + "weight", layer.weight, out.inputs_of(l), config.width);
        if (layer.gamma >= 0) out.values.segment(layer.gamma, config.width).setOnes();
    }
    draw_weight(out, "head.weight", out.head_weight, config.width, config.outputs);
    return out;
}

template<class S>
std::vector<NamedTensor<const S>> mlp_tensors(const Mlp<S>& mlp, const Vector<S>& values) {
    std::vector<NamedTensor<const S>> out;
    for (const TensorPlace& place : mlp.places)
        out.push_back({place.name, place.shape, values.data() + place.first});
    return out;
}

template<class S>
const Matrix<S>& layer_input(const Mlp<S>& mlp, const MlpPass<S>& pass, const Matrix<S>& x,
                             std::size_t layer) {
    return layer == 0 ? x : output_of(mlp, pass, layer - 1);
}

template<class S>
Result<void> mlp_forward(Mlp<S>& mlp, const Matrix<S>& x, Mode mode, MlpPass<S>& pass) {
    TRY(check_features("the MLP", x, mlp.config.inputs));
    pass.layers.resize(mlp.layers.size());
    for (const auto l : indices(mlp.layers))
        TRY(layer_forward(mlp, l, layer_input(mlp, pass, x, l), mode, pass));
    linear_into(mlp, output_of(mlp, pass, mlp.layers.size() - 1), mlp.head_weight, mlp.head_bias,
                mlp.config.outputs, pass.logits);
    return {};
}

template<class S>
Result<void> mlp_backward(const Mlp<S>& mlp, const Matrix<S>& x, MlpPass<S>& pass) {
    const std::size_t last = mlp.layers.size() - 1;
    pass.gradients.resize(mlp.values.size());
    linear_gradients(output_of(mlp, pass, last), pass.dlogits, mlp.head_weight, mlp.head_bias,
                     pass.gradients);
    linear_input(mlp, pass.dlogits, mlp.head_weight, mlp.config.width, Write::replace, pass.dh);
    for (std::size_t l = mlp.layers.size(); l-- > 0;)
        TRY(layer_backward(mlp, l, layer_input(mlp, pass, x, l), pass));
    return {};
}

template<class S>
const Matrix<S>& pre_activation(const Mlp<S>& mlp, const MlpPass<S>& pass, std::size_t layer) {
    return has_norm(mlp, NormPlace::pre) ? pass.layers[layer].u : pass.layers[layer].z;
}

NORMSCOPE_IN_BOTH_PRECISIONS(make_mlp);
NORMSCOPE_IN_BOTH_PRECISIONS(mlp_tensors);
NORMSCOPE_IN_BOTH_PRECISIONS(mlp_forward);
NORMSCOPE_IN_BOTH_PRECISIONS(mlp_backward);
NORMSCOPE_IN_BOTH_PRECISIONS(layer_input);
NORMSCOPE_IN_BOTH_PRECISIONS(pre_activation);

} // namespace normscope
