#pragma once
#include <array>
#include <cstddef>

namespace normscope {

// One panel of the open workspace over the whole window, for a class. Nothing of it is saved.
struct Presenter {
    bool on = false;
    std::size_t panel = 0;      // of the workspace's figures
    std::size_t workspace = 0;  // that it is of
    bool black = false;         // nothing is shown: the class looks at the teacher
    bool spotlight = false;     // all but what is around the mouse is dim
    double began = 0;           // ImGui's clock, seconds
    int minutes_drawn = 0;      // since then
    std::array<int, 4> hands{}; // raised for A, B, C, D
};

} // namespace normscope
