#include "tests/core/base/allocations.h"

#include <cerrno>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
thread_local std::int64_t asked = 0;
}

// In front of the C library's, for Eigen and operator new call them.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
    ++asked;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    ++asked;
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
    ++asked;
    return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    ++asked;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
    ++asked;
    *to = __libc_memalign(alignment, size);
    return *to ? 0 : ENOMEM;
}
}

namespace normscope::testing {
std::optional<std::int64_t> allocations() {
    return asked;
}
} // namespace normscope::testing
#else
namespace normscope::testing {
std::optional<std::int64_t> allocations() {
    return std::nullopt;
}
} // namespace normscope::testing
#endif
