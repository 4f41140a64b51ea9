// The one source that is compiled with OpenMP, where a build has threads.
#include "core/base/parallel.h"

#include <exception>
#include <mutex>
#include <thread>

#if defined(__SANITIZE_THREAD__)
#include <vector>
#endif

namespace normscope {

bool has_threads() {
#ifdef _OPENMP
    return true;
#else
    return false;
#endif
}

int processor_threads() {
    if (!has_threads()) return 1;
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
}

void on_threads(int chunks, const std::function<void(int)>& body) {
    // An exception that left a thread would end the process.
    std::exception_ptr thrown;
    std::once_flag first;
    const auto run = [&](int c) {
        try {
            body(c);
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

} // namespace normscope
