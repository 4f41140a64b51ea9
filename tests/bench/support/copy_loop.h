#pragma once
#include "core/base/matrix.h"

#include <span>

namespace normscope::bench {

// The upper bound of a kernel's speed: a loop that reads and writes the same arrays and does
// nothing else. Each of `out` gets the sum of `in`; with `twice`, `in` is read once before that.
struct CopyLoop {
    std::span<const float* const> in;
    std::span<float* const> out;
    Index values = 0;
    bool twice = false;
    bool around = false; // write past the cache
};

void copy_loop(const CopyLoop& loop, int threads);

} // namespace normscope::bench
