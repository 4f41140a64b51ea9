#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_figure_caption_h = 20;

// "Goes into Feed forward and Add & Norm of encoder 2"; at the encoder's top how many read it.
std::string goes_into_words(const TransformerStudy& study, const Box& box, Index token,
                            Index feature) {
    const std::vector<BoxCells> readers = goes_into(study, box, token, feature);
    if (readers.empty()) return {};
    const Box& first = readers.front().box;
    std::string words(tr(name_of(study, first)));
    if (readers.size() > 2)
        return worded("Goes into {} of all {} decoder layers", words, readers.size());
    if (readers.size() == 2) words = worded("{} and {}", words, name_of(study, readers[1].box));
    return first.in_layer()
               ? worded("Goes into {} of {} {}", words, id_of(first.side), first.layer + 1)
               : worded("Goes into {}", words);
}

// The effect of the pieces taken out on the output: “… the output moves by 34.1 %, the loss from
// 2.104 to 2.433”; empty where nothing is taken out.
std::string moved_words(const TransformerStudy& study) {
    const auto& moved = study.moved();
    if (!moved) return {};
    std::string words =
        worded("Without what is taken out, the output moves by {:.1f} %", 100 * moved->share);
    if (moved->loss && study.forward().loss)
        words = worded("{}, the loss from {:.3f} to {:.3f}", words, *moved->loss,
                       *study.forward().loss);
    const auto silent = [](const TakenOut& out) { return out.piece == BlockPiece::sublayer; };
    if (std::ranges::any_of(*study.setup().taken_out, silent))
        words =
            study.setup().config.placement == Placement::post ||
                    study.setup().config.placement == Placement::deepnorm
                ? worded("{}. Where F = 0 the sublayer has learned nothing: Add & Norm gives LN(X)",
                         words)
                : worded("{}. Where F = 0 the sublayer has learned nothing: the Add gives X",
                         words);
    return words;
}

} // namespace

void provenance(TransformerPanel& p, Rect r) {
    const TransformerStudy& study = transformer_of(p);
    const auto& cell = p.view.hovered;
    if (!cell || !study.has(cell->box)) {
        if (const std::string moved = moved_words(study); !moved.empty())
            paragraph(p, r, moved, TextRole::small);
        else if (!p.state.picture)
            soft_label(p, cut_top(r, k_figure_caption_h),
                       "Point at a cell: where its number comes from");
        return;
    }
    const auto& [box, token, feature] = *cell;
    const Words& tokens = study.tokens(box.side);
    if (token >= std::ssize(tokens)) return;
    const std::string where = p.view.gradient ? gradient_from(study, box, token, feature)
                                              : where_from(study, box, token, feature);
    const std::string readers =
        p.view.gradient ? std::string() : goes_into_words(study, box, token, feature);
    const std::string made =
        worded("{}, “{}”: {}", place_of(study, box), study.word(box.side, token), where);
    // Whole, or without the readers; where that is too long as well, cut with dots.
    const std::string whole = readers.empty() ? made : made + ". " + readers;
    for (const std::string& words : {whole, made})
        if (paragraph_height(p, r.w, words, TextRole::small) <= r.h) {
            paragraph(p, r, words, TextRole::small);
            return;
        }
    p.label(cut_top(r, k_figure_caption_h), made, TextRole::small);
}

} // namespace normscope
