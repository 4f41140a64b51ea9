#pragma once
#include "app/workspaces/transformer/panels.h"

#include <string>

namespace normscope {

// The two that meet at an Add: in the forward pass X and F(X), in the backward pass what comes down
// the skip and through the sublayer.
struct Meeting {
    double skip = 0, branch = 0;
    bool known = false;
    double share() const { return skip + branch > 0 ? skip / (skip + branch) : 0; }
    std::string text() const; // "64:36"
};
Meeting meeting_at(const TransformerStudy& study, bool gradient, StackSide side, int layer,
                   int block);

// Every Add & Norm at once, each as a bar of what meets there; a click chooses it.
void draw_overview(Ui& ui, Rect area, const Frame& frame, Actions& actions,
                   const TransformerStudy& study);

} // namespace normscope
