#pragma once
#include "app/charts/distribution_chart.h"
#include "app/workspaces/transformer/panels.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The parts of the lens, a kind of box each, and what they draw with.
namespace normscope {

// The largest |value|; 0 of none.
inline double most_of(const Matrix<float>& m) {
    return m.size() > 0 ? static_cast<double>(m.cwiseAbs().maxCoeff()) : 0;
}

// The box that the lens shows: the chosen one; where the model has none such, an Add & Norm.
Box chosen_box(const Frame& frame, const TransformerStudy& study);
// The same box from now on, and its layer in the figure.
void choose_box(Actions& actions, const Box& box);

// A panel of a study that has nothing else to show: why. False: there is something.
bool says_why_not(Ui& ui, Rect r, std::string_view title, const TransformerStudy& study);

// The pinned token of a box's side, or its last one.
Index token_of(const Frame& frame, const TransformerStudy& study, StackSide side);

// The cell under the mouse in a map of the lens.
std::optional<HeatmapCell> over_map(const Frame& frame, const Box& box, std::string_view map);
// The whole row of it in another map with so many columns; none: nothing is under the mouse.
std::vector<CellBlock> row_of(const std::optional<HeatmapCell>& at, Index cols);

// A heat map below its title, with the words at its rows. A click pins the row's token.
struct NamedMap {
    std::string_view slot, title;
    std::string note; // behind the title, where there is room
    Stage stage = Stage::x;
    const Matrix<float>& values;
    double limit = 1;
    StackSide side = StackSide::encoder;
    float names_w = 0; // of the words; 0: none
    Lights lights = {};
};
// Returns the cell under the mouse.
std::optional<HeatmapCell> named_map(Ui& ui, Rect r, const Frame& frame, Actions& actions,
                                     const NamedMap& map);
float words_width(const Ui& ui, std::span<const std::string> words);

// Maps below one another, each as high as its words need where there is room; cut from `r`.
std::vector<Rect> stacked_maps(const Ui& ui, Rect& r, std::size_t count, Index rows);

// A cell that a lens writes the arithmetic of: under the mouse in the lens (it lights up
// everywhere) or in the figure; else the pinned token's largest of `values`.
HeatmapCell worked_cell(const Frame& frame, Actions& actions, const Box& box,
                        const std::optional<HeatmapCell>& hovered, const Matrix<float>& values,
                        Index token);

// Lines of arithmetic, as large as the longest one has room for. Returns their height.
float formula_lines(Ui& ui, Rect r, std::span<const std::string> lines);
float formula_height(const Ui& ui, std::size_t lines);

// The words of the head's vocabulary at one of its tokens, the likeliest first, as many as fit into
// `r`; the label's is marked and always there.
void word_bars(Ui& ui, Rect r, const TransformerStudy& study, Index token, std::size_t most);

void add_norm_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
void final_norm_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
void attention_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
// Below the lens of an Add & Norm: all attention of its layer, or what differs between layers.
void lower_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
void layer_attention(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
// 1 … H, mean: as buttons where these have room, else counted. Takes the right of `row`.
void head_choice(Ui& ui, Rect& row, const Frame& frame, Actions& actions, int heads);
// Which outputs of the decoder move when the pinned word is another.
void peek_strip(Ui& ui, Rect r, const Frame& frame);
void feed_forward_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
void embedding_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
void head_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);
// In Gradient: what goes back through the box, whatever its kind.
void gradient_lens(Ui& ui, Rect r, const Frame& frame, Actions& actions, const Box& box);

} // namespace normscope
