#pragma once
#include "core/base/matrix.h"

#include <algorithm>
#include <atomic>
#include <functional>

namespace normscope {

// False in a build that starts no thread: all work is done within the calls that ask for it.
bool has_threads();

// The threads that the processor runs at once, at most 8: more would wait for memory. 1 in a build
// that starts no thread.
int processor_threads();

// The number of threads, up to `threads`, that leaves each of them at least `grain` of `work`
// steps. It depends on nothing else, so that the same call is cut the same way every time.
inline int useful_threads(int threads, Index work, Index grain) {
    const Index worth = std::max<Index>(1, work / std::max<Index>(1, grain));
    return static_cast<int>(std::min<Index>(std::max(1, threads), worth));
}

// First index of chunk `chunk` when [0, n) is cut into `chunks` contiguous chunks.
inline Index chunk_begin(Index n, int chunk, int chunks) {
    return n * chunk / chunks;
}

// Calls body(0) … body(chunks − 1), each on a thread of its own. The first exception that leaves a
// body is thrown on once all have ended.
void on_threads(int chunks, const std::function<void(int chunk)>& body);

// Calls body(chunk, begin, end) for `chunks` contiguous chunks of [0, n), as on_threads() does;
// with one chunk on the caller's thread, at no cost.
template<class Body>
void parallel_chunks(int chunks, Index n, Body&& body) {
    if (chunks <= 1) {
        body(0, Index{0}, n);
        return;
    }
    const auto run = [&](int c) {
        body(c, chunk_begin(n, c, chunks), chunk_begin(n, c + 1, chunks));
    };
    on_threads(chunks, std::ref(run)); // a reference, so that nothing is allocated
}

// Calls body(0) … body(n − 1) on up to `threads` threads; each thread takes the next call when it
// is done with the one before: for calls that take unequal time.
template<class Body>
void take_turns(int threads, Index n, Body&& body) {
    std::atomic<Index> next{0};
    const int workers = static_cast<int>(std::clamp<Index>(threads, 1, std::max<Index>(1, n)));
    parallel_chunks(workers, workers, [&](int, Index, Index) {
        for (Index i = next++; i < n; i = next++) body(i);
    });
}

} // namespace normscope
