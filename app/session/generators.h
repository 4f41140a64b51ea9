#pragma once
#include "app/model/document.h"

#include <cstdint>
#include <vector>

namespace normscope {

// A matrix like the activations inside a trained model: every feature has its own scale, and in a
// few of them every token is tens of times larger (Dettmers et al. 2022, "LLM.int8()", section 4).
struct ActivationRecipe {
    Index tokens = 128;
    Index features = 768;
    std::uint64_t seed = 0;
    std::vector<Index> outlier_features; // each below `features`
    double outlier_scale = 40;           // how far their values lie from 0, about
};

// X and F(X) by the recipe, the same on every platform, to three decimals: what can be printed is
// all there is. tokens and features are within the limits of a document.
Document generate_activations(const ActivationRecipe& recipe);

} // namespace normscope
