#pragma once
#include "app/layout/small_words.h"
#include "app/study/train/race_runner.h"
#include "app/study/train/rate_sweep.h"
#include "app/workspaces/shared/line_style.h"
#include "app/workspaces/shared/panel.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The panels of the Train workspace.
namespace normscope {

// The colours of a decision map, made anew for another shot or theme.
struct MapPicture {
    std::shared_ptr<const LaneShot> of;
    ThemeKind theme = ThemeKind::light;
    std::uint64_t key = 0;
    std::vector<std::uint32_t> rgba;
};

struct TrainMemory final : OwnMemory {
    RaceRunner runner;
    RateSweep sweep;
    Index ahead = 0;       // of the step that is looked at, for the next frame: the race runs
    bool sweeping = false; // in the next frame
    std::map<std::size_t, MapPicture> pictures; // by lane
    std::uint64_t last_key = 0;
    std::optional<OpenedPart> opened; // until the shell takes it
    Shared<RaceInput> classes_in;     // and the columns of it that class_columns() names
    std::vector<Index> class_columns;
};

using TrainPanel = Panel<TrainView>;

// The common settings, or those of a lane.
void race_setup_panel(TrainPanel& p);

// The race on a file: a text (.txt), or a table with a column of classes. Errors: those of
// load_points(); a race that cannot be run on it.
Result<Edit> race_on_file(const Document& document, const std::filesystem::path& path);

// Run, pause, a step, the beginning; any step that was taken.
void run_panel(TrainPanel& p);
// While a race runs: the step that is to be looked at (Workspace::run_on).
std::optional<Edit> race_due(View& view, const Document& document, double seconds);

// At the loss of a guess by how often each class, symbol or character is there, as far as that is
// known.
LineLevel base_line(const TrainPanel& p);
// The accuracy that a lane is to reach, where it is more than that of the guess.
std::optional<double> mark_of(const TrainPanel& p);

// The loss of every lane against the step.
void race_panel(TrainPanel& p);

// Whether a race can be predicted: nothing of it has been shown yet.
bool can_predict(const RaceSetup& setup);

// Asks which lane comes first and which blow up, and lets the loss of the first be drawn.
void ask_prediction(TrainPanel& p, Rect inside);

// "You: Batch norm first. Step 640: Batch norm first; No norm blew up."; empty: nothing predicted.
std::string prediction_verdict(const TrainPanel& p);

// The loss that was drawn, against the step; empty where none was.
std::vector<DataPoint> predicted_curve(const TrainPanel& p);

// The lanes with their numbers: the legend of all figures.
void lanes_panel(TrainPanel& p);

// Each lane's decision map of the plane, or its output on held-out sequences.
void maps_panel(TrainPanel& p);

// The step that comes next of one lane, in its four phases with their numbers: forward, loss,
// backward and update.
void step_phases_panel(TrainPanel& p);

// The inputs of each layer's activation functions, step after step.
void inside_panel(TrainPanel& p);

// The gradient's norm by layer and step.
void train_gradient_panel(TrainPanel& p);

// The loss at the end of the race by the learning rate, on request.
void sweep_panel(TrainPanel& p);

TrainMemory& memory_of(const TrainPanel& p);
// The race as far as it is known.
const RaceState& race_of(const TrainPanel& p);

// A lane, and what is known of it.
struct SeenLane {
    std::size_t index = 0; // in the setup
    std::string name;
    bool on = true;
    std::size_t look = 0;
    LineStyle style;                  // in all figures: no two alike, without their colour too
    const LaneState* state = nullptr; // null: nothing is known yet
};
SeenLane lane_at(const TrainPanel& p, std::size_t index);
// The lanes that are on.
std::vector<SeenLane> seen_lanes(const TrainPanel& p);
// The lanes that are on and have taken a step.
std::vector<SeenLane> trained_lanes(const TrainPanel& p);
// The lanes, the chosen one before the others.
std::vector<SeenLane> chosen_first(const TrainPanel& p, std::vector<SeenLane> lanes);

// How many steps of a run are looked at.
Index shown_steps(const TrainPanel& p, const LaneTrace& trace);

// At most `most` of the layers, evenly apart from the last down to the first; of one, the last.
std::vector<std::size_t> layers_down(std::size_t layers, std::size_t most);

inline constexpr float k_lane_marker = 4; // of a swatch

// The width of the widest lane name, with a swatch or a marker before it.
float widest_name(const Ui& ui, const std::vector<SeenLane>& lanes);

// The name of a lane behind its swatch, and words at the right in which it has come off.
void lane_heading(Ui& ui, Rect row, const SeenLane& lane, std::string_view words = {});

// "NaN after step 41"; empty of a run that goes on at the step that is looked at.
std::string diverged_words(const TrainPanel& p, const SeenLane& lane);

// Yellow with slanted lines: there are no numbers here.
void draw_no_numbers(Ui& ui, Rect r);
// Over the steps of a figure, from where a run diverged on.
void draw_diverged(TrainPanel& p, Rect r, const LaneTrace& trace);
// The first and the last step, below a figure.
void step_ends(TrainPanel& p, Rect row);

// The scale of steps, 1 … of the race, from the left to the right of `r`.
Scale step_scale(const TrainPanel& p, Rect r);

// A chart of nothing yet over the steps of the race.
LineChart step_chart(const TrainPanel& p);

// Divides `r` for the chart and makes the ticks of the steps of the race alone, where the axis may
// go on beyond them.
LinePlot plot_steps(const TrainPanel& p, Rect r, LineChart& chart);

// The step of the race under the mouse, which the table shows from now on.
Index point_at_step(const TrainPanel& p, const Scale& steps);

// A share as "95 %", "99.5 %".
std::string percent_text(double share);

// The last step of each of the places, as fine as a chart shows them and of one width on the axis,
// that steps 1 … `steps` of the race are drawn in.
std::vector<Index> places_of(const TrainPanel& p, Index steps);

// Appends for each place beyond step `from` the mean of value(step) over its steps; values that are
// not finite do not count, and a place of none is left out.
void append_means(std::vector<DataPoint>& out, Index from, const std::vector<Index>& ends,
                  const std::function<double(Index step)>& value);

} // namespace normscope
