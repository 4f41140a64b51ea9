#pragma once
#include "app/charts/heatmap.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "app/workspaces/batch_vs_layer/panels.h"

#include <functional>
#include <optional>
#include <string_view>

// The cards of norms_panel(): Z, and what a norm makes of it. What is drawn over and beside the
// heat maps of this workspace.
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

// Rims on the cells that moved, green, or that would, blue; as strong as |change| / largest. Where
// cells are too small for rims, one around `bounds`, outside of which nothing moved.
struct Glow {
    CellBlock bounds;
    double largest = 0;
    std::function<double(Index, Index)> change; // of a row's and column's value
    bool moved = true;                          // and not just would
};
void draw_glow(Ui& ui, Rect area, const HeatmapPort& port, const Glow& glow);

// A thin outline around every set that shares its statistics. None where the cells are too small to
// tell outlines apart.
void outline_sets(Ui& ui, Rect area, const HeatmapPort& port, const StatisticSets& sets);

// Statistics at the edge they belong to. Where they have no room, only the one in focus.
struct Edge {
    Rect area; // of the cells
    HeatmapPort port;
    std::optional<Index> focus;
};

// A number beside every row, in a strip right of the cells.
void numbers_beside_rows(Ui& ui, Rect strip, const Edge& edge, const Vector<double>& values);

// μ and σ, or σ², under every column, one line each in a strip below the cells, all in one size;
// their symbols are to the left. `beside`: those that stand beside them and look alike.
struct ColumnStatistics {
    const Vector<double>& mean;
    const Vector<double>& spread;
    std::string_view symbol = "σ²"; // of the spread
};
void statistics_below_columns(Ui& ui, Rect symbols, Rect strip, const Edge& edge,
                              const ColumnStatistics& shown, const ColumnStatistics& beside);

// How far the colours of a result reach where those of x̂ reach `x_hat`.
double result_limit(const BatchStudy& study, NormResult which, double x_hat);

// How wide a strip beside rows must be for these values.
float numbers_width(const Ui& ui, const Vector<double>& values);

} // namespace normscope
