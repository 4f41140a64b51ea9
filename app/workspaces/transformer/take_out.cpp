#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>

namespace normscope {

void take_out_row(Ui& ui, Rect row, const Frame& f, Actions& a, const Box& box) {
    const IdScope scope(ui, "take-out");
    const TransformerSetup& setup = f.document.transformer;
    const std::string_view label = "Take out";
    ui.label(cut_left(row, ui.canvas.text_size(label, TextRole::label).w + ui.px(8)), label,
             TextRole::label, ui.theme.ink_soft);
    const bool out_of_norm = !norm_entry(setup.config.norm).normalizes();
    for (const auto& [piece, id, name] : choices(BlockPiece{})) {
        const TakenOut what{box.side, box.layer, box.block, piece};
        const bool out = is_taken_out(setup, what);
        const bool there = !(piece == BlockPiece::skip && setup.config.skip == Residual::no_skip) &&
                           !(piece == BlockPiece::norm && out_of_norm);
        const std::string_view hint =
            piece == BlockPiece::sublayer ? "F(X) = 0, as if it had learned nothing: what is left "
                                            "is the skip, and its norm"
            : piece == BlockPiece::skip   ? "Nothing goes around the sublayer"
                                          : "Nothing is normalized; γ and β stay";
        if (button(ui, id, cut_left(row, button_width(ui, name), ui.px(4)),
                   {name, out ? ButtonLook::primary : ButtonLook::plain, there || out, hint}))
            a.edits.push_back(TakeOut{what, !out});
    }
}

std::string moved_words(const TransformerStudy& study) {
    const auto& moved = study.moved();
    if (!moved) return {};
    std::string words =
        worded("Without what is taken out, the output moves by {:.1f} %", 100 * moved->share);
    if (moved->loss && study.forward().loss)
        words += worded(", the loss from {:.3f} to {:.3f}", *moved->loss, *study.forward().loss);
    const auto silent = [](const TakenOut& out) { return out.piece == BlockPiece::sublayer; };
    if (std::ranges::any_of(*study.setup().taken_out, silent))
        words +=
            study.setup().config.placement == Placement::post ||
                    study.setup().config.placement == Placement::deepnorm
                ? worded(". Where F = 0 the sublayer has learned nothing: Add & Norm gives LN(X)")
                : worded(". Where F = 0 the sublayer has learned nothing: the Add gives X");
    return words;
}

} // namespace normscope
