#pragma once
#include "app/charts/distribution_chart.h"
#include "app/workspaces/transformer/panels.h"
#include "core/base/lists.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The parts of the lens, a kind of box each, and what they draw with.
namespace normscope {

// Says in a panel why its study has nothing to show. False: it has something.
bool says_why_not(TransformerPanel& p, std::string_view title);

// The pinned token of a side, or its last one.
Index token_of(const TransformerPanel& p, StackSide side);

// The width that the words at the rows of a map take.
float words_width(const Ui& ui, std::span<const std::string> words);

// The whole row of a cell in another map with so many columns; none: nothing is under the mouse.
std::vector<CellBlock> row_of(const std::optional<HeatmapCell>& at, Index cols);

// A heat map below its title.
struct LensMap {
    std::string_view slot, title;
    std::string note; // behind the title, where there is room
    Stage stage;
    const Matrix<float>& values;
    double limit = 1;
    Lights lights = {};
    bool named = true;                  // the words stand at its rows
    std::optional<StackSide> side = {}; // whose tokens these are; none: those of the lens's box
};

// A box and what its numbers are drawn with.
struct Lens {
    TransformerPanel& p;
    Box box;
    const TransformerStudy& study = transformer_of(p);
    const Words& words = study.tokens(box.side);
    Index token = token_of(p, box.side);
    float names_w = words_width(p, words);
    std::optional<HeatmapCell> pointed = {}; // under the mouse, in a map of the box's tokens

    const std::string& word(Index of) const { return entry_at(words, of); }
    // A click pins the row's token. Returns the cell under the mouse.
    std::optional<HeatmapCell> map(Rect r, const LensMap& map);
    // The cell that was under the mouse in a map of the lens.
    std::optional<HeatmapCell> over(std::string_view slot) const;
    // A cell of what the box puts out is under the mouse: it lights up everywhere.
    void light(const std::optional<HeatmapCell>& cell) const;
    // The cell that the arithmetic is of: under the mouse in the lens or in the figure; else the
    // token's largest of `values`.
    HeatmapCell worked_cell(const Matrix<float>& values) const;
};

// Maps below one another, each as high as its words need where there is room; cut from `r`.
std::vector<Rect> stacked_maps(Rect& r, std::size_t count, Index rows);

// Lines of arithmetic, as large as the longest one has room for. Returns their height.
inline constexpr float k_caption_h = 20, k_formula_h = 18; // of a line
float formula_lines(Ui& ui, Rect r, std::span<const std::string> lines);
// Lines of arithmetic below a line that says what they are about.
void captioned(Ui& ui, Rect r, std::string_view caption, std::span<const std::string> lines);

// The words of the head's vocabulary at one of its tokens, the likeliest first, as many as fit into
// `r`; the label's is marked and always there.
void word_bars(Ui& ui, Rect r, const TransformerStudy& study, Index token, std::size_t most);

void add_norm_lens(Lens& lens, Rect r);
void final_norm_lens(Lens& lens, Rect r);
void attention_lens(Lens& lens, Rect r);
void feed_forward_lens(Lens& lens, Rect r);
void embedding_lens(Lens& lens, Rect r);
void head_lens(Lens& lens, Rect r);
// In Gradient: the gradients that go back through the box, whatever its kind.
void gradient_lens(Lens& lens, Rect r);

// Below the lens of an Add & Norm: all attention of its layer, or what differs between layers.
void lower_panel(TransformerPanel& p, Rect r, const Box& box);
void layer_attention(TransformerPanel& p, Rect r, const Box& box);
// 1 … H, mean: as buttons where these have room, else counted. Takes the right of `row`.
void head_choice(TransformerPanel& p, Rect& row, int heads);
// The share by which each output of the decoder moves when the pinned word is another.
void peek_strip(TransformerPanel& p, Rect r);

} // namespace normscope
