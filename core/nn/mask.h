#pragma once
#include <cstdint>

namespace normscope {

// causal: token t sees tokens 0 … t only.
enum class Mask : std::uint8_t { none, causal };

} // namespace normscope
