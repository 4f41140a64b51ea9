#pragma once
#include "app/study/opened_part.h"
#include "core/train/trainer.h"

#include <memory>
#include <string>

namespace normscope {

// The step that a run of points is about to take: forward, loss, backward and update.
struct MlpStep {
    Index step = 0;        // as many are taken before it
    Mlp<float> before;     // the weights that it reads
    PointSet<float> batch; // its points
    MlpPass<float> pass;   // what they become, and the gradients
    double loss = 0;       // of the batch
    double learning_rate = 0;
    Vector<float> after; // the values of `before` after its update
};

inline constexpr Index k_most_step_values = 200000; // of all layers; there is no look at more

// Null of a Transformer and of a net that is too large to be kept. Errors: those of the passes.
Result<std::shared_ptr<const MlpStep>> look_at_step(const Trainer<float>& trainer);

// A layer's norm as an Add & Norm whose F(X) is what it reads, W·h + b or φ(W·h + b), and whose X,
// which is not added, is h; a token is a point of the batch.
Result<Document> open_layer(const Document& document, const MlpStep& step, std::size_t layer,
                            const std::string& lane);

} // namespace normscope
