#pragma once
#include <imgui.h>
#include <memory>
#include <vector>

namespace normscope {

// Draw data for a backend whose draw calls cannot begin behind a list's first vertex, which OpenGL
// learned in 3.2. Indices have 16 bits, so ImGui would end the program where a window takes more
// than 65536 vertices; allowed offsets, it begins anew there, and such lists are cut apart here.
class DrawParts {
  public:
    // The same triangles in the same order, none with an offset. Holds until the next call, and as
    // long as `data` does.
    ImDrawData& of(const ImDrawData& data);

  private:
    ImDrawData parts_;
    std::vector<ImDrawList*> lists_;
    std::vector<std::unique_ptr<ImDrawList>> made_;
};

} // namespace normscope
