#pragma once
#include "app/workspaces/shared/labelled_rows.h"
#include "app/layout/sliders.h"
#include "app/workspaces/transformer/view.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

// The panels of the Transformer workspace. Each draws into its rectangle, reads the frame and
// pushes what was done to it; the heights are what a panel needs at a width.
namespace normscope {

// Every setting of the model, and how many parameters it has.
void model_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float model_height(const Ui& ui, const TransformerConfig& config, float width);

// The sentences as chips: click a word to type another one, + adds one.
void sentences_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float sentences_height(const Ui& ui, const Frame& frame, float width);

// The well-known drawing, each box with what it puts out.
void figure_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The two that meet at an Add: in the forward pass X and F(X), in the backward pass what comes down
// the skip and through the sublayer.
struct Meeting {
    double skip = 0, branch = 0;
    bool known = false;
    double share() const { return skip + branch > 0 ? skip / (skip + branch) : 0; }
    float drawn_share() const { return static_cast<float>(std::isfinite(share()) ? share() : 0); }
    std::string text() const; // "64:36"
};
Meeting meeting_at(const TransformerStudy& study, bool gradient, const Box& add);

// Every Add & Norm at once, each as a bar of what meets there; a click chooses it.
void draw_overview(Ui& ui, Rect area, const Frame& frame, Actions& actions,
                   const TransformerStudy& study);

// What the chosen box does, with its numbers.
void lens_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// W₂'s gradient and how alike the tokens are, layer by layer, post and pre compared.
void by_layer_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The pinned token's vector at every stage.
void way_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The probabilities at the pinned token, and the way to decode.
void next_word_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
// While decoding plays: the next word (WorkspaceEntry::run_on).
std::optional<Edit> decode_due(View& view, const Document& document, double seconds);

const TransformerStudy& transformer_of(const Frame& frame);

// The pinned token of a side; none: another side's is pinned.
std::optional<Index> pinned_in(const Frame& frame, StackSide side);
// The pinned token, or the last one under the head.
TokenOf token_in_focus(const Frame& frame, const TransformerStudy& study);

// Outlined cells of a map: what made the number under the mouse and, dashed, what it goes into.
struct Lights {
    std::vector<CellBlock> made = {}, readers = {};
};
void draw_lights(Ui& ui, Rect r, const HeatmapPort& port, const Lights& lights);
void dashed_rect(Ui& ui, Rect r, Color color);

// A small heat map that fills `r`, tokens × features, without digits: `slot` names the place.
// Returns the cell under the mouse.
struct SmallMap {
    std::string slot;
    const Matrix<float>& values;
    double limit = 1;
    std::optional<Index> outlined_row = std::nullopt;
    Lights lights = {};
};
std::optional<HeatmapCell> small_map(Ui& ui, Rect r, const Frame& frame, const SmallMap& map);

// A box of a layer as a part of a name: "decoder-cross", "decoder-cross-add".
std::string id_of(const TransformerStudy& study, const Box& box);

// The colour bar at a box's left edge: what kind of box it is.
Stage stage_of(const Box& box);

// "self", "cross", "FFN": what a sublayer does, where there is little room.
std::string_view short_name(Reading reading);

} // namespace normscope
