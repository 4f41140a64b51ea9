#pragma once
#include "app/charts/line_chart.h"
#include "app/study/train/race_runner.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"
#include "app/workspaces/train/view.h"

#include <string>
#include <vector>

// The panels of the Train workspace. Each draws into its rectangle, reads the frame and pushes what
// was done to it; the heights are what a panel needs at a width.
namespace normscope {

// The common settings, or those of a lane.
void race_setup_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float race_setup_height(const Ui& ui, const Frame& frame, float width);

// Run, pause, a step, the beginning; any step that was taken.
void run_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float run_height(const Ui& ui);
// While a race runs: the step that is to be looked at (WorkspaceEntry::run_on).
std::optional<Edit> race_due(View& view, const Document& document, double seconds);

// The loss of one who guesses with equal chances.
struct BaseLine {
    double loss;
    std::string text;
};
BaseLine base_line(const Frame& frame);

// The loss of every lane against the step.
void race_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The lanes with their numbers: the legend of all figures.
void lanes_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float lanes_height(const Ui& ui);

// What each lane makes of the plane, or of held-out sequences.
void maps_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float maps_height(const Ui& ui, const Frame& frame, float width);

// What the activation functions of each layer read, step after step.
void inside_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The gradient's norm by layer and step.
void train_gradient_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// The loss at the end of the race by the learning rate, on request.
void sweep_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// A lane that is on, and what is known of it.
struct SeenLane {
    std::size_t index = 0; // in the setup
    std::string name;
    std::size_t look = 0;
    const LaneState* state = nullptr; // null: nothing is known yet
};
std::vector<SeenLane> seen_lanes(const Frame& frame);

// How a lane looks in all figures. No two alike, without their colour too.
struct LaneStyle {
    Color color;
    Dash dash;
    Marker marker;
};
LaneStyle lane_style(const Theme& theme, std::size_t look);
void draw_lane_swatch(Ui& ui, Rect r, const LaneStyle& style);

// The name of a lane behind its swatch, and words at the right in which it has come off.
void lane_heading(Ui& ui, Rect row, const SeenLane& lane, std::string_view words);

// "NaN after step 41"; empty of a run that goes on at `step`.
std::string diverged_words(const SeenLane& lane, Index step);

// Yellow with slanted lines: there are no numbers here.
void draw_no_numbers(Ui& ui, Rect r);

// The scale of steps, 1 … of the race, along `from` … `to`.
Scale step_scale(const Frame& frame, float from, float to);

// The step of the race under the mouse along `from` … `to`.
Index step_under_mouse(const Ui& ui, const Frame& frame, float from, float to);

// A share as "95 %", "99.5 %".
std::string percent_text(double share);

} // namespace normscope
