#pragma once
#include "app/workspaces/shared/view.h"

#include <array>
#include <cstddef>
#include <optional>

namespace normscope {

// A slide over the whole window, for a class. Sessions do not keep the presenter's state.
struct Presenter {
    bool on = false;
    std::size_t slide = 0;                 // a place in slides_of()
    std::optional<std::size_t> panel = {}; // a panel of the workspace, chosen in place of the slide
    std::size_t workspace = 0;             // the workspace of slide and panel
    std::optional<Document> before_scenes = {}; // the one before the scenes were shown
    View view_before = {};                      // how that document was looked at
    bool black = false;            // the window is black: the class looks at the teacher
    bool spotlight = false;        // the window is dim except around the mouse
    bool notes = false;            // the teacher's page lies over the panel
    float words_scale = 1;         // below 1 where a slide's words have no room
    double began = 0;              // by ImGui's clock, in seconds
    int minutes_drawn = 0;         // minutes since then, as the timer shows them
    std::array<int, 6> hands = {}; // how many hands were raised for A, B, C, …
};

} // namespace normscope
