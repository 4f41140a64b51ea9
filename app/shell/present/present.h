#pragma once
#include "app/shell/frame/state.h"

#include <optional>

namespace normscope {

void begin_presenting(App::State& state);
void end_presenting(App::State& state);

// Pixels a logical pixel, with which the panel or the slide fills the window; a multiple of 0.05.
float presented_scale(const App::State& state);

// Draws the slide that is shown, in place of bar, page and status line.
void draw_presented(Ui& ui, Rect window, App::State& state, const Frame& frame, Actions& actions,
                    bool ready);

// Takes the presenter's keys: next and previous (arrows, Page keys, a clicker), reveal, notes,
// black, spotlight, the end.
void run_presenter_keys(App::State& state);

// Seconds until the timer shows another minute; none where the presenter is off.
std::optional<double> next_minute_in(const App::State& state);

} // namespace normscope
