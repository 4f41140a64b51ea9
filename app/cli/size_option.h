#pragma once
#include "app/cli/command_line.h"

#include <optional>
#include <string_view>

namespace normscope {

inline constexpr int k_max_window_side = 16384; // what graphics drivers agree on

// "1600x1000" as a size in pixels; nothing when it is not one.
std::optional<WindowRequest::Size> parse_size(std::string_view text);

} // namespace normscope
