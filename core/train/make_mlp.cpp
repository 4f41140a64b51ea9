#include "core/base/in_range.h"
#include "core/base/random.h"
#include "core/nn/init.h"
#include "core/train/mlp.h"

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

} // namespace

Result<void> check_mlp(const MlpConfig& c) {
    if (auto ok = first_error({in_range("the number of layers", c.layers, 1, k_most_mlp_layers),
                               in_range("the width", c.width, 1, k_widest_mlp),
                               in_range("the number of inputs", c.inputs, 1, k_widest_mlp),
                               in_range("the number of outputs", c.outputs, 1, k_widest_mlp),
                               check_eps(c.eps)});
        !ok)
        return ok;
    if (auto ok = check_groups(c.norm, c.width); !ok) return ok;
    if (static_cast<double>(c.layers) * static_cast<double>(c.width * c.width) > k_most_values)
        return fail("this MLP has more weights than fit; use fewer layers or a smaller width");
    return {};
}

template<class S>
Result<Mlp<S>> make_mlp(const MlpConfig& config) {
    if (auto ok = check_mlp(config); !ok) return tl::unexpected(ok.error());
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
    for (std::size_t l = 0; l < out.layers.size(); ++l) {
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

template decltype(make_mlp<float>) make_mlp<float>;
template decltype(make_mlp<double>) make_mlp<double>;
template decltype(mlp_tensors<float>) mlp_tensors<float>;
template decltype(mlp_tensors<double>) mlp_tensors<double>;

} // namespace normscope
