#include "app/study/transformer/open_add_norm.h"

#include "app/language/language.h"
#include "core/norm/affine.h"

namespace normscope {

namespace {

// The norm that reads the sum of a block: its own, that of the next block, or the final one.
struct ReadBy {
    Affine<float> affine;
    Matrix<float> dy;
    std::string_view words;
};

ReadBy reader_of(const TransformerStudy& study, const Box& box, bool norm_first) {
    const auto layer = static_cast<std::size_t>(box.layer);
    const auto block = static_cast<std::size_t>(box.block);
    const bool encoder = box.side == StackSide::encoder;
    const TransformerStack<float>& stack = encoder ? study.model().encoder : study.model().decoder;
    if (!norm_first) return {stack.layers[layer][block].affine, study.gradient(box), "its norm"};
    const bool last_block = block + 1 == stack.layers[layer].size();
    if (last_block && layer + 1 == stack.layers.size()) {
        const Box final{Box::Kind::final_norm, box.side, 0, 0};
        const Index features = study.setup().config.width;
        return {stack.final_norm ? stack.final_norm->affine
                                 : identity_affine<float>(AffinePer::feature, 1, features),
                study.gradient(stack.final_norm ? final : box), "the final norm"};
    }
    const std::size_t next_layer = last_block ? layer + 1 : layer;
    const std::size_t next = last_block ? 0 : block + 1;
    return {stack.layers[next_layer][next].affine,
            study.gradient_at_norm(box.side, static_cast<int>(next_layer), static_cast<int>(next)),
            "the norm of the next sublayer"};
}

} // namespace

Result<Document> open_add_norm(const Document& document, const TransformerStudy& study,
                               const Box& box) {
    if (study.error()) return tl::unexpected(*study.error());
    AddNormNumbers n = study.add_norm(box.side, box.layer, box.block);
    const BlockOptions& options = study.block(box.side, box.layer, box.block).options;
    ReadBy reader = reader_of(study, box, n.norm_first);
    AddNormPart part;
    part.title = worded("Transformer, {}", place_of(study, box));
    if (n.norm_first) part.title += worded(", then {}", reader.words);
    part.tokens = study.tokens(box.side);
    // With no skip what stands for X is not added.
    part.x = options.skip == Residual::add ? std::move(n.x) : study.input(box);
    part.f = std::move(n.f);
    part.norm = options.norm;
    part.residual = options.skip;
    part.affine = std::move(reader.affine);
    part.eps = options.eps;
    part.dy = std::move(reader.dy);
    return as_document(document, part);
}

} // namespace normscope
