#pragma once
#include "app/layout/small_words.h"
#include "app/study/transformer/transformer_study.h"
#include "app/study/transformer/what_moves.h"
#include "app/workspaces/shared/panel.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The panels of the Transformer workspace.
namespace normscope {

// The studies that drawing keeps between frames.
struct TransformerMemory final : OwnMemory {
    Node<TransformerStudy, TransformerSetup> study;
    Node<ByLayer, TransformerSetup> by_layer;
    Node<Peek, Peek::Input> peek;
    // A study is kept up only if the last frame showed it.
    bool by_layer_shown = false;
    std::optional<Index> peeked;                    // the token whose word is another
    std::map<std::string, HeatmapPicture> pictures; // by where they are drawn
    std::optional<OpenedPart> opened;               // until the shell takes it
};

using TransformerPanel = Panel<TransformerView>;

// The settings of the model, and how many parameters it has.
void model_panel(TransformerPanel& p);

// The sentences as chips: click a word to type another one, + adds one.
void sentences_panel(TransformerPanel& p);

// The well-known drawing, each box with what it puts out.
void figure_panel(TransformerPanel& p);

// Below the figure: where the number under the mouse comes from, and where it goes.
void provenance(TransformerPanel& p, Rect r);

// The two parts that meet at an Add: in the forward pass X and F(X), in the backward pass the
// gradients down the skip and through the sublayer.
struct Meeting {
    double skip = 0, branch = 0;
    bool known = false;
    double share() const { return skip + branch > 0 ? skip / (skip + branch) : 0; }
    float drawn_share() const { return static_cast<float>(std::isfinite(share()) ? share() : 0); }
    std::string text() const; // "64:36"
};
Meeting meeting_at(const TransformerPanel& p, const Box& add);

// Every Add & Norm at once, each as a bar of what meets there; a click chooses it.
void draw_overview(TransformerPanel& p, Rect area, Rect sight);

// The computation of the chosen box, with its numbers.
void lens_panel(TransformerPanel& p);

// W₂'s gradient and how alike the tokens are, layer by layer, post and pre compared.
void by_layer_panel(TransformerPanel& p);

// The pinned token's vector at every stage.
void way_panel(TransformerPanel& p);

// The probabilities at the pinned token, and the way to decode.
void next_word_panel(TransformerPanel& p);
// While decoding plays: the next word (Workspace::run_on).
std::optional<Edit> decode_due(View& view, const Document& document, double seconds);

// The box that the lens shows: the chosen one; where the model has none such, an Add & Norm.
Box chosen_box(const TransformerPanel& p);
// Makes a box the chosen one, and its layer the one that the figure draws.
void choose_box(TransformerPanel& p, const Box& box);

const TransformerStudy& transformer_of(const TransformerPanel& p);

// The pinned token of a side; none: another side's is pinned.
std::optional<Index> pinned_in(const TransformerPanel& p, StackSide side);
// The pinned token, or the last one under the head.
TokenOf token_in_focus(const TransformerPanel& p);

// The largest |value|; 0 of none.
template<class T>
double most_of(const Matrix<T>& m) {
    return m.size() > 0 ? static_cast<double>(m.cwiseAbs().maxCoeff()) : 0;
}

// One limit for the colours of maps that are compared.
template<class... Matrices>
double limit_of(const Matrices&... maps) {
    return common_limit(std::array{most_of(maps)...});
}

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
std::optional<HeatmapCell> small_map(TransformerPanel& p, Rect r, const SmallMap& map);

// A box of a layer as a part of a name: "decoder-cross", "decoder-cross-add".
std::string id_of(const TransformerStudy& study, const Box& box);

// The colour bar at a box's left edge: what kind of box it is.
Stage stage_of(const Box& box);

// "self", "cross", "FFN": what a sublayer does, where there is little room.
std::string_view short_name(Reading reading);

} // namespace normscope
