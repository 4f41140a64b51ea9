#pragma once
#include "app/shell/frame/state.h"

#include <memory>

namespace normscope {

// The first minute: one question about the text's own token, one thing to drag that answers it, and
// ways on. A strip between the bar and the page, in the workspace where it began; not in a lesson,
// which asks its own question, and no more once another document is open.
struct FirstSteps {
    std::shared_ptr<const Derived> began; // the numbers it asks about; null until they are drawn
    std::size_t workspace = 0;            // that was open then
};

// From the Help menu: the example, and the strip above it.
void show_first_steps(App::State& state);

// Where it is to be drawn now, cut off the window's top.
void draw_first_steps(Ui& ui, Rect& window, App::State& state);

} // namespace normscope
