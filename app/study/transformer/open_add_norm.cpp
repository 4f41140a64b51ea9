#include "app/study/transformer/transformer_study.h"

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
    if (!norm_first)
        return {study.block(box.side, box.layer, box.block).affine, study.gradient(box),
                "its norm"};
    const bool last_block = box.block + 1 == study.blocks(box.side);
    const int layer = last_block ? box.layer + 1 : box.layer;
    const int block = last_block ? 0 : box.block + 1;
    if (layer < study.layers(box.side)) {
        const BlockBackward<float>* const back = study.backward(box.side, layer, block);
        return {study.block(box.side, layer, block).affine, back ? back->dnormed : Matrix<float>(),
                "the norm of the next sublayer"};
    }
    const bool encoder = box.side == StackSide::encoder;
    const auto& norm = (encoder ? study.model().encoder : study.model().decoder).final_norm;
    return {norm ? norm->affine
                 : identity_affine<float>(AffinePer::feature, 1, study.setup().config.width),
            study.gradient(norm ? Box{Box::Kind::final_norm, box.side, 0, 0} : box),
            "the final norm"};
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
