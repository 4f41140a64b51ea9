#pragma once
#include "core/base/parallel.h"

#include <atomic>

namespace normscope {

// Calls body(0) … body(n − 1) on up to `threads` threads, each of which takes the next one when it
// is done with the one before: for work of which some takes longer.
template<class Body>
void take_turns(int threads, Index n, Body&& body) {
    std::atomic<Index> next{0};
    const int workers = static_cast<int>(std::clamp<Index>(threads, 1, std::max<Index>(1, n)));
    parallel_chunks(workers, workers, [&](int, Index, Index) {
        for (Index i = next++; i < n; i = next++) body(i);
    });
}

} // namespace normscope
