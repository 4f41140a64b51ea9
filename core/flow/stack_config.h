#pragma once
#include "core/base/choice.h"
#include "core/block/add_norm.h"
#include "core/block/placement.h"
#include "core/nn/activation.h"
#include "core/nn/init.h"
#include "core/nn/mask.h"

#include <cstdint>
#include <vector>

namespace normscope {

// The sublayer of a block's branch. encoder: attention, then feed-forward, each with its own
// Add & Norm, so two sublayers a block; all other kinds have one.
//   linear  W·x     tanh  tanh(W·x)     relu  W·relu(x)
enum class SublayerKind : std::uint8_t { linear, tanh, relu, ffn, attention, encoder };
template<>
inline constexpr std::array<Choice<SublayerKind>, 6> k_choices<SublayerKind>{{
    {SublayerKind::linear, "linear", "Linear"},
    {SublayerKind::tanh, "tanh", "tanh"},
    {SublayerKind::relu, "relu", "ReLU"},
    {SublayerKind::ffn, "ffn", "FFN"},
    {SublayerKind::attention, "attention", "Attention"},
    {SublayerKind::encoder, "encoder", "Encoder"},
}};

//   readout        L = Σ R ⊙ y, R of N(0, 1/(T·D)): a gradient of norm 1 at the top
//   cross_entropy  over a vocabulary: an untied head N(0, 1/D), one random target a token
enum class StackLoss : std::uint8_t { readout, cross_entropy };
template<>
inline constexpr std::array<Choice<StackLoss>, 2> k_choices<StackLoss>{{
    {StackLoss::readout, "readout", "readout"},
    {StackLoss::cross_entropy, "cross-entropy", "cross-entropy"},
}};

// γ and β of one block where they differ from those of the stack.
struct BlockAffine {
    int block = 0;
    double gamma = 1;
    double beta = 0;
    bool operator==(const BlockAffine&) const = default;
};

// A stack of L equal residual blocks over one sequence of T tokens, and the loss above it.
// pre and peri have a final norm of their own (γ = 1, β = 0).
struct StackConfig {
    int blocks = 12;    // L
    Index width = 64;   // D
    Index tokens = 128; // T
    SublayerKind sublayer = SublayerKind::encoder;
    int ffn_mult = 4; // hidden features of the feed-forward layer, in widths
    int heads = 4;
    Activation activation = Activation::relu; // of the feed-forward layer
    Mask mask = Mask::none;
    Norm norm;
    Placement placement = Placement::post;
    Residual skip = Residual::add;
    double trunk_scale = 1;  // λ; deepnorm multiplies its own (2L)^¼ onto it
    double branch_scale = 1; // α
    InitRule init;           // deepnorm multiplies (8L)^−¼ onto its branch weights but W_q, W_k
    double gamma = 1;        // of every block
    double beta = 0;
    std::vector<BlockAffine> block_affine;
    double eps = 1e-5;
    StackLoss loss = StackLoss::readout;
    Index vocabulary = 100;
    std::uint64_t seed = 0;

    bool operator==(const StackConfig&) const = default;
};

// Errors: the first setting that no stack can be built from, and what it may be.
Result<void> check_config(const StackConfig& config);

constexpr bool has_attention(SublayerKind kind) {
    return kind == SublayerKind::attention || kind == SublayerKind::encoder;
}
constexpr bool has_ffn(SublayerKind kind) {
    return kind == SublayerKind::ffn || kind == SublayerKind::encoder;
}
constexpr int sublayers_per_block(SublayerKind kind) {
    return has_attention(kind) && has_ffn(kind) ? 2 : 1;
}

// The placement's factor of λ: (2L)^¼ for deepnorm (Wang et al. 2022), else 1.
double own_trunk_scale(const StackConfig& config);

} // namespace normscope
