#pragma once
#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/layout/small_words.h"
#include "app/study/add_norm/geometry.h"
#include "app/words/worked_steps.h"
#include "app/workspaces/shared/focus.h"
#include "app/workspaces/shared/panel.h"
#include "core/base/lists.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

// The panels of the Add & Norm workspace.
namespace normscope {

// The place of a card's cells and its distribution in this frame.
struct CellsAt {
    Rect area;
    HeatmapPort port;
    Rect distribution;
};

// The line of "Play the five steps" in this frame.
struct PlayedLine {
    float zero = 0, per_unit = 1, base = 0;

    float x(double value) const { return zero + static_cast<float>(value) * per_unit; }
};

struct AddNormMemory final : OwnMemory {
    DistributionMemo distributions;
    std::array<HeatmapPicture, k_tensors> cards;     // large matrices as pictures
    std::array<HeatmapPicture, k_tensors> overviews; // and the whole of them, small
    std::array<CellFormatMemo, k_tensors> formats;
    std::array<std::optional<CellsAt>, k_tensors> cells_at; // none: not drawn
    std::optional<PlayedLine> line;
    float page_h = 0; // of the window that the page is in, at scale 1
};

using AddNormPanel = Panel<AddNormView>;

// The names of the cards, by Tensor.
inline constexpr std::array<std::string_view, k_tensors> k_card_ids = {"card-x", "card-f", "card-z",
                                                                       "card-x-hat", "card-y"};

// Room in the card of Z for μ and σ: beside its rows, or below its columns.
struct EdgeRoom {
    float left = 0, right = 0, below = 0;
    Index groups = 1;               // of every token, as many as there is room for
    std::optional<Index> only = {}; // the one that is shown where there is room for one
};
// `width`: of all cards.
EdgeRoom edge_room(const AddNormPanel& p, float width);

// `heads`: above the cells and what stands beside them; `below`: under the cells.
void draw_edge(AddNormPanel& p, const EdgeRoom& room, Rect cells, const HeatmapPort& port,
               Rect heads, Rect below, TextRole largest);

// One of the five matrices. `names_w`: of token names; `padding`: at scale 1; `low`: without its
// distribution.
struct CardRoom {
    float names_w = 0;
    EdgeRoom edge = {};
    float padding = 10;
    bool low = false;
};
void card_panel(AddNormPanel& p, Rect r, Tensor which, const CardRoom& room);

// The value with the full colour in a card.
double color_limit(const AddNormPanel& p, Tensor which);

// At `r` stands a key of the card's colours: a lesson that shows the card shows it.
void name_key(Ui& ui, Tensor which, Rect r);

// The height, at scale 1, in which the cells of so many tokens leave no room empty.
float card_height(Index tokens);
// The height of a low card, its cells `cell` high, with a strip `edge` high below them.
float low_card_height(Index tokens, float cell, float edge);

inline constexpr float k_cards_head = 36;    // above the cards, at scale 1
inline constexpr float k_row_of_cards = 900; // the width from which all five stand in a row
void cards_panel(AddNormPanel& p);
// As many cards a row as have room. While they are played in one column, those that the step
// lights up come first.
void card_rows_panel(AddNormPanel& p);

// The room for names at the left of cells. Those of few features are large, and so are the names.
float names_room(const Ui& ui, const Document& d);

// How wide the longest name is beside cells, within reason.
float names_width(const Ui& ui, std::span<const std::string> names,
                  TextRole role = TextRole::title);

// X and Y alone, in digits that are read from the last row: a value of X is dragged, and Y follows.
void x_to_y_panel(AddNormPanel& p);

void faders_panel(AddNormPanel& p);
// The faders with Y below them, which follows.
void faders_to_y_panel(AddNormPanel& p);
void before_after_panel(AddNormPanel& p);
void steps_panel(AddNormPanel& p);
bool dots_travel(const View& view); // from Z to x̂ to Y, for a while after they were sent

// Below the steps: the group through Z, x̂ and Y, which returns the height it took, and a question.
float statistics_part(AddNormPanel& p, Rect area);
void prediction_part(AddNormPanel& p, Rect area);

// Space and arrows walk through the played steps: called before others that listen are drawn.
void play_keys(AddNormPanel& p);

// Takes the steps on by the time that passed while they run.
void run_play(AddNormPanel& p);
void go_to(AddNormView& view, double time); // of the steps, and rests there

// The played steps on a line of values, with a slider over their time.
void stage_panel(AddNormPanel& p);

// "Play", and while the five steps are played the end of it, cut from the right end of `row`.
void play_button(AddNormPanel& p, Rect& row);

// Over the cards and the stage: numbers on their way, and cells that are still to come.
void draw_flights(const AddNormPanel& p);

// The step that is played alone, as high as each of them needs.
void played_step_panel(AddNormPanel& p);

// The settings, the edits to try, and the check for which tokens the norm is undone: sections of a
// panel, side by side where there is room.
void setup_panel(AddNormPanel& p);

// "γ=√(σ²+ε) and β=μ": what undoes the norm of a document that normalizes.
std::string undoing_words(const Document& d);
// For which tokens γ and β undo the norm, so that Y = Z.
void undo_check(AddNormPanel& p, Rect area);

// Few values of a distribution are drawn as dots, very many never are.
bool drawn_as_dots(const AddNormView& view, Index values);

// The values of a matrix that a pool takes, row by row.
std::vector<double> pooled_values(const Derived& derived, Tensor which, const Pool& pool);

// The group that the steps show: the one in focus; while they are played the pinned one.
Index worked_group(const AddNormPanel& p);

// The part a tensor plays in a worked step: what "Play the five steps" lights.
bool takes_part(Tensor which, WorkedKind step);

// "Geometry", in place of the cards: tokens of three features as points in space.

// a = γ⊙dY of a token, the parts of it that the norm takes off, and dz.
struct GradientParts {
    Vec3 a, along_one, along_x_hat, dz;
};

// The parts of a document in one picture of space.
struct SpaceScene {
    Geometry geometry;
    const Document& document;
    Index focus = 0; // the token whose steps are numbered
    std::optional<GradientParts> gradient = std::nullopt;
    double reached = 4;  // of the four steps; a part of one is that far on the way
    bool words = true;   // names at points and lines
    bool arrows = false; // of the gradient

    const TokenWay& way() const { return entry_at(geometry.tokens, focus); }
};

// So many tokens are drawn in space, the first ones.
inline constexpr Index k_most_points = 200;
SpaceScene scene_of(const Frame& frame);

// How far everything of the scene reaches on the picture, however it is turned about the direction
// 1; in its units.
struct SpaceReach {
    Extent across, high;
};
SpaceReach reach_of(const Camera& camera, const SpaceScene& scene);

// The view in which the reach `held`, else the whole scene's, fits into `area`; but circle and
// sphere stay large.
SpaceView fit_scene(Rect area, const Camera& camera, const SpaceScene& scene,
                    const std::optional<SpaceReach>& held = std::nullopt);
void draw_scene(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene);

// A point on the way of `way`, so many steps after Z, and where it is drawn.
Vec3 on_the_way(const TokenWay& way, double steps);
Point place_on_way(const SpaceView& view, const TokenWay& way, double steps);

// Takes mouse and keys in `area`, which move tokens and the camera; draws the handles.
void take_space(AddNormPanel& p, Rect area, const SpaceView& view, const SpaceScene& scene);

// The two handles of the token in focus: its mean and its length, which the norm forgets, to be
// pulled.
struct Handles {
    std::optional<Point> mean, length; // none: the norm does not forget it
};
Handles handles_of(const SpaceView& view, const SpaceScene& scene);

void space_panel(AddNormPanel& p);
void four_steps_panel(AddNormPanel& p);
void space_norm_panel(AddNormPanel& p);
void forgotten_panel(AddNormPanel& p);
void side_panel(AddNormPanel& p);
void above_panel(AddNormPanel& p);
void x_hat_length_panel(AddNormPanel& p);

// Plays the four steps while they run.
void play_on(AddNormPanel& p);

// "Cards | Geometry", cut from the right end of `row`.
void view_choice(AddNormPanel& p, Rect& row);

// In place of the page.
float geometry_page(AddNormPanel& p);

} // namespace normscope
