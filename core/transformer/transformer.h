#pragma once
#include "core/transformer/sentence.h"
#include "core/transformer/stack.h"
#include "core/transformer/transformer_config.h"

#include <optional>
#include <vector>

namespace normscope {

// Embedding and position → encoder → memory; embedding and position → decoder, which reads the
// memory → linear → softmax; or one of the stacks alone (Vaswani et al. 2017, figure 1). The head
// stands on the decoder, on the encoder where there is none. Parts that a config lacks are empty.
template<class S>
struct Transformer {
    TransformerConfig config;
    int threads = 1;
    TransformerStack<S> encoder;
    TransformerStack<S> decoder;
    Matrix<S> source_embedding; // V×D; empty where tied: all use the head's table
    Matrix<S> target_embedding; // V×D; empty where tied
    Matrix<S> source_positions; // longest×D where they are learned
    Matrix<S> target_positions;
    Linear<S> generator; // V×D: the head
};

// γ = 1, all other weights 0, of the shapes that the config asks for: to be filled from a file.
// Errors: those of check_config.
template<class S>
Result<Transformer<S>> empty_transformer(const TransformerConfig& config, int threads = 1);

// Weights by config.init from config.seed. Each tensor depends on seed, name and shape only, so
// that a deeper Transformer begins with the layers of the shallower one; DeepNorm multiplies its
// gain onto them. Errors: those of check_config.
template<class S>
Result<Transformer<S>> make_transformer(const TransformerConfig& config, int threads = 1);

// Sentences of random words with random labels, uniform over the vocabulary.
Batch draw_batch(const TransformerConfig& config, int sentences, Index source_tokens,
                 Index target_tokens, std::uint64_t seed);

template<class S>
struct EmbeddingForward {
    Sentences sentences;     // of the T rows
    std::vector<Index> ids;  // T
    Matrix<S> words;         // T×D: the embedding's rows, scaled
    Matrix<S> positions;     // a row a place, as many as the longest sentence has; none: empty
    bool sinusoidal = false; // positions of this kind are made but once
    Matrix<S> sum;           // T×D: the stack's input
};

template<class S>
struct TransformerForward {
    EmbeddingForward<S> source;
    EmbeddingForward<S> target;
    StackForward<S> encoder; // its y is the memory
    StackForward<S> decoder;
    std::vector<Index> labels;  // of all tokens under the head; empty: none
    Matrix<S> logits;           // T×V, of all tokens under the head
    Matrix<S> probabilities;    // softmax of each row
    std::optional<double> loss; // mean over those tokens (cross_entropy), where there are labels
    Matrix<S> dlogits;          // ∂loss/∂logits, where there are labels
};

template<class S>
struct TransformerBackward {
    StackBackward<S> encoder;   // dx: the gradient at the source's embedding + position
    StackBackward<S> decoder;   // dmemory: the gradient at the encoder's output
    Matrix<S> dy;               // at the output that the head reads, T×D
    Matrix<S> source_embedding; // gradients of the weights of these names
    Matrix<S> target_embedding;
    Matrix<S> source_positions;
    Matrix<S> target_positions;
    LinearGradients<S> generator; // tied: of all uses of the table
};

// Errors: an empty batch or sentence; a word that the vocabulary does not have; more tokens than
// learned positions; another number of labels than tokens, or labels in some sentences only; those
// of the stacks. The message names sentence and token, both counted from 0. `out` is for the same
// model; a pass of the shapes of the one before allocates nothing.
template<class S>
Result<void> transformer_forward_into(const Transformer<S>& model, const Batch& batch,
                                      TransformerForward<S>& out);

// Errors: a forward pass without labels.
template<class S>
Result<void> transformer_backward_into(const Transformer<S>& model,
                                       const TransformerForward<S>& forward, Want want,
                                       TransformerBackward<S>& out);

template<class S>
Result<TransformerForward<S>> transformer_forward(const Transformer<S>& model, const Batch& batch) {
    TransformerForward<S> out;
    TRY(transformer_forward_into(model, batch, out));
    return out;
}
template<class S>
Result<TransformerBackward<S>> transformer_backward(const Transformer<S>& model,
                                                    const TransformerForward<S>& forward) {
    TransformerBackward<S> out;
    TRY(transformer_backward_into(model, forward, Want::everything, out));
    return out;
}

// A batch's forward and backward pass, its sentences shared out among the model's threads: a share
// is a batch of its own until the gradients of the weights are added up. Where tokens of different
// sentences share statistics, all of them are one share.
template<class S>
struct BatchPass {
    double loss = 0;                            // mean over all tokens under the head
    std::vector<TransformerForward<S>> forward; // a share each, its loss that of the share
    // A share each; the first share holds the weights' gradients of the whole batch.
    std::vector<TransformerBackward<S>> backward;
};

// Errors: those of transformer_forward and transformer_backward.
template<class S>
Result<BatchPass<S>> batch_pass(const Transformer<S>& model, const Batch& batch);

} // namespace normscope
