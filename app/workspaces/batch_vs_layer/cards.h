#pragma once
#include "app/workspaces/batch_vs_layer/panels.h"

// The cards of norms_panel(): Z, and what a norm makes of it.
namespace normscope {

inline constexpr float k_card_padding = 20; // of a panel, both sides
inline constexpr float k_card_names_h = 22;
inline constexpr float k_card_line = 21;
inline constexpr float k_below_cells = 5 * k_card_line + 8; // statistics and three lines of words
inline constexpr Size k_largest_card_cell{110, 58};

// Where a card's parts are: the cells are equally large in all cards.
struct CardPlace {
    Rect r;
    float left_w = 0;  // of token names or symbols
    float right_w = 0; // of statistics beside the rows
    bool names = false;
};

// `limit`: the value with the full colour.
void z_card(Ui& ui, const CardPlace& place, const Frame& frame, Actions& actions,
            const BatchStudy& study, double limit);
void norm_card(Ui& ui, const CardPlace& place, const Frame& frame, Actions& actions,
               const BatchStudy& study, std::size_t which, double limit);

} // namespace normscope
