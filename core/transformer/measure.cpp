#include "core/transformer/measure.h"

#include "core/base/lists.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

struct CosineSum {
    double sum = 0;
    double pairs = 0;
};

template<class S>
CosineSum cosines(const Matrix<S>& x, const Sentences& sentences) {
    const Matrix<double> units = x.template cast<double>().rowwise().normalized();
    CosineSum out;
    Index row = 0;
    const auto add = [&](Index tokens) {
        // ‖Σ u‖² = Σ_ij u_i·u_j, of which i = j gives 1 each.
        out.sum += units.middleRows(row, tokens).colwise().sum().squaredNorm() -
                   static_cast<double>(tokens);
        out.pairs += static_cast<double>(tokens * (tokens - 1));
        row += tokens;
    };
    if (sentences.lengths.empty()) add(x.rows());
    for (const Index tokens : sentences.lengths) add(tokens);
    return out;
}

// Adds the share's squared norms: the measure takes their roots after all shares.
template<class S>
void add_squares(const StackPass<S>& share, std::size_t layer, LayerMeasure& to) {
    const auto& blocks = share.forward.layers[layer];
    to.add_norm.resize(blocks.size());
    for (const auto b : indices(blocks)) {
        const BlockBackward<S>& back = share.backward.layers[layer][b];
        AddNormMeasure& m = to.add_norm[b];
        m.x_norm += squared_norm(blocks[b].x);
        m.f_norm += squared_norm(blocks[b].branch);
        m.skip_grad_norm += squared_norm(back.skip);
        m.branch_grad_norm += squared_norm(back.branch);
    }
}

template<class S>
void measure_weights(const std::vector<BlockBackward<S>>& blocks, LayerMeasure& to) {
    double attention = 0; // squared
    for (const BlockBackward<S>& back : blocks) {
        if (const auto* g = std::get_if<AttentionGradients<S>>(&back.sublayer))
            attention += squared_norm(g->in.dweight) + squared_norm(g->out.dweight);
        if (const auto* g = std::get_if<FeedForwardGradients<S>>(&back.sublayer)) {
            to.w1_grad_norm = norm_of(g->first.dweight);
            to.w2_grad_norm = norm_of(g->second.dweight);
        }
    }
    to.attention_grad_norm = std::sqrt(attention);
}

template<class S>
LayerMeasure measure_layer(const std::vector<StackPass<S>>& shares, std::size_t layer) {
    LayerMeasure out;
    double values = 0;
    CosineSum cosine;
    for (const StackPass<S>& share : shares) {
        const Matrix<S>& y = share.forward.output_of(layer);
        out.mean_square += squared_norm(y);
        values += static_cast<double>(y.size());
        const CosineSum own = cosines(y, share.sentences);
        cosine.sum += own.sum;
        cosine.pairs += own.pairs;
        add_squares(share, layer, out);
    }
    out.mean_square /= values;
    out.token_cosine = cosine.sum / cosine.pairs;
    for (AddNormMeasure& m : out.add_norm)
        for (double* norm : {&m.x_norm, &m.f_norm, &m.skip_grad_norm, &m.branch_grad_norm})
            *norm = std::sqrt(*norm);
    measure_weights(shares.front().backward.layers[layer], out);
    return out;
}

template<class S>
Result<SeedMeasure> measure_seed(const TransformerConfig& config, const BatchShape& batch,
                                 int threads) {
    const auto model = TRY(make_transformer<S>(config, threads));
    const auto pass = TRY(batch_pass(model, draw_batch(config, batch.sentences, batch.source_tokens,
                                                       batch.target_tokens, config.seed)));
    return SeedMeasure{config.seed, measure(pass)};
}

} // namespace

template<class S>
double token_cosine(const Matrix<S>& x, const Sentences& sentences) {
    const CosineSum all = cosines(x, sentences);
    return all.sum / all.pairs;
}

template<class S>
std::vector<LayerMeasure> measure_stack(const std::vector<StackPass<S>>& shares, int threads) {
    const std::size_t layers = shares.front().forward.layers.size();
    std::vector<LayerMeasure> out(layers);
    const auto count = static_cast<Index>(layers);
    parallel_chunks(
        static_cast<int>(std::min<Index>(threads, count)), count, [&](int, Index begin, Index end) {
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
                out[i] = measure_layer(shares, i);
        });
    return out;
}

template<class S>
TransformerMeasure measure_shares(double loss, std::span<const TransformerForward<S>> forward,
                                  std::span<const TransformerBackward<S>> backward) {
    std::vector<StackPass<S>> encoders, decoders;
    for (const auto i : indices(forward)) {
        const TransformerForward<S>& f = forward[i];
        encoders.push_back({f.encoder, backward[i].encoder, f.source.sentences});
        decoders.push_back({f.decoder, backward[i].decoder, f.target.sentences});
    }
    const auto threads = static_cast<int>(forward.size());
    return {loss, measure_stack(encoders, threads), measure_stack(decoders, threads)};
}

template<class S>
Result<std::vector<SeedMeasure>> measure_over_seeds(const TransformerConfig& config,
                                                    const BatchShape& batch, int seeds,
                                                    int threads) {
    std::vector<SeedMeasure> out;
    for (int i = 0; i < seeds; ++i) {
        TransformerConfig own = config;
        own.seed += static_cast<std::uint64_t>(i);
        out.push_back(TRY(measure_seed<S>(own, batch, threads)));
    }
    return out;
}

double transformer_bytes(const TransformerConfig& c, const BatchShape& batch) {
    constexpr double k_blocks_kept = 24; // T×D of a layer's two blocks, forward and backward
    const auto d = static_cast<double>(c.width);
    const auto ffn = static_cast<double>(c.ffn);
    const auto source = static_cast<double>(batch.source_tokens);
    const auto target = static_cast<double>(batch.target_tokens);
    // Values of a layer: for all sentences the blocks, the hidden features, and heads × tokens ×
    // memory; then the weights and their gradients.
    const auto layer = [&](double tokens, double memory) {
        return batch.sentences * tokens * (k_blocks_kept * d + 3 * ffn + 2 * c.heads * memory) +
               2 * (4 * d * d + 2 * d * ffn);
    };
    double values = encoder_layers(c) * layer(source, source);
    const double of_decoder =
        layer(target, target) + (has_cross_attention(c) ? layer(target, source) : 0);
    values += decoder_layers(c) * of_decoder;
    const double words = 3 * batch.sentences * (has_decoder(c) ? target : source) + 6 * d;
    return 4 * (values + words * static_cast<double>(c.vocabulary));
}

NORMSCOPE_IN_BOTH_PRECISIONS(token_cosine);
NORMSCOPE_IN_BOTH_PRECISIONS(measure_stack);
NORMSCOPE_IN_BOTH_PRECISIONS(measure_shares);
NORMSCOPE_IN_BOTH_PRECISIONS(measure_over_seeds);

} // namespace normscope
