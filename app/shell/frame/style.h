#pragma once
#include "app/charts/palette.h"
#include "app/widgets/fonts.h"

namespace normscope {

// Dear ImGui's own widgets (menus, dialogs, text fields, scroll bars) in the theme's colours and
// the scale's sizes.
void apply_style(const Theme& theme, const FontSet& fonts);

} // namespace normscope
