#pragma once
#include "app/charts/heatmap.h"
#include "app/charts/space.h"
#include "app/language/language.h"
#include "app/study/add_norm/geometry.h"
#include "app/words/worked_steps.h"
#include "app/workspaces/shared/focus.h"
#include "app/layout/sliders.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

// The panels of the Add & Norm workspace.
namespace normscope {

enum class CurveStyle : std::uint8_t { dots, density, histogram, both };

inline constexpr Camera k_tilted{.turn = 0.35, .rise = 0.5};

// What the mouse holds in the picture of space, as it stood when it was taken.
struct SpaceGrab {
    enum class Of : std::uint8_t { camera, token, mean, length };
    Of of;
    Index token;
    Point from;
    Camera camera;
    Vec3 z;
    bool operator==(const SpaceGrab&) const = default;
};

// How tokens of three features are looked at as points.
struct SpaceLook {
    bool shown = false; // in place of the cards
    Camera camera = k_tilted;
    std::optional<SpaceGrab> grab;
    std::optional<double> reached; // of the four steps, while they are played or walked through
    bool playing = false;
    bool operator==(const SpaceLook&) const = default;
};

// How the five cards, the faders and the steps are looked at, and what is about to be tried.
struct AddNormView {
    Pool::Kind pool = Pool::Kind::all;
    std::optional<CurveStyle> curves; // none: dots where values are few
    std::optional<double> sent;       // when the dots went from Z to Y, by ImGui's clock

    std::optional<int> playing; // the worked step that is lit, 0 to 4
    double played = 1;          // of that step, 0 to 1
    bool play_runs = false;     // and goes on by itself

    std::array<bool, 5> opened{}; // worked steps whose long line shows all its terms

    MatrixEditorState editor_x, editor_f; // selection and what is being typed

    float fader_scroll = 0;              // in faders, of the strip for many features
    std::optional<Index> fader_followed; // the pinned one that the strip was scrolled to last
    int brush = 1;                       // faders set at once by a stroke

    std::size_t prediction = 0; // the question that is asked
    bool revealed = false;

    Distribution distribution = Distribution::normal;
    std::uint64_t seed = 1;
    bool seed_used = false; // to randomize with: the next time it is the next one
    double shift = 1;
    double factor = 10;

    SpaceLook space;

    bool operator==(const AddNormView&) const = default;
};

// Where a card's cells and its distribution stand in this frame.
struct CellsAt {
    Rect area;
    HeatmapPort port;
    Rect distribution;
};

// The line of "Play the five steps" in this frame.
struct PlayedLine {
    float zero = 0, per_unit = 1, base = 0; // in pixels

    float x(double value) const { return zero + static_cast<float>(value) * per_unit; }
};

struct AddNormMemory final : OwnMemory {
    explicit AddNormMemory(const DrawMemory::Wake& /*wake*/) {}

    DistributionMemo distributions;
    std::array<HeatmapPicture, k_tensors> cards;     // large matrices as pictures
    std::array<HeatmapPicture, k_tensors> overviews; // and the whole of them, small
    std::array<CellFormatMemo, k_tensors> formats;
    std::array<std::optional<CellsAt>, k_tensors> cells_at; // none: not drawn
    std::optional<PlayedLine> line;
};

// The names of the cards, by Tensor.
inline constexpr std::array<std::string_view, k_tensors> k_card_ids = {"card-x", "card-f", "card-z",
                                                                       "card-x-hat", "card-y"};

// One of the five matrices with its distribution. `names_w`: of token names; `padding`: at scale 1.
void card_panel(Ui& ui, Rect r, const Frame& frame, Actions& actions, Tensor which, float names_w,
                float padding = 10);

// The height in which the cells of so many tokens leave no room empty; at most `most`.
float card_height(const Ui& ui, Index tokens, float most);

// How wide the longest name is beside cells, within reason.
float names_width(const Ui& ui, std::span<const std::string> names,
                  TextRole role = TextRole::title);

PanelFn faders_panel, before_after_panel, steps_panel;
bool dots_travel(const View& view); // from Z to x̂ to Y, for a while after they were sent
float opened_height(const Ui& ui, const Frame& frame); // more, of lines that show all their terms

// Below the steps: the group through Z, x̂ and Y, and a question. Each returns the height it took.
float statistics_part(Ui& ui, Rect area, const Frame& frame);
float prediction_part(Ui& ui, Rect area, const Frame& frame, Actions& actions);

// Space and arrows walk through the played steps: called before others that listen are drawn.
void play_keys(const Ui& ui, const Frame& frame, Actions& actions);

// Takes the steps on by the time that passed while they run.
void run_play(const Frame& frame, Actions& actions);

// The time of played_frame().
double played_time(const Frame& frame);
void go_to(View& view, double time); // and rests there

PanelFn stage_panel;   // the played steps on a line of values, with a slider over their time
PanelFn play_button;   // "Play the five steps", and while they are played the end of it
PanelFn play_controls; // what moves through the steps while they are played
float play_controls_width(const Ui& ui);

// Over the cards and the stage: numbers on their way, and cells that are still to come.
void draw_flights(Ui& ui, const Frame& frame);

// The step that is played alone, as high as each of them needs.
PanelFn played_step_panel;
float played_step_height(const Ui& ui, const Frame& frame, float width);

// What is chosen, what can be tried, and for whom the norm is undone: three sections of a panel,
// side by side where there is room. And the height that it needs at a width.
PanelFn setup_panel;
float setup_height(const Ui& ui, float width);

// For which tokens γ and β undo the norm, so that Y = Z.
void undo_check(Ui& ui, Rect area, const Frame& frame);

PanelFn eps_row; // the slider of ε with its value

// Few values of a distribution are drawn as dots, very many never are.
bool drawn_as_dots(const Frame& frame, Index values);

// The values of a matrix that a pool takes, row by row.
std::vector<double> pooled_values(const Derived& derived, Tensor which, const Pool& pool);

// The group that the steps show: the one in focus; while they are played the pinned one.
Index worked_group(const Frame& frame);

// The part a tensor plays in a worked step: what "Play the five steps" lights.
bool takes_part(Tensor which, WorkedKind step);

// "Geometry", in place of the cards: tokens of three features as points in space.

// a = γ⊙dY of a token, the parts of it that the norm takes off, and dz.
struct GradientParts {
    Vec3 a, along_one, along_x_hat, dz;
};

// What is drawn of a document in one picture of space.
struct SpaceScene {
    Geometry geometry;
    const Document& document;
    Index focus = 0; // the token whose steps are numbered
    std::optional<GradientParts> gradient = std::nullopt;
    double reached = 4; // of the four steps; a part of one is that far on the way
    bool words = true;  // names at points and lines

    const TokenWay& way() const { return geometry.tokens[static_cast<std::size_t>(focus)]; }
};

// So many tokens are drawn in space, the first ones.
inline constexpr Index k_most_points = 200;
SpaceScene scene_of(const Frame& frame);

// Everything of the scene fits into `area`, however it is turned about the direction 1.
SpaceView fit_scene(const Ui& ui, Rect area, const Camera& camera, const SpaceScene& scene);
void draw_scene(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene);

// A point on the way of `way`, so many steps after Z.
Vec3 on_the_way(const TokenWay& way, double steps);

// What the hand does to points and camera in `area`.
void take_space(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene,
                const Frame& frame, Actions& actions);

// Where the two handles of the token in focus are: what the norm forgets, to be pulled.
struct Handles {
    std::optional<Point> mean, length; // none: the norm does not forget it
};
Handles handles_of(const Ui& ui, const SpaceView& view, const SpaceScene& scene);

PanelFn space_panel, four_steps_panel, space_norm_panel, forgotten_panel, side_panel, above_panel,
    x_hat_length_panel;

// Plays the four steps while they run.
void play_on(const Frame& frame, Actions& actions);

PanelFn view_choice; // "Cards | Geometry"

// In place of the page.
float geometry_page(Ui& ui, Rect area, const Frame& frame, Actions& actions);

} // namespace normscope
