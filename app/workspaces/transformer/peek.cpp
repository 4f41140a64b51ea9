#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/transformer/lens.h"

#include <algorithm>

namespace normscope {

void peek_strip(Ui& ui, Rect r, const Frame& f) {
    const TransformerStudy& study = transformer_of(f);
    const Words& tokens = study.tokens(StackSide::decoder);
    const Index token = token_of(f, study, StackSide::decoder);
    auto& memory = f.memory.of<TransformerMemory>();
    memory.peeked = token;
    const Peek* peek = memory.peek.find(Peek::Input{f.document.transformer, token});
    if (!peek || peek->moved().size() != tokens.size()) return;
    ui.label(cut_top(r, ui.px(20)),
             worded("If “{}” were “{}”, each output would move by",
                    tokens[static_cast<std::size_t>(token)], peek->word()),
             TextRole::small, ui.theme.ink_soft);
    const float w = r.w / static_cast<float>(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const double moved = peek->moved()[i];
        Rect cell = cut_left(r, w);
        const Rect bar{cell.x, cell.bottom() - ui.px(4), cell.w - ui.px(4), ui.px(4)};
        ui.canvas.fill_rect(bar, ui.theme.rule, ui.px(2));
        const auto share = static_cast<float>(std::clamp(moved, 0.0, 1.0));
        const bool earlier = static_cast<Index>(i) < token;
        ui.canvas.fill_rect({bar.x, bar.y, bar.w * share, bar.h},
                            ui.theme.of(earlier ? Stage::gamma : Stage::y), ui.px(2));
        // A leak is a number before the word that is another.
        const std::string text = moved == 0 ? "0" : fixed_text(100 * moved, 0) + " %";
        cut_right(cell, ui.px(4));
        const float text_w = ui.canvas.text_size(text, TextRole::number_small).w + ui.px(4);
        if (cell.w >= 2 * text_w)
            ui.label(cut_left(cell, cell.w - text_w), tokens[i], TextRole::small,
                     ui.theme.ink_soft);
        ui.label(cell, text, TextRole::number_small,
                 moved == 0 ? ui.theme.ink_soft
                            : ui.theme.ink_of(earlier ? Stage::gamma : Stage::y));
    }
}

} // namespace normscope
