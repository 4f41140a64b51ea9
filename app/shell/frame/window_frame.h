#pragma once
#include "app/charts/palette.h"
#include "app/shell/frame/state.h"
#include "app/widgets/fonts.h"
#include "app/workspaces/workspace_table.h"

#include <vector>

namespace normscope {

// Draws the whole window once: the bar, the workspace, the status line, what is open over them.
// True if what was drawn is out of date now, because the input changed the document or the view.
bool draw_window(App::State& state);

// Dear ImGui's own widgets (menus, dialogs, text fields, scroll bars) in the theme's colours and
// the scale's sizes.
void apply_style(const Theme& theme, const FontSet& fonts);

// A panel of the page as it was drawn last.
struct OutlinedPanel {
    const FigureEntry* figure;
    Rect rect, seen;
};

// Those that stand in no other panel, from top to bottom.
std::vector<OutlinedPanel> outline_of(const App::State& state);

} // namespace normscope
