#pragma once
#include "core/transformer/transformer.h"

#include <vector>

namespace normscope {

// A batch's forward and backward pass, its sentences shared out among the model's threads: a share
// is a batch of its own until the gradients of the weights are added up. Where tokens of different
// sentences share statistics, all of them are one share.
template<class S>
struct BatchPass {
    double loss = 0;                            // mean over all tokens under the head
    std::vector<TransformerForward<S>> forward; // a share each, its loss that of the share
    // The same; the first one's gradients of weights are those of the whole batch.
    std::vector<TransformerBackward<S>> backward;
};

// Errors: those of transformer_forward and transformer_backward.
template<class S>
Result<BatchPass<S>> batch_pass(const Transformer<S>& model, const Batch& batch);

} // namespace normscope
