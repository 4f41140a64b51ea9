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
    if (!norm_first) return {study.block(box).affine, study.gradient(box), "its norm"};
    if (const auto above = study.next(box)) {
        const BlockBackward<float>* const back = study.backward(*above);
        return {study.block(*above).affine, back ? back->dnormed : Matrix<float>(),
                "the norm of the next sublayer"};
    }
    const auto& norm = of_side(study.model(), box.side).final_norm;
    return {norm ? norm->affine
                 : identity_affine<float>(AffinePer::feature, 1, study.setup().config.width),
            study.gradient(norm ? Box{Box::Kind::final_norm, box.side} : box), "the final norm"};
}

} // namespace

Result<Document> open_add_norm(const Document& document, const TransformerStudy& study,
                               const Box& box) {
    if (study.error()) return tl::unexpected(*study.error());
    AddNormNumbers n = study.add_norm(box);
    const BlockOptions& options = study.block(box).options;
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
