#include "core/base/random.h"
#include "core/norm/affine.h"
#include "core/transformer/named_tensors.h"

#include <cmath>
#include <string_view>
#include <utility>

namespace normscope {
namespace {

template<class S>
Linear<S> zero_linear(Index in, Index out) {
    return {Matrix<S>::Zero(out, in), Vector<S>::Zero(out)};
}

template<class S>
TransformerStack<S> zero_stack(const TransformerConfig& config, int layers, bool reads_memory,
                               Mask mask, double trunk, int threads) {
    const auto one = identity_affine<S>(AffinePer::feature, 1, config.width);
    const BlockOptions options{.norm = config.norm,
                               .placement = config.placement,
                               .skip = config.skip,
                               .trunk_scale = trunk,
                               .eps = config.eps,
                               .threads = threads};
    const auto block = [&](Sublayer<S> sublayer) {
        return ResidualBlock<S>{std::move(sublayer), one,
                                config.placement == Placement::peri ? one : Affine<S>{}, options,
                                config.rezero ? Vector<S>::Zero(1).eval() : Vector<S>{}};
    };
    const auto attention = [&](Mask seen, Reads reads) {
        return block(MultiHeadAttention<S>{zero_linear<S>(config.width, 3 * config.width),
                                           zero_linear<S>(config.width, config.width), config.heads,
                                           seen, reads});
    };
    TransformerStack<S> out;
    for (int i = 0; i < layers; ++i) {
        TransformerLayer<S>& layer = out.layers.emplace_back();
        layer.push_back(attention(mask, Reads::itself));
        if (reads_memory) layer.push_back(attention(Mask::none, Reads::memory));
        layer.push_back(
            block(FeedForward<S>{zero_linear<S>(config.width, config.ffn),
                                 zero_linear<S>(config.ffn, config.width), config.activation}));
    }
    if (!has_final_norm(config) || layers == 0) return out;
    out.final_norm = FinalNorm<S>{one, config.norm, {.eps = config.eps, .threads = threads}};
    return out;
}

// Each tensor is drawn from a stream of its own.
template<class S>
void draw_matrix(const TransformerConfig& config, const NamedTensor<S>& tensor) {
    const bool is_pytorch = config.init == WeightInit::pytorch;
    Random random = random_stream(config.seed, tensor.name);
    const std::string_view name = tensor.name;
    const Index rows = tensor.shape[0];
    const Index cols = tensor.shape[1];
    const bool in_stack = name.starts_with("encoder.") || name.starts_with("decoder.");
    InitRule rule{is_pytorch ? Init::xavier_uniform : Init::xavier_normal};
    if (!in_stack && !is_pytorch)
        rule = {Init::normal, 1, 1 / std::sqrt(static_cast<double>(config.width))};
    // W_q, W_k and W_v are drawn as one by PyTorch, else each on its own.
    const bool packed = name.ends_with("in_proj_weight");
    const Index parts = packed && !is_pytorch ? 3 : 1;
    Eigen::Map<Matrix<S>> all(tensor.data, rows, cols);
    for (Index part = 0; part < parts; ++part)
        all.middleRows(part * rows / parts, rows / parts) =
            init_weight<S>(rule, cols, rows / parts, random);
    if (!in_stack) return;
    const double gain =
        name.starts_with("encoder.") ? encoder_scales(config).gain : decoder_scales(config).gain;
    all.bottomRows(packed ? cols : rows) *= static_cast<S>(gain); // not W_q, W_k
}

template<class S>
void draw_bias(const TransformerConfig& config, const NamedTensor<S>& tensor) {
    const std::string_view name = tensor.name;
    const bool first = name.ends_with("linear1.bias");
    const bool second = name.ends_with("linear2.bias");
    if (!first && !second && name != "generator.bias") return;
    const Index fan_in = second ? config.ffn : config.width;
    const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
    // All layers get the same bias: the key names stack and tensor, not the layer.
    const std::string key = tensor.name.substr(0, name.find('.')) + (first    ? ".linear1.bias"
                                                                     : second ? ".linear2.bias"
                                                                              : ".bias");
    Random random = random_stream(config.seed, key);
    for (Index i = 0; i < tensor.size(); ++i)
        tensor.data[i] = static_cast<S>(bound * (2 * random.uniform() - 1));
}

std::vector<Index> random_words(Index count, Index vocabulary, Random& random) {
    std::vector<Index> out(static_cast<std::size_t>(count));
    for (Index& id : out)
        id = static_cast<Index>(random.below(static_cast<std::uint64_t>(vocabulary)));
    return out;
}

} // namespace

template<class S>
Result<Transformer<S>> empty_transformer(const TransformerConfig& config, int threads) {
    TRY(check_config(config));
    Transformer<S> out;
    out.config = config;
    out.threads = threads;
    out.encoder = zero_stack<S>(config, encoder_layers(config), false, Mask::none,
                                encoder_scales(config).trunk, threads);
    out.decoder = zero_stack<S>(config, decoder_layers(config), has_cross_attention(config),
                                config.masked ? Mask::causal : Mask::none,
                                decoder_scales(config).trunk, threads);
    const auto table = [&](Index rows) { return Matrix<S>(Matrix<S>::Zero(rows, config.width)); };
    const bool learned = config.positions == Positions::learned;
    if (has_encoder(config)) {
        if (!config.tied) out.source_embedding = table(source_vocabulary(config));
        if (learned) out.source_positions = table(config.longest);
    }
    if (has_decoder(config)) {
        if (!config.tied) out.target_embedding = table(config.vocabulary);
        if (learned) out.target_positions = table(config.longest);
    }
    out.generator.weight = table(config.vocabulary);
    if (config.head_bias) out.generator.bias.setZero(config.vocabulary);
    return out;
}

template<class S>
Result<Transformer<S>> make_transformer(const TransformerConfig& config, int threads) {
    auto out = TRY(empty_transformer<S>(config, threads));
    for (const NamedTensor<S>& tensor : tensors(out))
        if (tensor.shape.size() == 2)
            draw_matrix(config, tensor);
        else if (config.init == WeightInit::pytorch)
            draw_bias(config, tensor);
    return out;
}

Batch draw_batch(const TransformerConfig& config, int sentences, Index source_tokens,
                 Index target_tokens, std::uint64_t seed) {
    Random random = random_stream(seed, "batch");
    const Index under_head = has_decoder(config) ? target_tokens : source_tokens;
    Batch out(static_cast<std::size_t>(sentences));
    for (Sentence& sentence : out) {
        sentence.source = random_words(source_tokens, source_vocabulary(config), random);
        sentence.target = random_words(target_tokens, config.vocabulary, random);
        sentence.labels = random_words(under_head, config.vocabulary, random);
    }
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(empty_transformer);
NORMSCOPE_IN_BOTH_PRECISIONS(make_transformer);

} // namespace normscope
