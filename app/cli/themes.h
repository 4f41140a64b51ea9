#pragma once
#include "app/charts/palette.h"

#include <array>

namespace normscope {

inline constexpr std::array k_themes{ThemeKind::light, ThemeKind::dark, ThemeKind::contrast};

} // namespace normscope
