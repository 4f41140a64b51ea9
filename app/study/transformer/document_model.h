#pragma once
#include "app/model/transformer/transformer_setup.h"
#include "core/base/lists.h"
#include "core/base/progress.h"
#include "core/transformer/transformer.h"

#include <memory>

// The Transformer of a document and the sentence that goes through it.
namespace normscope {

// The encoder's or the decoder's member of a struct that has both.
template<class Both>
auto& of_side(Both& both, StackSide side) {
    return side == StackSide::encoder ? both.encoder : both.decoder;
}

// The entry of a place by its layer and its block.
template<class Layers, class Place>
auto& in_block(Layers& layers, const Place& place) {
    return entry_at(entry_at(layers, place.layer), place.block);
}

using SharedTransformer = std::shared_ptr<const Transformer<float>>;

// The Transformer with nothing taken out. Its weights are the file's, or drawn: a word's rows by
// its own letters, so that they stay when another word comes or goes. Errors: those of
// empty_transformer().
Result<SharedTransformer> whole_model(const TransformerSetup& setup);

// The Transformer without the pieces; `whole` itself where there are none.
SharedTransformer without(SharedTransformer whole, const std::vector<TakenOut>& pieces);

struct ParameterCounts { // by what they are for
    Index attention = 0, feed_forward = 0, norms = 0, words = 0;
    Index all() const { return attention + feed_forward + norms + words; }
};
ParameterCounts count_parameters(const Transformer<float>& model);

// A sentence and its forward pass. Where the decoder reads words of its own choice, each is the
// likeliest after those before (greedy). Errors: those of transformer_forward(); a stop.
struct Passed {
    Sentence sentence;
    TransformerForward<float> forward;
};
Result<Passed> pass_through(const Transformer<float>& model, const TransformerSetup& setup,
                            const Progress& progress = {});

// Multiplications of a forward and a backward pass, decoding included.
double work_of(const TransformerSetup& setup);
bool fits_in_a_frame(double multiplications);

} // namespace normscope
