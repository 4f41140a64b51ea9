#pragma once
#include "core/transformer/transformer.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace normscope {

// Norms are Frobenius norms over all tokens of the batch.
struct AddNormMeasure {
    double x_norm = 0;           // ‖X‖, X down the skip
    double f_norm = 0;           // ‖F(X)‖, added by the sublayer
    double skip_grad_norm = 0;   // of the gradient at the block's input, through the skip
    double branch_grad_norm = 0; // of this gradient, through the sublayer
};

struct LayerMeasure {
    double mean_square = 0;  // of the layer's output
    double token_cosine = 0; // of the layer's output (token_cosine())
    double w1_grad_norm = 0, w2_grad_norm = 0;
    double attention_grad_norm = 0;       // W_q, W_k, W_v and W_out of all its attentions together
    std::vector<AddNormMeasure> add_norm; // in the order of the blocks
};

struct TransformerMeasure {
    double loss = 0;
    std::vector<LayerMeasure> encoder;
    std::vector<LayerMeasure> decoder;
};

// The mean cosine between two different tokens of a sentence, over all pairs of all sentences: 1
// where they have become alike (rank collapse: Dong et al. 2021; Noci et al. 2022). NaN where no
// sentence has two tokens.
template<class S>
double token_cosine(const Matrix<S>& x, const Sentences& sentences);

// Forward and backward pass of a batch, or of a share of one, through a stack.
template<class S>
struct StackPass {
    const StackForward<S>& forward;
    const StackBackward<S>& backward;
    const Sentences& sentences;
};

// Measures of all shares of a batch together; the first share holds the weights' gradients of the
// whole batch.
template<class S>
std::vector<LayerMeasure> measure_stack(const std::vector<StackPass<S>>& shares, int threads = 1);

// `forward` and `backward` have to be of the same pass.
template<class S>
TransformerMeasure measure_shares(double loss, std::span<const TransformerForward<S>> forward,
                                  std::span<const TransformerBackward<S>> backward);
template<class S>
TransformerMeasure measure(const TransformerForward<S>& forward,
                           const TransformerBackward<S>& backward) {
    return measure_shares<S>(forward.loss.value_or(NAN), {&forward, 1}, {&backward, 1});
}
template<class S>
TransformerMeasure measure(const BatchPass<S>& pass) {
    return measure_shares<S>(pass.loss, pass.forward, pass.backward);
}

struct BatchShape {
    int sentences = 8;
    Index source_tokens = 16;
    Index target_tokens = 16;
};

// Measures of the Transformer of one seed.
struct SeedMeasure {
    std::uint64_t seed = 0;
    TransformerMeasure measure;
};

// Measures by `config` for the seeds config.seed, config.seed + 1, …, which the weights, the
// sentences and the labels are drawn from. Errors: those of check_config and of the passes.
template<class S>
Result<std::vector<SeedMeasure>> measure_over_seeds(const TransformerConfig& config,
                                                    const BatchShape& batch, int seeds,
                                                    int threads = 1);

// Bytes that the weights, their gradients and one forward and backward pass take in float32, about.
double transformer_bytes(const TransformerConfig& config, const BatchShape& batch);

} // namespace normscope
