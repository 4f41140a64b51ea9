#pragma once
#include "app/charts/heatmap.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"
#include "app/workspaces/transformer/view.h"

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

// Opens an Add & Norm of the study in another workspace: “add-norm”, “backward”.
void open_in(Actions& actions, const Box& box, std::string_view workspace);

// What can be taken out of the block of a box, and put back.
void take_out_row(Ui& ui, Rect row, const Frame& frame, Actions& actions, const Box& box);

// What that does at the output: “… the output moves by 34.1 %, the loss from 2.104 to 2.433”; empty
// where nothing is taken out.
std::string moved_words(const TransformerStudy& study);

// The value that has the full colour in all heat maps that are compared.
double figure_limit(const Frame& frame);

// A small heat map that fills `r`, tokens × features, without digits: `slot` names the place.
// Returns the cell under the mouse.
struct SmallMap {
    std::string slot;
    const Matrix<float>& values;
    double limit = 1;
    std::optional<Index> outlined_row = std::nullopt;
    std::vector<CellBlock> lit = {};     // what made the number under the mouse
    std::vector<CellBlock> readers = {}; // what it goes into
};
std::optional<HeatmapCell> small_map(Ui& ui, Rect r, const Frame& frame, const SmallMap& map);

// Outlines cells of a map: what made the number under the mouse, and, dashed, what it goes into.
void draw_lights(Ui& ui, Rect r, const HeatmapPort& port, std::span<const CellBlock> lit,
                 std::span<const CellBlock> readers);
void dashed_rect(Ui& ui, Rect r, Color color);

// A box of a layer as a part of a name: "decoder-cross", "decoder-cross-add".
std::string id_of(const TransformerStudy& study, const Box& box);

// The colour bar at a box's left edge: what kind of box it is.
Stage stage_of(const Box& box);

} // namespace normscope
