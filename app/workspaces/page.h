#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// How a workspace is laid out where there is much, some and little room. Each draws as a
// WorkspaceFn does, without a margin.
struct PageLayouts {
    float wide_from, medium_from; // width in pixels at scale 1
    WorkspaceFn wide, medium, narrow;
};

// Draws the widest layout that `area` has room for, with a margin around it.
float draw_page(Ui& ui, Rect area, const Frame& frame, Actions& actions,
                const PageLayouts& layouts);

} // namespace normscope
