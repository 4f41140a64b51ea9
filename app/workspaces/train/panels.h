#pragma once
#include "app/workspaces/shared/labelled_rows.h"
#include "app/workspaces/shared/line_style.h"
#include "app/layout/sliders.h"
#include "app/workspaces/train/view.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// The panels of the Train workspace. Each draws into its rectangle, reads the frame and pushes what
// was done to it; the heights are what a panel needs at a width.
namespace normscope {

// The common settings, or those of a lane.
void race_setup_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float race_setup_height(const Ui& ui, const Frame& frame, float width);

// Its rows, and what they were set to; a lane has no task, batch, seed and steps of its own.
struct SetupChange {
    TrainConfig config;
    std::optional<Index> class_column; // another one, of one's own points
};
SetupChange setup_rows(Ui& ui, Rect r, const Frame& frame, const TrainConfig& now, bool of_lane);
float setup_rows_height(const Ui& ui, const Frame& frame, const TrainConfig& now, bool of_lane,
                        float width);

// A task as it is usually trained, where it needs another kind of model than the one there is.
TrainConfig with_task(const TrainConfig& now, Task task);

// The race on a file: a text (.txt), or a table with a column of classes. Errors: those of
// load_points(); a race that cannot be run on it.
Result<Edit> race_on_file(const Document& document, const std::filesystem::path& path);

// Run, pause, a step, the beginning; any step that was taken.
void run_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float run_height(const Ui& ui);
// While a race runs: the step that is to be looked at (WorkspaceEntry::run_on).
std::optional<Edit> race_due(View& view, const Document& document, double seconds);

// The guess by how often each class, symbol or character is there, as far as that is known.
Guess guess_of(const Frame& frame);
// The loss of that.
struct BaseLine {
    double loss;
    std::string text;
};
BaseLine base_line(const Frame& frame);

// The loss of every lane against the step.
void race_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);

// Whether a race can be predicted: nothing of it has been shown yet.
bool can_predict(const RaceSetup& setup);

// Asks which lane comes first and which blow up, and lets the loss of the first be drawn.
void ask_prediction(Ui& ui, Rect inside, const Frame& frame, Actions& actions);

// "You: Batch norm first. Step 640: Batch norm first; No norm blew up."; empty: nothing predicted.
std::string prediction_verdict(const Frame& frame);

// The loss that was drawn, against the step; empty where none was.
std::vector<DataPoint> predicted_curve(const Frame& frame);

// The lanes with their numbers: the legend of all figures.
void lanes_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float lanes_height(const Ui& ui);

// What each lane makes of the plane, or of held-out sequences.
void maps_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions);
float maps_height(const Ui& ui, const Frame& frame, float width);

// In their place: the step that comes next of one lane, in its four phases with their numbers:
// forward, loss, backward and update.
void step_phases(Ui& ui, Rect inside, const Frame& frame);

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
// Those that have taken a step.
std::vector<SeenLane> trained_lanes(const Frame& frame);
// The lane that is chosen before the others.
std::vector<SeenLane> chosen_first(const Frame& frame, std::vector<SeenLane> lanes);

// Of `layers` at most so many, the first and the last among them, from the last down.
std::vector<std::size_t> layers_down(std::size_t layers, std::size_t most);

// How a lane looks in all figures. No two alike, without their colour too.
LineStyle lane_style(const Theme& theme, std::size_t look);
inline constexpr float k_lane_marker = 4; // pixels at scale 1, of a swatch

// The name of a lane behind its swatch, and words at the right in which it has come off.
void lane_heading(Ui& ui, Rect row, const SeenLane& lane, std::string_view words);

// "NaN after step 41"; empty of a run that goes on at `step`.
std::string diverged_words(const SeenLane& lane, Index step);

// Yellow with slanted lines: there are no numbers here.
void draw_no_numbers(Ui& ui, Rect r);
// Over the steps of a figure, from where a run diverged on.
void draw_diverged(Ui& ui, Rect r, const Frame& frame, const LaneTrace& trace);
// The first and the last step, below a figure.
void step_ends(Ui& ui, Rect row, const Frame& frame);

// The scale of steps, 1 … of the race, along `from` … `to`.
Scale step_scale(const Frame& frame, float from, float to);

// A chart of nothing yet over the steps of the race.
LineChart step_chart(const Frame& frame);

// The step of the race under the mouse, which the table shows from now on.
Index point_at_step(const Ui& ui, const Frame& frame, Actions& actions, const Scale& steps);

// A share as "95 %", "99.5 %".
std::string percent_text(double share);

// The last step of each of the places, as fine as a chart shows them and of one width on the axis,
// that steps 1 … `steps` of a race of so many are drawn in.
std::vector<Index> places_of(Index steps, Index race, bool log);

// Appends for each place beyond step `from` the mean of value(step) over its steps; values that are
// not finite do not count, and a place of none is left out.
void append_means(std::vector<DataPoint>& out, Index from, const std::vector<Index>& ends,
                  const std::function<double(Index step)>& value);

// Ticks of the steps of the race alone, where the axis may go on beyond them.
std::vector<Tick> ticks_of_steps(const Canvas& canvas, Scale steps, const LinePlot& plot);

} // namespace normscope
