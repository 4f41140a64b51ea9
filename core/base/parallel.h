#pragma once
#include "core/base/matrix.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#if defined(__SANITIZE_THREAD__)
#include <vector>
#endif

namespace normscope {

// False in a build that starts no thread: all work is done within the calls that ask for it.
#ifdef _OPENMP
inline constexpr bool k_has_threads = true;
#else
inline constexpr bool k_has_threads = false;
#endif

// As many as the processor runs at once; more than 8 would wait for memory.
inline int processor_threads() {
    if (!k_has_threads) return 1;
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
}

// The number of threads, up to `threads`, that leaves each of them at least `grain` of `work`
// steps. It depends on nothing else, so that the same call is cut the same way every time.
inline int useful_threads(int threads, Index work, Index grain) {
    const Index worth = std::max<Index>(1, work / std::max<Index>(1, grain));
    return static_cast<int>(std::min<Index>(std::max(1, threads), worth));
}

// Where chunk `chunk` of `chunks` begins when [0, n) is cut into contiguous chunks.
inline Index chunk_begin(Index n, int chunk, int chunks) {
    return n * chunk / chunks;
}

// Calls body(chunk, begin, end) for `chunks` contiguous chunks of [0, n), each on a thread of its
// own; with one chunk on the caller's, at no cost. The first exception that leaves a body is thrown
// on once all have ended.
template<class Body>
void parallel_chunks(int chunks, Index n, Body&& body) {
    if (chunks <= 1) {
        body(0, Index{0}, n);
        return;
    }
    // One that left a thread would end the process.
    std::exception_ptr thrown;
    std::once_flag first;
    const auto run = [&](int c) {
        try {
            body(c, chunk_begin(n, c, chunks), chunk_begin(n, c + 1, chunks));
        } catch (...) {
            std::call_once(first, [&] { thrown = std::current_exception(); });
        }
    };
#if defined(__SANITIZE_THREAD__)
    // ThreadSanitizer does not see the barriers of GCC's OpenMP and would report races.
    std::vector<std::thread> workers;
    for (int c = 1; c < chunks; ++c) workers.emplace_back([&, c] { run(c); });
    run(0);
    for (std::thread& worker : workers) worker.join();
#else
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(chunks)
#endif
    for (int c = 0; c < chunks; ++c) run(c);
#endif
    if (thrown) std::rethrow_exception(thrown);
}

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
