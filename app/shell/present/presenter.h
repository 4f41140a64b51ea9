#pragma once
#include "app/workspaces/shared/view.h"

#include <array>
#include <cstddef>
#include <optional>

namespace normscope {

// One panel of the open workspace over the whole window, for a class. Nothing of it is saved.
struct Presenter {
    bool on = false;
    std::size_t slide = 0;                      // of what is presented: slides_of()
    std::optional<std::size_t> panel = {};      // of the workspace, chosen in place of the slide
    std::size_t workspace = 0;                  // that it is of
    std::optional<Document> before_scenes = {}; // the scenes are presented, this was there before
    View view_before = {};                      // and was looked at so
    bool black = false;                         // nothing is shown: the class looks at the teacher
    bool spotlight = false;                     // all but what is around the mouse is dim
    bool notes = false;                         // the teacher's, over the panel
    float words_scale = 1;                      // less where a slide's words have no room
    double began = 0;                           // ImGui's clock, seconds
    int minutes_drawn = 0;                      // since then
    std::array<int, 6> hands = {};              // raised for A, B, C, …
};

} // namespace normscope
