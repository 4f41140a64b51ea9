#pragma once
#include "app/charts/flow_band.h"
#include "app/layout/sliders.h"
#include "app/layout/small_words.h"
#include "app/model/flow/flow_stories.h"
#include "app/study/gradient_flow/flow_runner.h"
#include "app/workspaces/shared/line_style.h"
#include "app/workspaces/shared/panel.h"
#include "core/flow/path_lengths.h"

#include <span>
#include <string>
#include <vector>

// The panels of the Gradient flow workspace.
namespace normscope {

// The studies that drawing keeps between frames.
struct FlowMemory final : OwnMemory {
    FlowRunner runner;
};

using FlowPanel = Panel<FlowView>;

// Every setting of the present stack.
void stack_panel(FlowPanel& p);

// The present stack and the pinned ones: the legend of the curves.
void compared_panel(FlowPanel& p);

// Comparisons worth seeing, what to look for, and the choice to predict first.
void stories_panel(FlowPanel& p);

void river_panel(FlowPanel& p);
// The river's words about a block, and about all blocks while none is in focus.
std::string words_about(const StackStudy& study, const GradientFlow& flow, int block,
                        const FlowSlice& slice, bool stopped);
std::string words_about_all(const StackStudy& study, const GradientFlow& flow,
                            const std::vector<FlowSlice>& slices);

// A quantity per block, of the present stack and the pinned ones.
void gradients_panel(FlowPanel& p);

// The gradients panel while a story is told to one who predicts: says what the story is about and
// takes a shape or a drawn line, until the viewer asks for the answer.
void ask_expectation(FlowPanel& p, Rect inside);
// A viewer's expectation of ‖∂L/∂x_l‖, l = 0 … blocks, with `top` at l = blocks, on a logarithmic
// axis of `decades` up and down: as drawn, straight between strokes and up to the top,
// level from the first point to the input; else a line of the chosen shape; empty without either.
std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top, double decades);

// A stroke of the pen from one point to another, without gaps and within `decades` up and down: l,
// log10 of the ratio to the top.
void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to, double decades);

// The verdict on the prediction once it is revealed.
std::string prediction_verdict(const FlowView& view, const StackStudy& study);

// How many paths there are of each length, and what they carry.
void paths_panel(FlowPanel& p);

// The studies of all stacks, as far as they have come.
const FlowStudies& studies_of(const FlowPanel& p);

// The study of the present stack; null: none has come yet.
const StackStudy* present_study(const FlowPanel& p);

// A panel's hint, or that what it shows is of the stack before the last change, where the present
// one takes so long that the two could be mixed up.
std::string_view outdated_hint(const FlowPanel& p, std::string_view otherwise);

// The hint, or none where the title leaves it no room in `r`.
std::string hint_beside(const Ui& ui, Rect r, std::string_view title, std::string_view hint);

// Whether measuring was stopped before all that is wanted of the stack was measured.
bool stopped_short(const FlowPanel& p);

// Whether a story is told to one who predicts: the question and its answer come before the river.
bool is_predicted(const FlowView& view, const FlowSetup& setup);

// Whether a story's curve is hidden until the viewer has said what to expect.
bool hidden_until_revealed(const FlowPanel& p);

// Whether a guess that was not revealed is left of a story which `setup` is not.
bool leaves_a_guess(const FlowView& view, const FlowSetup& setup);

// The block whose numbers are shown: the one that is hovered, else the one that was clicked or that
// the keyboard is at; 1 … blocks.
std::optional<int> block_in_focus(const FlowPanel& p, int blocks);

// Makes a block the chosen one; where the sliders change one block's γ and β, then this one's.
void choose_block(FlowView& view, int block);

// "98.0 %", "0.138 %": a share of 1 with three digits.
std::string share_text(double share);

// x₁₂: a number below the line.
std::string subscript(int number);

// How a stack's curve looks, in the chart and in the list. No two alike, without their colour too.
LineStyle present_style(const Theme& theme);
LineStyle pinned_style(const Theme& theme, std::size_t index);
inline constexpr float k_curve_marker = 3.5f; // of a swatch

// In a picture: which stack it is of, in small words that are cut from the top of `inside`; nothing
// on the screen, where the controls say so.
void name_stack(Ui& ui, Rect& inside, const StackConfig& stack);

// Whether `height` of words leave a chart of some size in `inside`. On the screen they do; a
// picture may be small, and its chart goes before its words.
bool has_room(const Ui& ui, Rect inside, float height);

// A curve's value at the block that is looked at.
struct ListedValue {
    std::string name;
    LineStyle style;
    std::string mean;
    std::string
        reach; // of several seeds: "(0.1 to 0.2)"; left out where not all of a column have room
};

// The values of all curves that are compared, below a line that says where: in two columns, one
// below the other where the panel is narrow.
void value_list(Ui& ui, Rect r, std::string_view where, std::span<const ListedValue> values);
float value_list_height(const Ui& ui, float width, std::size_t values);

// The words in the middle of a panel that has nothing to draw.
void instead(Ui& ui, Rect r, std::string_view words);

// The logarithmic axis for curves that reach so far each, in whole decades. Where one curve leaves
// two or more others far behind, only its beginning has room, so that the others can be told apart.
LineRange curves_range(std::span<const LineRange> curves);

// `range` so large that a guess and the measured curve that it is of have room whole.
LineRange with_guess(LineRange range, LineRange guess, LineRange measured);

// A curve's last crossing of an edge of `range`. leaves(): the lower edge's first; empty: the curve
// stays within.
struct Leaving {
    DataPoint at;        // on the edge
    double farthest = 0; // the value that it reaches beyond it
};
std::vector<Leaving> leaves(std::span<const DataPoint> points, LineRange range);

// Path lengths `first` to `last`, how many of all paths have one, their share of the energy
// (‖g_k‖²/Σ_j‖g_j‖², summed) and of the gradient itself (⟨g_k, g⟩/‖g‖², summed; may be negative).
struct PathBin {
    int first = 0, last = 0;
    double paths = 0;
    double energy = 0;
    double signed_share = 0;
};

// Lengths 0 … K of a stack's paths in at most `most` bins: 0 alone, the others of one width.
// Without a skip there is one path, through all K. Shares that are not there count as 0.
std::vector<PathBin> path_bins(const StackConfig& stack, const PathLengths& lengths, int most);

// "3", or "4–7".
std::string bin_name(const PathBin& bin);

// One path of `length` sublayers, drawn evenly among all of that length: a 1 for each block of
// which it crosses a sublayer. Empty where there is no such path.
std::vector<std::uint8_t> typical_route(const StackConfig& stack, int length, std::uint64_t seed);

} // namespace normscope
