#pragma once
#include <cstdint>
#include <optional>

namespace normscope::testing {

// How often this thread has asked for memory; none where that is not counted: in a sanitizer, which
// has its own malloc, and beside another C library.
std::optional<std::int64_t> allocations();

} // namespace normscope::testing
