#pragma once
#include "app/shell/frame/state.h"
#include "app/workspaces/workspace_table.h"

#include <cstddef>
#include <vector>

namespace normscope {

void begin_presenting(App::State& state);

// Pixels a logical pixel, with which the panel or the slide fills the window; a multiple of 0.05.
float presented_scale(const App::State& state);

// The scale of the bar, whatever page is shown above it.
float presenter_bar_scale();
// For a canvas of that scale, on which words are written in TextRole::bar.
FontSet bar_fonts(const App::State& state);

// Draws the slide that is shown, in place of bar, page and status line.
void draw_presented(Turn turn, App::State& state, bool ready);

// Takes the presenter's keys: next and previous (arrows, Page keys, a clicker), reveal, notes,
// black, spotlight, the end.
void run_presenter_keys(App::State& state);

// The presenter shows one slide after the other: of the steps of the lesson that is on, of the
// document's scenes, or of the panels of the workspace.
struct Slide {
    enum class Kind : std::uint8_t {
        question, // the question in words, alone
        panel,
        answer // the answer in words; covered panels are open from here on
    };
    Kind kind = Kind::panel;
    std::size_t panel = 0; // a place in the workspace's figures
};

// The factor by which a slide's words begin larger than they must be; they shrink where they have
// no room.
inline constexpr float k_large_words = 1.3f;

// The slides of the present step, scene or workspace; there is always one.
std::vector<Slide> slides_of(const App::State& state);

// The slide that is shown, and its panel.
Slide shown_slide(const App::State& state);
const FigureEntry& shown_panel(const App::State& state);

// Goes to the next slide, or to the one before: behind the last slide of a step or scene comes the
// first one of the next.
void turn_slide(App::State& state, bool on);

// Shows a panel of the workspace in place of the slide: this one, or the next or the one before.
void go_to_panel(App::State& state, std::size_t panel);
void turn_panel(App::State& state, bool on);

// Goes to the answer of the step's or scene's question; does nothing where there is no question.
void reveal_answer(App::State& state);

// The list of the workspace's panels with a picture of each, in place of the slide: shown, or put
// away. The arrow keys go from picture to picture there, Enter shows its panel.
void show_panel_list(App::State& state);
void draw_panel_list(Turn turn, App::State& state);
float panel_list_scale(const App::State& state); // in which most pictures have room

// How many answers the class can raise hands for.
std::size_t answers_of(const App::State& state);

// One hand more or fewer for an answer, and its share of all hands.
void raise_hand(App::State& state, std::size_t answer, int by);
float share_of_hands(const App::State& state, std::size_t answer);
// A bar within `r`, as long as the share of hands.
void draw_votes(Ui& ui, Rect r, float share);

// The slide shows the answers themselves, each with its hands.
bool options_in_sight(const App::State& state);

// "Step 2 of 6: The mean", "Scene 1 of 3: twice", "2 of 9: Card Z".
std::string slide_title(const App::State& state);
// The question above the slide; empty: there is none.
std::string slide_question(const App::State& state);

// Draws a slide of words, for the last row to read: the text and the question of a step or scene,
// or the answer. Returns the height that the words took.
float draw_words_slide(Ui& ui, Rect area, App::State& state, bool answer);

} // namespace normscope
