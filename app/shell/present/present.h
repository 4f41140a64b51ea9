#pragma once
#include "app/shell/frame/state.h"

#include <optional>

namespace normscope {

void begin_presenting(App::State& state);
void end_presenting(App::State& state);

// At which the panel fills the window, in steps of a twentieth: pixels for a logical one.
float presented_scale(const App::State& state);

// In place of bar, page and status line.
void draw_presented(Ui& ui, Rect window, App::State& state, const Frame& frame, Actions& actions,
                    bool ready);

// Next and previous by arrow, Page key or clicker; black, spotlight, the end.
void run_presenter_keys(App::State& state);

// Seconds until the minutes that are shown are others; none while nothing is presented.
std::optional<double> next_minute_in(const App::State& state);

} // namespace normscope
