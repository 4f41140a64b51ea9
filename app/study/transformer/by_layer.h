#pragma once
#include "app/study/node.h"
#include "app/study/transformer/document_model.h"
#include "core/transformer/measure.h"

#include <memory>
#include <vector>

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

} // namespace normscope
