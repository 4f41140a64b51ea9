#pragma once
#include "core/base/choice.h"
#include "core/base/named_tensor.h"
#include "core/nn/activation.h"
#include "core/norm/normalize.h"

#include <cstdint>
#include <string>
#include <vector>

namespace normscope {

// The skip around a layer F: x + F(x) (He et al. 2015), F(x) alone, or x + α·F(x) with an α of its
// own that is trained from 0 on (ReZero: Bachlechner et al. 2021).
enum class Skip : std::uint8_t { add, none, rezero };
template<>
inline constexpr std::array<Choice<Skip>, 3> k_choices<Skip>{{
    {Skip::add, "add", "Add"},
    {Skip::none, "none", "None"},
    {Skip::rezero, "rezero", "ReZero"},
}};

// Place of the norm N in a layer:
//   pre   u = N(W·h + b), a = φ(u)    before the activation (Ioffe, Szegedy 2015)
//   post  u = W·h + b, a = N(φ(u))    after it
enum class NormPlace : std::uint8_t { pre, post };
template<>
inline constexpr std::array<Choice<NormPlace>, 2> k_choices<NormPlace>{{
    {NormPlace::pre, "pre", "Before the activation"},
    {NormPlace::post, "post", "After the activation"},
}};

// D hidden layers, each with a norm and an activation φ, and a linear head. From the second layer
// on a skip goes around the layer, h ← h + a; the first changes the width and has none.
struct MlpConfig {
    Index inputs = 2;
    int layers = 12; // D
    Index width = 16;
    Index outputs = 1; // of the head: one logit for two classes, else one a class
    Activation activation = Activation::relu;
    Norm norm;
    NormPlace place = NormPlace::pre;
    Skip skip = Skip::add;
    double eps = 1e-5;
    double momentum = 0.1; // of running statistics
    std::uint64_t seed = 0;

    bool operator==(const MlpConfig&) const = default;
};

// Errors: the first setting that no MLP can be built from, and what it may be.
Result<void> check_mlp(const MlpConfig& config);

// A tensor's place among all values.
struct TensorPlace {
    std::string name;
    std::vector<Index> shape;
    Index first = 0;
};

// An MLP with its parameters in one array: layers.N.{weight, bias, norm.weight, norm.bias, alpha},
// then head.{weight, bias}. Without a norm there are no γ and β; α is ReZero's, of layers with a
// skip.
template<class S>
struct Mlp {
    struct Layer { // the places where its tensors begin, −1 for a tensor it has not
        Index weight, bias, gamma, beta, alpha;
    };

    MlpConfig config;
    std::vector<TensorPlace> places;
    std::vector<Layer> layers;
    Index head_weight = 0, head_bias = 0;
    Vector<S> values;
    std::vector<RunningStats<S>> running; // a layer each, of norms that have them; else empty

    Index inputs_of(std::size_t layer) const { return layer == 0 ? config.inputs : config.width; }
    bool has_skip(std::size_t layer) const { return layer > 0 && config.skip != Skip::none; }
};

// Weights N(0, 2/fan_in) for ReLU and GELU (He et al. 2015), N(0, 1/fan_in) for tanh; biases 0,
// γ = 1, β = 0, α = 0. Each tensor depends on seed, name and shape alone. Errors: of check_mlp().
template<class S>
Result<Mlp<S>> make_mlp(const MlpConfig& config);

// The tensors of an array with the places of the MLP: its values or gradients.
template<class S>
std::vector<NamedTensor<const S>> mlp_tensors(const Mlp<S>& mlp, const Vector<S>& values);

// Results of one pass, kept so that the next pass of the same shape allocates nothing.
template<class S>
struct MlpPass {
    struct Layer {
        Matrix<S> z;          // W·h + b, T×width
        Matrix<S> u;          // input of φ, where that is not z
        Matrix<S> a;          // φ(u)
        Matrix<S> branch;     // N(φ(u)), where N stands after φ
        Matrix<S> h;          // the layer's output, where it has a skip
        Normalized<S> normed; // of N
        Affine<S> affine;     // γ and β of N
    };
    std::vector<Layer> layers;
    Matrix<S> logits;    // T×outputs
    Matrix<S> dlogits;   // ∂loss/∂logits, for mlp_backward()
    Vector<S> gradients; // by the places of the MLP
    Matrix<S> dh, da;    // on the way back
    NormGradients<S> dnorm;
};

// Forward pass into pass.logits. x: T×inputs. In training `mlp`'s running statistics become those
// after the batch; in evaluation they are read. Errors: those of the norm; x of another width.
template<class S>
Result<void> mlp_forward(Mlp<S>& mlp, const Matrix<S>& x, Mode mode, MlpPass<S>& pass);

// Backward pass from pass.dlogits into pass.gradients, after a forward pass in training. Errors: of
// the norm.
template<class S>
Result<void> mlp_backward(const Mlp<S>& mlp, const Matrix<S>& x, MlpPass<S>& pass);

// A layer's input for points x: x itself, or the output of the layer below.
template<class S>
const Matrix<S>& layer_input(const Mlp<S>& mlp, const MlpPass<S>& pass, const Matrix<S>& x,
                             std::size_t layer);

// Input of a layer's φ in the last forward pass, T×width.
template<class S>
const Matrix<S>& pre_activation(const Mlp<S>& mlp, const MlpPass<S>& pass, std::size_t layer);

} // namespace normscope
