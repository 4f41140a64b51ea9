#pragma once
#include "app/charts/canvas.h"
#include "core/base/lists.h"

#include <array>
#include <memory>
#include <string>

struct ImFont;

namespace normscope {

// One loaded font a text role, rasterized for one UI scale.
struct FontSet {
    std::array<ImFont*, k_text_roles> by_role{};
    float scale = 1;
    float bar = 1;                                // the scale of TextRole::bar
    std::shared_ptr<std::u32string> lacking = {}; // letters that were drawn without one

    ImFont* operator[](TextRole role) const { return entry_at(by_role, role); }
};

} // namespace normscope
