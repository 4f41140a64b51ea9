#pragma once
#include "app/shell/frame/state.h"

#include <memory>

namespace normscope {

// The first minute: one question about the text's own token, one thing to drag that answers it, and
// ways on. A strip between the bar and the page.
struct FirstSteps {
    std::shared_ptr<const Derived> began; // the numbers it asks about; null until they are drawn
    double added = 0;                     // to every value of X
    double farthest = 0;                  // that was added so far, as a magnitude
};

// From the Help menu: the example, and the strip above it.
void show_first_steps(App::State& state);

float first_steps_height(const Ui& ui, float width);
void draw_first_steps(Ui& ui, Rect r, App::State& state);

} // namespace normscope
