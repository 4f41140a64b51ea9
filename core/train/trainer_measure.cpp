#include "core/base/dot.h"
#include "core/train/trainer.h"

#include <cmath>
#include <limits>
#include <string_view>

namespace normscope {
namespace {

constexpr double k_no_ratio = std::numeric_limits<double>::quiet_NaN();

// "encoder.layers.3" of "encoder.layers.3.linear1.weight"; empty of a tensor of no layer.
std::string_view layer_of(std::string_view name) {
    constexpr std::string_view k_layers = "layers.";
    const std::size_t at = name.find(k_layers);
    if (at == std::string_view::npos) return {};
    return name.substr(0, name.find('.', at + k_layers.size()));
}

struct MeanAndStd {
    double mean, std;
};
template<class S>
MeanAndStd mean_and_std_of(const NamedTensor<const S>& tensor) {
    const Vector<double> values = tensor.values().template cast<double>();
    const double mean = values.mean();
    return {mean, std::sqrt((values.array() - mean).square().mean())};
}

// log₁₀ of the root of a ratio of sums of squares.
double ratio_of(double moved, double size) {
    return moved > 0 && size > 0 ? std::log10(moved / size) / 2 : k_no_ratio;
}

// "encoder.layers.0.norm1.weight" is γ; its β follows.
bool is_gamma(std::string_view name) {
    const std::size_t at = name.find("norm");
    return at != std::string_view::npos && name.ends_with(".weight");
}

} // namespace

template<class S>
void Trainer<S>::measure_everything() {
    std::vector<LayerReading> readings;
    std::visit([&](auto& learner) { learner.readings(readings); }, learner_);
    const auto values = tensors();
    const auto gradients = std::visit([](auto& learner) { return learner.gradients(); }, learner_);
    measure_.layers.assign(readings.size(), {});
    measure_.tensors.assign(values.size(), {});
    measure_.norms.clear();
    for (std::size_t l = 0; l < readings.size(); ++l)
        measure_.layers[l] = {readings[l], 0, k_no_ratio};
    Index size = 0;
    std::size_t layers = 0;
    std::string_view present;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto gradient = gradients[i].values();
        const double squares = dot(gradient, gradient);
        measure_.tensors[i] = {std::sqrt(squares), k_no_ratio};
        size += values[i].size();
        const std::string_view layer = layer_of(values[i].name);
        if (!layer.empty() && layer != present) ++layers;
        present = layer;
        if (!layer.empty()) measure_.layers[layers - 1].gradient_norm += squares;
        if (is_gamma(values[i].name) && i + 1 < values.size()) {
            const MeanAndStd gamma = mean_and_std_of(values[i]),
                             beta = mean_and_std_of(values[i + 1]);
            measure_.norms.push_back({gamma.mean, gamma.std, beta.mean, beta.std});
        }
    }
    for (LayerState& layer : measure_.layers) layer.gradient_norm = std::sqrt(layer.gradient_norm);
    before_.resize(size);
    S* to = before_.data();
    for (const auto& tensor : values) to = std::copy_n(tensor.data, tensor.size(), to);
}

template<class S>
void Trainer<S>::measure_update() {
    Index at = 0;
    std::size_t i = 0, layers = 0;
    std::string_view present;
    double moved_of_layer = 0, size_of_layer = 0;
    const auto values = tensors();
    for (const auto& tensor : values) {
        const auto before = before_.segment(at, tensor.size());
        const Vector<S> update = tensor.values() - before;
        const double moved = dot(update, update), size = dot(before, before);
        measure_.tensors[i++].update_ratio = ratio_of(moved, size);
        at += tensor.size();
        const std::string_view layer = layer_of(tensor.name);
        if (!layer.empty() && layer != present) {
            ++layers;
            moved_of_layer = size_of_layer = 0;
        }
        present = layer;
        if (layer.empty()) continue;
        measure_.layers[layers - 1].update_ratio =
            ratio_of(moved_of_layer += moved, size_of_layer += size);
    }
}

template<class S>
std::vector<std::string> Trainer<S>::layer_names() const {
    std::vector<std::string> out;
    for (const auto& tensor : tensors()) {
        const std::string_view layer = layer_of(tensor.name);
        if (!layer.empty() && (out.empty() || out.back() != layer)) out.emplace_back(layer);
    }
    return out;
}

template void Trainer<float>::measure_everything();
template void Trainer<float>::measure_update();
template std::vector<std::string> Trainer<float>::layer_names() const;
template void Trainer<double>::measure_everything();
template void Trainer<double>::measure_update();
template std::vector<std::string> Trainer<double>::layer_names() const;

} // namespace normscope
