#pragma once
#include "app/charts/canvas.h"
#include "core/base/lists.h"

#include <array>
#include <memory>
#include <string>

struct ImFont;

namespace normscope {

// Beside the glyphs lie the upper left corners of rounded rectangles, white, of radius 1, 2, …
// k_corners pixels, side by side in cells of k_corners × k_corners: with them a rectangle is 14
// triangles instead of a polygon's 34 and more.
inline constexpr int k_corners = 12;

// One loaded font a text role, rasterized for one UI scale.
struct FontSet {
    std::array<ImFont*, k_text_roles> by_role{};
    float scale = 1;
    float bar = 1;                                // the scale of TextRole::bar
    Rect corners{};                               // in a texture of side 1; empty: none
    std::shared_ptr<std::u32string> lacking = {}; // letters that were drawn without one

    ImFont* operator[](TextRole role) const { return entry_at(by_role, role); }
};

} // namespace normscope
