#pragma once
#include "app/study/node.h"
#include "app/study/transformer/document_model.h"
#include "core/transformer/measure.h"

#include <memory>
#include <string>
#include <vector>

// What becomes of a document's Transformer where something about it is another.
namespace normscope {

// A document's Transformer layer by layer, under its own placement and beside it under post and
// pre: the same weights, the same sentence. A placement that the weights do not fit is left out.
class ByLayer {
  public:
    struct Measured {
        Placement placement;
        TransformerMeasure measure; // without labels there is none: no gradient
    };

    static std::shared_ptr<const ByLayer> of(const TransformerSetup& setup,
                                             const std::shared_ptr<const ByLayer>& before);
    static Where where(const TransformerSetup& setup, const ByLayer* before);
    bool is_of(const TransformerSetup& setup) const { return setup_ == setup; }
    bool fits(const TransformerSetup& /*setup*/) const { return true; }

    const std::vector<Measured>& measured() const { return measured_; } // its own first

  private:
    TransformerSetup setup_;
    std::vector<Measured> measured_;
};

// Which outputs of the decoder move when one word that it reads is another: with the causal mask
// those before it stay, bit for bit.
class Peek {
  public:
    struct Input {
        TransformerSetup setup;
        Index token = 0; // whose word is another
        bool operator==(const Input&) const = default;
    };

    static std::shared_ptr<const Peek> of(const Input& input,
                                          const std::shared_ptr<const Peek>& before);
    static Where where(const Input& input, const Peek* before);
    bool is_of(const Input& input) const { return input_ == input; }
    bool fits(const Input& input) const;

    const std::string& word() const { return word_; } // the other one
    // ‖Δy‖/‖y‖ of each token, of what the head reads; empty where there is nothing to compare.
    const std::vector<double>& moved() const { return moved_; }

  private:
    Input input_;
    std::string word_;
    std::vector<double> moved_;
};

} // namespace normscope
