#pragma once
#include "app/study/backward/backward.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"

#include <optional>
#include <string>

// The panels of the Backward workspace. Each draws into its rectangle, reads the frame and pushes
// what was done to it.
namespace normscope {

const Backward& backward_of(const Frame& frame);

// dz is no more than what its terms leave of each other: ε's trace, rounding, or what is left of a
// distance that is reached. It is drawn as next to nothing.
bool next_to_nothing(const Backward& backward);

// Where dY comes from, and its values.
void dy_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
void dy_menu(Ui& ui, const Frame& frame, Actions& actions); // of their cells

// γ⊙dY → minus mean → minus projection → divided by s, for the group in focus.
void surgery_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// dz down the skip to X and through the sublayer.
void add_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// dγ and dβ with what each token contributes.
void parameters_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

void jacobian_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// Gradient descent on γ and β. The steps of a run that are due by its speed, however often it is
// drawn: as many of them as a frame has time for.
void learn_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
std::optional<Edit> learning_due(View& view, const Document& document, double seconds);

// What scaling Z does to Y and to the gradient.
void scale_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// What else "normalize" is taken to mean.
void conventions_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// A published derivation against the corrected one, and the height all of it takes.
void published_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float published_height(const Ui& ui, const Frame& frame, float width);
inline constexpr int k_published_rows = 15; // at most
inline constexpr float k_published_row_h = 66;
inline constexpr float k_published_around_h = 108; // above and below the rows

} // namespace normscope
