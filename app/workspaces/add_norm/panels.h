#pragma once
#include "app/widgets/ui.h"
#include "app/words/worked_steps.h"
#include "app/workspaces/shared/frame.h"

#include <array>
#include <string_view>

// The panels of the Add & Norm workspace. Each draws into its rectangle, reads the frame and pushes
// what was done to it.
namespace normscope {

// The names of the cards, by Tensor.
inline constexpr std::array<std::string_view, k_tensors> k_card_ids = {"card-x", "card-f", "card-z",
                                                                       "card-x-hat", "card-y"};

// One of the five matrices with its distribution. `names_w`: room for token names at its left edge;
// `padding`: logical pixels beside the cells.
void card_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions, Tensor which, float names_w,
                float padding = 10);

// How wide the longest name is beside cells, within reason.
float names_width(const Ui& ui, std::span<const std::string> names);

void faders_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
void before_after_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
void steps_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// Space and arrows walk through the steps while they are played; to be called before what else
// listens to these keys is drawn.
void play_keys(const Ui& ui, const Frame& frame, Actions& actions);

// "Play the five steps", and while they are played what moves through them.
void play_buttons(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The steps alone, all or the one that is played, with play_buttons beside their title, for
// where those of the setup are out of sight. Takes the height it needs and returns it.
enum class PlayedSteps { all, one };
float played_steps_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions, PlayedSteps which);

// What is chosen (norm, residual, affine, ε, precision, shape), what can be tried, and for whom the
// norm is undone: three sections of one panel, side by side where there is room. With `draw` false
// only the height it needs at that width is returned.
float setup_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float setup_height(const Ui& ui, float width);

// The slider of ε with its value.
void eps_row(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The group that the steps show: the one in focus; while they are played the pinned one, wherever
// the mouse rests.
Index worked_group(const Frame& frame);

// The part a tensor plays in a worked step: what "Play the five steps" lights.
bool takes_part(Tensor which, WorkedKind step);

} // namespace normscope
