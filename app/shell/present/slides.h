#pragma once
#include "app/shell/frame/state.h"
#include "app/workspaces/workspace_table.h"

#include <cstddef>
#include <vector>

// What is presented one after the other: the steps of the lesson that is on, the document's scenes,
// or the panels of the workspace.
namespace normscope {

struct Slide {
    enum class Kind : std::uint8_t {
        question, // in words, alone
        panel,
        answer // in words; what was hidden is open from here on
    };
    Kind kind = Kind::panel;
    std::size_t panel = 0; // of the workspace's figures
};

// A slide's words begin so much larger than they must be; less where they have no room.
inline constexpr float k_large_words = 1.3f;

// Of the present step, scene or workspace; never empty.
std::vector<Slide> slides_of(const App::State& state);

// The one that is shown.
Slide shown_slide(const App::State& state);
const FigureEntry& shown_panel(const App::State& state);

// To the next one or the one before, of the next step or scene where there is none here.
void next_slide(App::State& state);
void previous_slide(App::State& state);

// To the next panel of the workspace, or the one before, whatever slide is there.
void turn_panel(App::State& state, bool on);

// The answer to what is asked is shown; nothing where nothing is asked.
void reveal_answer(App::State& state);

// How many answers the class can raise hands for.
std::size_t answers_of(const App::State& state);

// "Step 2 of 6: The mean", "Scene 1 of 3: twice", "2 of 9: Card Z".
std::string slide_title(const App::State& state);
// What is asked now; empty: nothing.
std::string slide_question(const App::State& state);

} // namespace normscope
