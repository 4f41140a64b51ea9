#include "core/transformer/transformer_config.h"

#include "core/base/in_range.h"

#include <cmath>

namespace normscope {
namespace {

constexpr int k_most_layers = 1024;
constexpr double k_most_words = 1e6;
constexpr double k_most_weights = 5e8;

// Four matrices of each attention, and two of the feed-forward layer.
double layer_weights(const TransformerConfig& c, int attentions) {
    const auto width = static_cast<double>(c.width);
    return width * (4 * attentions * width + 2 * static_cast<double>(c.ffn));
}

// The most weights that the layers and the tables may have, without biases.
double weights_of(const TransformerConfig& c) {
    const double words = static_cast<double>(c.vocabulary + source_vocabulary(c)) +
                         (c.positions == Positions::learned ? static_cast<double>(c.longest) : 0);
    return encoder_weights(c) + decoder_weights(c) + 2 * words * static_cast<double>(c.width);
}

Result<void> check_numbers(const TransformerConfig& c) {
    TRY(in_range("the number of layers", c.layers, 1, k_most_layers));
    TRY(in_range("the number of decoder layers", c.decoder_layers.value_or(1), 1, k_most_layers));
    TRY(in_range("the width", c.width, 1, k_widest_model));
    TRY(check_heads(c.width, c.heads));
    TRY(in_range("the features of the feed-forward layers", c.ffn, 1, 65536));
    TRY(in_range("the vocabulary", c.vocabulary, 2, k_most_words));
    TRY(in_range("the source's vocabulary", source_vocabulary(c), 2, k_most_words));
    TRY(in_range("the number of learned positions", c.longest, 1, k_most_words));
    if (!(c.label_smoothing >= 0 && c.label_smoothing <= 1))
        return fail("label smoothing must be from 0 to 1; it is {}", c.label_smoothing);
    return check_eps(c.eps);
}

} // namespace

Result<void> check_config(const TransformerConfig& c) {
    TRY(check_numbers(c));
    if (c.activation != Activation::relu && c.activation != Activation::gelu)
        return fail("the activation of a Transformer's feed-forward layers is relu or gelu");
    if (c.tied && source_vocabulary(c) != c.vocabulary)
        return fail("one table for source, target and head needs one vocabulary: the source has {} "
                    "words, the target {}",
                    source_vocabulary(c), c.vocabulary);
    TRY(check_groups(c.norm, c.width));
    if (weights_of(c) > k_most_weights)
        return fail("this Transformer has {} weights, more than fit; use fewer layers, a smaller "
                    "width or a smaller vocabulary",
                    static_cast<long long>(weights_of(c)));
    return {};
}

double encoder_weights(const TransformerConfig& c) {
    return encoder_layers(c) * layer_weights(c, 1);
}

double decoder_weights(const TransformerConfig& c) {
    return decoder_layers(c) * layer_weights(c, has_cross_attention(c) ? 2 : 1);
}

DeepNormScales encoder_scales(const TransformerConfig& c) {
    if (c.placement != Placement::deepnorm) return {};
    const double n = encoder_layers(c);
    if (!has_cross_attention(c)) return {std::pow(2 * n, 0.25), std::pow(8 * n, -0.25)};
    const double power = std::pow(n, 4) * decoder_layers(c); // N⁴M
    return {0.81 * std::pow(power, 1.0 / 16), 0.87 * std::pow(power, -1.0 / 16)};
}

DeepNormScales decoder_scales(const TransformerConfig& c) {
    if (c.placement != Placement::deepnorm) return {};
    const double m = decoder_layers(c);
    if (!has_cross_attention(c)) return {std::pow(2 * m, 0.25), std::pow(8 * m, -0.25)};
    return {std::pow(3 * m, 0.25), std::pow(12 * m, -0.25)};
}

} // namespace normscope
