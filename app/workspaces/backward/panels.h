#pragma once
#include "app/charts/bars.h"
#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/layout/sliders.h"
#include "app/study/backward/backward.h"
#include "app/study/backward/group_memo.h"
#include "app/workspaces/shared/focus.h"
#include "app/workspaces/shared/held.h"
#include "app/workspaces/shared/panel.h"
#include "core/base/matrix.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

// The panels of the Backward workspace.
namespace normscope {

struct BackwardMemory final : OwnMemory {
    Study<Backward> backward; // the geometry of Add & Norm asks it too
    JacobianMemo jacobian;
    GroupCheckMemo group_check;          // of dz
    HeatmapPicture dy, dz, jacobian_map; // dY or target; dz is dX and dF(X) as well
};

const Backward& backward_of(const Frame& frame);

// dz is next to nothing: what its terms leave of each other, or a distance that is reached.
bool next_to_nothing(const Backward& backward);

using BackPanel = Panel<BackwardView>;

void dy_panel(BackPanel& p);      // where dY comes from, and its values
void surgery_panel(BackPanel& p); // γ⊙dY → minus mean → minus projection → divided by s, of the
                                  // group in focus
void add_panel(BackPanel& p);        // dz down the skip to X and through the sublayer
void parameters_panel(BackPanel& p); // dγ and dβ with what each token contributes
void jacobian_panel(BackPanel& p);
void learn_panel(BackPanel& p);       // gradient descent on γ and β
void scale_panel(BackPanel& p);       // what scaling Z does to Y and to the gradient
void conventions_panel(BackPanel& p); // what else "normalize" is taken to mean
void published_panel(BackPanel& p);   // a published derivation against the corrected one
void checks_panel(BackPanel& p);      // every gradient of the page against differences

// The menu on the cells of dy_panel().
void dy_menu(Turn turn);

// The steps of a run that are due by its speed: as many of them as a frame has time for.
std::optional<Edit> learning_due(View& view, const Document& document, double seconds);

// "studying, d3": a cell by its names; `entry` is token·D + feature, −1 for none.
std::string entry_name(const Document& document, Index entry);

// Outlines the group in focus in a T×D map and marks what is hovered or pinned.
void mark_focus(Heatmap& map, const Frame& frame);

// The check of a gradient against differences.
struct Checked {
    SampledCheck check;
    std::string where;             // the entry that is named
    std::optional<NotANumber> why; // it is NaN, where it is
};
Checked checked_group(const BackPanel& p, Index group); // of its dz

// Rounding in dz of the group; before dz it is s times as much. Terms of a distance are those of
// dY.
double rounding_of_dz(const Backward& b, const Surgery& s);
// dz of the group is 0 but for rounding, and that not because dY is.
bool is_rounding(const Backward& b, const Surgery& s);
// A term that is left out makes a difference; a NaN is no one's fault.
bool wrong_somewhere(const Backward& b);
// The words of the surgery: whose values are shown, what it is for, and what came of it.
std::string surgery_hint(const Document& d, const StatisticSets& sets);
std::string surgery_purpose(const Surgery& s);
std::string surgery_verdict(const BackPanel& p, const Backward& b, const Surgery& s,
                            const Checked& of_group);

// A badge off the right of `head`: all that the page shows is checked, or what is not. A click
// shows the list.
void page_badge(BackPanel& p, Rect& head);

// The ground of a verdict.
void pill(Ui& ui, Rect r, Color color, float alpha);

// Values as charts take them. `v` must outlive it.
inline std::span<const double> span_of(const Vector<double>& v) {
    return {v.data(), static_cast<std::size_t>(v.size())};
}

// "0.364", "3e-12", "NaN": a number in few characters.
std::string short_number(double value);

// One scale for the bars of both, so that equal bars are equal numbers; but where one is so many
// times the other, whose bars would not be seen.
void share_scale(Extent& a, Extent& b, double most_apart);

// The most decimals of a gradient, in cells as below bars.
inline constexpr int k_gradient_decimals = 4;

// In a row, a slot each, or beyond the ends of `bars` in it, of their ghosts and marks: the values
// with as many decimals, `most` to 1, as all of them have room for. Where there is none, the one
// that is lit. Values up to `rounding` are written 0, and where
// there is room for one digit only, those that have no bar beside the others ≈0. In ink, if no
// colour is given. Returns the number of decimals if all values are written with it.
std::optional<int> bar_numbers(Ui& ui, Rect row, std::span<const double> values, int most,
                               std::optional<Index> lit, double rounding = 0,
                               std::optional<Color> color = std::nullopt,
                               const SignedBars* bars = nullptr);

// The room that is left for bars between the numbers at their ends.
Rect between_numbers(const Ui& ui, Rect r, const Extent& scale);

// The names, elided; where slots are too narrow for any, the one that is lit.
void bar_names(Ui& ui, Rect row, Index n, const std::function<std::string(Index)>& name,
               std::optional<Index> lit);

} // namespace normscope
