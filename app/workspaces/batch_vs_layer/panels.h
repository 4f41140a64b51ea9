#pragma once
#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/layout/sliders.h"
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/study/batch_vs_layer/batch_sequences.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "app/workspaces/shared/focus.h"
#include "app/workspaces/shared/held.h"
#include "app/workspaces/shared/panel.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

// The panels of the Batch vs Layer workspace.
namespace normscope {

struct BatchMemory final : OwnMemory {
    Study<BatchStudy> study;
    Node<SmallBatches, std::uint64_t> small_batches;
    // By the study's version, the cell that is probed and the result.
    Memo<std::tuple<std::uint64_t, Index, Index, NormResult>, Touch> probe;
    Memo<std::pair<std::uint64_t, NormResult>, Touch> edit;   // the same without a cell
    std::array<CellFormatMemo, 1 + k_compared_count> formats; // of Z and its norms
    // Z, its norms, who touches whom, train and eval
    std::array<HeatmapPicture, 3 + 2 * k_compared_count> maps;
};

using BatchPanel = Panel<BatchView>;

void influence_panel(BatchPanel& p);     // which token's values reach which token's, for each norm
void batch_size_panel(BatchPanel& p);    // the first B samples in training and in evaluation
void running_panel(BatchPanel& p);       // running statistics on their way, and what a NaN batch
                                         // does to them
void small_batches_panel(BatchPanel& p); // what a batch of few samples costs: an experiment beside
                                         // theory
void sequences_panel(BatchPanel& p);     // padded sentences, and what a later word does to an
                                         // earlier one

// Z, which is edited, and its x̂ or Y by each of k_compared_norms: a card each, in rows.
void norms_panel(BatchPanel& p);
void norms_menu(Turn turn); // of the cards' cells
// The height at which no card is squeezed; rows of cards are as low as `page` if all can be seen at
// once.
float norms_height(Index tokens, Size page, bool more_norms);

// The cell whose effect on the results is shown: in focus, else the first.
Cell probed_cell(const Frame& frame);

// The study of the frame's document and of the last edit's change to it.
const BatchStudy& study_of(const Frame& frame);

// The changes in the results by +1 on the probed cell, and by the last edit or the drag that goes
// on. edit_touch() needs knows_edit().
const Touch& probe_touch(const Frame& frame);
const Touch& edit_touch(const Frame& frame);
bool knows_edit(const Frame& frame);
bool shows_edit(const Frame& frame); // no value is pointed at: the edit glows

// Whether a group of the norm is so small that its x̂ is ±1 but for ε, whatever its values are.
bool is_degenerate(const BatchStudy& study, std::size_t norm, Index batch);

// The NaN or ∞ of Z, or of γ or β where Y is shown, that reaches the results, if there is one.
std::optional<NotANumber> not_a_number_in_results(const Frame& frame);

// The cards of norms_panel(), and what is drawn over and beside their heat maps.
inline constexpr float k_card_padding = 20; // of a panel, both sides
inline constexpr float k_card_names_h = 22;
inline constexpr float k_card_line = 21;
inline constexpr float k_below_cells = 6 * k_card_line + 8; // statistics and four lines of words
inline constexpr Size k_largest_card_cell{110, 76};

// The place of a card and of the parts beside its cells, which are equally large in all cards.
struct CardPlace {
    Rect r;
    float left_w = 0;  // of token names or symbols
    float right_w = 0; // of statistics beside the rows
    bool names = false;
};

// The values with the full colour.
struct CardLimits {
    double z, results;
};
void z_card(BatchPanel& p, const CardPlace& place, const CardLimits& limits);
void norm_card(BatchPanel& p, const CardPlace& place, std::size_t which, double limit);
void card_words(BatchPanel& p, Rect r, std::size_t which); // below the cells of a norm

// Rims on the cells that moved, green, or that would, blue; as strong as |change| / largest. Where
// cells are too small for rims, one around `bounds`, outside of which nothing moved.
struct Glow {
    CellBlock bounds;
    double largest = 0;
    std::function<double(Index, Index)> change; // of a row's and column's value
    bool moved = true;                          // and not just would
};
void draw_glow(Ui& ui, Rect area, const HeatmapPort& port, const Glow& glow);

// In each cell that moved, where there is room below its digits: its value of before.
bool shows_old_values(const Heatmap& map);
void draw_old_values(Ui& ui, Rect area, const Heatmap& map, const Moved& moved);

// A band over the values that share statistics with a cell; `way`: so far it has swept along them
// from there.
void draw_band(Ui& ui, Rect area, const HeatmapPort& port, const CellBlock& set, const Cell& from,
               float way);

// A thin outline around every set that shares its statistics, where cells are large enough.
void outline_sets(Ui& ui, Rect area, const HeatmapPort& port, const StatisticSets& sets);

// Statistics at the edge they belong to. Where they have no room, only the one in focus.
struct Edge {
    CellAxis cells;
    std::optional<Index> focus;
    TextRole largest = TextRole::number; // of the digits beside rows
};

// A number beside every row, in a strip right of the cells, with as many decimals as those `beside`
// have, as large as all of them fit into it.
void numbers_beside_rows(Ui& ui, Rect strip, const Edge& edge, const Vector<double>& values,
                         const Vector<double>& beside);

// The μ and σ of each group beside the row of its token, one below the other, named by the group's
// features. Where rows are too low for all of them: those of the group in focus.
struct GroupStatistics {
    const StatisticSets& sets;
    const Vector<double>&mean, &scale;
    const Names& features;
};
void statistics_of_groups(Ui& ui, Rect strip, const CellAxis& rows, const Cell& focus,
                          const GroupStatistics& shown);
inline constexpr float k_group_name_w = 62;

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

// The width of a strip of numbers beside rows, whatever they are: cells stand still while these
// grow.
float numbers_width(const Ui& ui);

} // namespace normscope
