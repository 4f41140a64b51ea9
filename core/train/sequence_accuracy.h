#pragma once
#include "core/transformer/transformer.h"

namespace normscope {

// By the running statistics, of a norm that has them.
template<class S>
Transformer<S> in_evaluation(Transformer<S> transformer) {
    for (TransformerStack<S>* stack : {&transformer.encoder, &transformer.decoder})
        for_norms(*stack, [](Mode& mode, const auto& /*running*/) { mode = Mode::eval; });
    return transformer;
}

// Whether a sentence is right as a whole, or each of its words counts.
enum class Counted : std::uint8_t { sentences, words };

// The share that is right: where the likeliest word is the label, of the words that have one.
// `forward` is of the batch.
template<class S>
double sequence_accuracy(const TransformerForward<S>& forward, const Batch& batch, Counted counted);

// The share of sentences that an encoder–decoder writes right by itself: word after word the
// likeliest one, from the first word of the target on. Errors: those of the forward pass.
template<class S>
Result<double> greedy_accuracy(const Transformer<S>& model, Batch batch);

// Of cross-attention: the mean weight of word t on word n − 1 − t of a source of n words, by the
// head and layer where it is highest. `forward` is of an encoder–decoder with targets as long as
// their sources.
template<class S>
double antidiagonal_best(const Transformer<S>& model, const TransformerForward<S>& forward);

} // namespace normscope
