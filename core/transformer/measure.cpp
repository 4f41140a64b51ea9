#include "core/transformer/measure.h"

#include "core/base/dot.h"

#include <cmath>

namespace normscope {
namespace {

template<class M>
double norm_of(const M& m) {
    return std::sqrt(dot(m, m));
}

} // namespace

template<class S>
double token_cosine(const Matrix<S>& x, const Sentences& sentences) {
    const Matrix<double> units = x.template cast<double>().rowwise().normalized();
    double sum = 0;
    double pairs = 0;
    Index row = 0;
    const auto add = [&](Index tokens) {
        // ‖Σ u‖² = Σ_ij u_i·u_j, of which i = j gives 1 each.
        sum += units.middleRows(row, tokens).colwise().sum().squaredNorm() -
               static_cast<double>(tokens);
        pairs += static_cast<double>(tokens * (tokens - 1));
        row += tokens;
    };
    if (sentences.lengths.empty()) add(x.rows());
    for (const Index tokens : sentences.lengths) add(tokens);
    return sum / pairs;
}

template<class S>
std::vector<LayerMeasure> measure_stack(const StackForward<S>& forward,
                                        const StackBackward<S>& backward,
                                        const Sentences& sentences) {
    std::vector<LayerMeasure> out;
    for (std::size_t layer = 0; layer < forward.layers.size(); ++layer) {
        LayerMeasure& to = out.emplace_back();
        const Matrix<S>& y = forward.output_of(layer);
        to.mean_square = dot(y, y) / static_cast<double>(y.size());
        to.token_cosine = token_cosine(y, sentences);
        double attention = 0; // squared
        for (std::size_t b = 0; b < forward.layers[layer].size(); ++b) {
            const BlockCache<S>& cache = forward.layers[layer][b];
            const BlockBackward<S>& back = backward.layers[layer][b];
            to.add_norm.push_back({norm_of(cache.x), norm_of(cache.branch), norm_of(back.skip),
                                   norm_of(back.branch)});
            if (const auto* g = std::get_if<AttentionGradients<S>>(&back.sublayer))
                attention +=
                    dot(g->in.dweight, g->in.dweight) + dot(g->out.dweight, g->out.dweight);
            if (const auto* g = std::get_if<FeedForwardGradients<S>>(&back.sublayer)) {
                to.w1_grad_norm = norm_of(g->first.dweight);
                to.w2_grad_norm = norm_of(g->second.dweight);
            }
        }
        to.attention_grad_norm = std::sqrt(attention);
    }
    return out;
}

template<class S>
TransformerMeasure measure(const TransformerForward<S>& forward,
                           const TransformerBackward<S>& backward) {
    return {forward.loss.value_or(NAN),
            measure_stack(forward.encoder, backward.encoder, forward.source.sentences),
            measure_stack(forward.decoder, backward.decoder, forward.target.sentences)};
}

template double token_cosine(const Matrix<float>&, const Sentences&);
template double token_cosine(const Matrix<double>&, const Sentences&);
template std::vector<LayerMeasure> measure_stack(const StackForward<float>&,
                                                 const StackBackward<float>&, const Sentences&);
template std::vector<LayerMeasure> measure_stack(const StackForward<double>&,
                                                 const StackBackward<double>&, const Sentences&);
template TransformerMeasure measure(const TransformerForward<float>&,
                                    const TransformerBackward<float>&);
template TransformerMeasure measure(const TransformerForward<double>&,
                                    const TransformerBackward<double>&);

} // namespace normscope
