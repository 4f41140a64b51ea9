#pragma once
#include "app/shell/frame/state.h"
#include "app/workspaces/workspace_table.h"

#include <vector>

namespace normscope {

// A panel of the page as it was drawn last.
struct OutlinedPanel {
    const FigureEntry* figure;
    Rect rect, seen;
};

// Those that stand in no other panel, from top to bottom.
std::vector<OutlinedPanel> outline_of(const App::State& state);

// Of a page that is longer than its window: a strip off the bottom of `window` that names its
// panels, from top to bottom, and leads to each by a click. Those in sight are chosen.
void draw_page_outline(Ui& ui, Rect& window, App::State& state,
                       const std::vector<OutlinedPanel>& panels);

} // namespace normscope
