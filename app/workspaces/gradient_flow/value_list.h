#pragma once
#include "app/workspaces/gradient_flow/panels.h"

#include <span>
#include <string>

namespace normscope {

// A curve's value at the block that is looked at.
struct ListedValue {
    std::string name;
    CurveStyleOf style;
    std::string mean;
    std::string
        reach; // of several seeds: "(0.1 to 0.2)"; left out where not all of a column have room
};

// The values of all curves that are compared, below a line that says where: in two columns, one
// below the other where the panel is narrow.
void value_list(Ui& ui, Rect r, std::string_view where, std::span<const ListedValue> values);
float value_list_height(const Ui& ui, float width, std::size_t values);

} // namespace normscope
