#pragma once
#include "core/base/choice.h"
#include "core/block/add_norm.h"
#include "core/block/placement.h"
#include "core/nn/activation.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace normscope {

enum class Architecture : std::uint8_t { encoder_decoder, encoder, decoder };
template<>
inline constexpr std::array<Choice<Architecture>, 3> k_choices<Architecture>{{
    {Architecture::encoder_decoder, "encoder-decoder", "Encoder and decoder"},
    {Architecture::encoder, "encoder", "Encoder"},
    {Architecture::decoder, "decoder", "Decoder"},
}};

enum class Positions : std::uint8_t { sinusoidal, learned, none };
template<>
inline constexpr std::array<Choice<Positions>, 3> k_choices<Positions>{{
    {Positions::sinusoidal, "sinusoidal", "Sinusoidal"},
    {Positions::learned, "learned", "Learned"},
    {Positions::none, "none", "None"},
}};

// Factor of the embedding's rows: √D (Vaswani et al. 2017, section 3.4), or 1.
enum class EmbedScale : std::uint8_t { root, one };
template<>
inline constexpr std::array<Choice<EmbedScale>, 2> k_choices<EmbedScale>{{
    {EmbedScale::root, "sqrt", "√D"},
    {EmbedScale::one, "1", "1"},
}};

// How weights start. D is the width.
//   xavier_normal  N(0, 2/(fan_in + fan_out)), W_q, W_k, W_v each D×D; embeddings, learned
//                  positions and the head N(0, 1/D); biases 0
//   pytorch        as torch.nn.Transformer: U(±√(6/(fan_in + fan_out))) for all matrices,
//                  W_q, W_k and W_v as one 3D×D; the biases of the feed-forward layers and of the
//                  head U(±1/√fan_in), the same in all layers of a stack, which PyTorch copies from
//                  one; other biases 0
enum class WeightInit : std::uint8_t { xavier_normal, pytorch };
template<>
inline constexpr std::array<Choice<WeightInit>, 2> k_choices<WeightInit>{{
    {WeightInit::xavier_normal, "xavier-normal", "Xavier normal"},
    {WeightInit::pytorch, "pytorch", "PyTorch"},
}};

// A Transformer (Vaswani et al. 2017): an encoder and a decoder, or one of them. A decoder alone
// has layers without cross-attention.
struct TransformerConfig {
    Architecture arch = Architecture::encoder_decoder;
    int layers = 6;                    // of each stack
    std::optional<int> decoder_layers; // where the decoder has another number
    Index width = 64;                  // D
    int heads = 4;
    Index ffn = 256; // hidden features of the feed-forward layers
    Activation activation = Activation::relu;
    Norm norm;
    Placement placement = Placement::post; // deepnorm brings λ and its gain
    std::optional<bool>
        final_norm; // of each stack; nullopt: where the placement needs it (pre, peri)
    Residual skip = Residual::add;
    Positions positions = Positions::sinusoidal;
    Index longest = 512; // tokens that learned positions are there for
    bool masked = true;  // the decoder's self-attention is causal
    WeightInit init = WeightInit::xavier_normal;
    bool tied = false;     // one table for source, target and head (Press, Wolf 2017)
    bool head_bias = true; // b of logits = y·Wᵀ + b
    bool rezero = false;   // each block has an α of its own, trained from 0 on
    Index vocabulary = 100;
    std::optional<Index> source_vocabulary; // where the source has another one
    EmbedScale embed_scale = EmbedScale::root;
    double label_smoothing = 0.1;
    double eps = 1e-5;
    std::uint64_t seed = 0;

    bool operator==(const TransformerConfig&) const = default;
};

// Errors: the first setting that no Transformer can be built from, and what it may be.
Result<void> check_config(const TransformerConfig& config);

// Properties that follow from a config.
inline bool has_encoder(const TransformerConfig& c) {
    return c.arch != Architecture::decoder;
}
inline bool has_decoder(const TransformerConfig& c) {
    return c.arch != Architecture::encoder;
}
inline bool has_cross_attention(const TransformerConfig& c) {
    return c.arch == Architecture::encoder_decoder;
}
inline bool has_final_norm(const TransformerConfig& c) {
    return c.final_norm.value_or(is_inside(c.placement));
}
// The layers of a stack; 0 without the stack.
inline int encoder_layers(const TransformerConfig& c) {
    return has_encoder(c) ? c.layers : 0;
}
inline int decoder_layers(const TransformerConfig& c) {
    return has_decoder(c) ? c.decoder_layers.value_or(c.layers) : 0;
}
// Weights in the matrices of the encoder's layers, and of the decoder's.
double encoder_weights(const TransformerConfig& config);
double decoder_weights(const TransformerConfig& config);
inline Index source_vocabulary(const TransformerConfig& c) {
    return c.source_vocabulary.value_or(c.vocabulary);
}
inline double embed_factor(const TransformerConfig& c) { // √D or 1
    return c.embed_scale == EmbedScale::root ? std::sqrt(static_cast<double>(c.width)) : 1;
}

// DeepNorm's factors (Wang et al. 2022, figure 2): of the trunk, and of the starting weights of the
// feed-forward layers, W_v and W_out. Both 1 for other placements.
struct DeepNormScales {
    double trunk = 1; // λ
    double gain = 1;
};
DeepNormScales encoder_scales(const TransformerConfig& config);
DeepNormScales decoder_scales(const TransformerConfig& config);

} // namespace normscope
