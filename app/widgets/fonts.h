#pragma once
#include "app/charts/canvas.h"

#include <array>

struct ImFont;

namespace normscope {

// One loaded font a text role, rasterized for one UI scale.
struct FontSet {
    std::array<ImFont*, k_text_roles> by_role{};
    float scale = 1;

    ImFont* operator[](TextRole role) const { return by_role[static_cast<std::size_t>(role)]; }
};

} // namespace normscope
