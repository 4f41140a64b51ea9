#pragma once
#include "app/study/lab/node.h"
#include "app/study/transformer/document_model.h"
#include "core/transformer/measure.h"

#include <memory>
#include <string>
#include <vector>

// A document's Transformer under other placements, and with another word.
namespace normscope {

// A document's Transformer layer by layer, under its own placement and beside it under post and
// pre: the same weights, the same sentence. A placement that the weights do not fit is left out.
struct ByLayer {
    struct Measured {
        Placement placement;
        TransformerMeasure measure; // without labels there is none: no gradient
    };

    static std::shared_ptr<const ByLayer> of(const TransformerSetup& setup,
                                             const std::shared_ptr<const ByLayer>& before,
                                             const Progress& progress = {});
    static bool fits_in_a_frame(const TransformerSetup& setup);
    bool is_of(const TransformerSetup& other) const {
        return setup == other && setup.decoded == other.decoded;
    }

    TransformerSetup setup;
    std::vector<Measured> measured; // its own first
};

// The outputs of the decoder that move when one word that it reads is another: with the causal mask
// the outputs before that word stay, bit for bit.
struct Peek {
    struct Input {
        TransformerSetup setup;
        Index token = 0; // whose word is another
        bool operator==(const Input&) const = default;
    };

    static std::shared_ptr<const Peek> of(const Input& input,
                                          const std::shared_ptr<const Peek>& before,
                                          const Progress& progress = {});
    static bool fits_in_a_frame(const Input& input);
    bool is_of(const Input& other) const {
        return input == other && input.setup.decoded == other.setup.decoded;
    }

    Input input;
    std::string word; // the other one
    // ‖Δy‖/‖y‖ of each token, of what the head reads; empty where there is nothing to compare.
    std::vector<double> moved;
};

} // namespace normscope
