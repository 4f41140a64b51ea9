#pragma once
#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/study/batch_vs_layer/batch_sequences.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "app/workspaces/shared/focus.h"
#include "app/workspaces/shared/sliders.h"

#include <array>
#include <string>

// The panels of the Batch vs Layer workspace. Each draws into its rectangle, reads the frame and
// pushes what was done to it.
namespace normscope {

// How the norms that are compared are looked at.
struct BatchView {
    MatrixEditorState editor_z; // of Z, where it stands in for X
    NormResult norm_result = NormResult::x_hat;

    bool operator==(const BatchView&) const = default;
};

struct BatchMemory final : OwnMemory {
    explicit BatchMemory(const DrawMemory::Wake& wake) : study(wake), small_batches(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&study, &small_batches}; }

    Node<BatchStudy> study;
    Node<SmallBatches> small_batches;
    TouchMemo touch;
    SequencesMemo sentences;
    std::array<CellFormatMemo, 1 + k_compared_count> formats; // of Z and its norms
    // Z, its norms, who touches whom, train and eval
    std::array<HeatmapPicture, 3 + 2 * k_compared_count> maps;
};

// Z, which is edited, and its x̂ or Y by each of k_compared_norms, a card each: side by side, in
// rows or below one another, as wide as `r` is.
void norms_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
void norms_menu(Ui& ui, const Frame& frame, Actions& actions); // of the cards' cells
// Where nothing is squeezed; rows of cards as low as `page`, where that can be seen at once.
float norms_height(const Ui& ui, const Frame& frame, Size page);

// Which token's values reach which token's, for each norm.
void influence_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The first B samples in training and in evaluation.
void batch_size_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// Running statistics on their way, and what a NaN batch does to them.
void running_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// What a batch of few samples costs: an experiment beside theory.
void small_batches_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// Padded sentences, and what a later word does to an earlier one.
void sequences_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float sequences_height(const Ui& ui, float width);

// The cell whose effect on the results is shown: the hovered one, else the pinned one, else the
// first.
struct ProbedCell {
    Index token = 0, feature = 0;
};
ProbedCell probed_cell(const Frame& frame);

// What the panels show, of the frame's document or, while a worker is at that, of one before it.
const BatchStudy& study_of(const Frame& frame);

// What glows in the results: what moved since the drag that goes on began, else what +1 on the
// probed cell moves.
const Touch& touch_of(const Frame& frame);
bool dragging_z(const Frame& frame);

// Why what the norms are shown in holds a NaN or ∞, if Z, γ or β do.
std::optional<NotANumber> not_a_number_in_results(const Frame& frame);

// "studying, d3".
std::string cell_name(const Document& document, Index token, Index feature);

} // namespace normscope
