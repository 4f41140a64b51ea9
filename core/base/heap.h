#pragma once
#include <cstdlib> // says whether the C library is glibc

#if defined(__GLIBC__)
#include <array>
#include <cstdint>
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace normscope {

// Settings of the process, for its main() to choose before it allocates.

inline constexpr std::size_t k_kept_when_freed = 64 << 20;

// Keeps freed memory, to 64 MB, instead of giving it back to the system: matrices come and go with
// every pass, and pages taken again are cleared first: up to a quarter of a backward pass.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // what is larger always goes back
    mallopt(M_TRIM_THRESHOLD, k_kept_when_freed);
#endif
}

// After keep_freed_memory(): asks for huge pages for the beginning of the heap, where the system
// gives them to those who ask. Taking 2 MB at once instead of 512 times 4 kB is a fifth of the
// start where page faults are dear, as in virtual machines.
inline void prefer_huge_pages() {
#if defined(__GLIBC__)
    // Two, as malloc takes what is above the threshold from elsewhere.
    constexpr std::size_t size = k_kept_when_freed / 2 - (1 << 20), page = 4096;
    std::array<void*, 2> blocks{std::malloc(size), std::malloc(size)};
    for (void* block : blocks) {
        const std::size_t skip = page - reinterpret_cast<std::uintptr_t>(block) % page;
        if (block) madvise(static_cast<char*>(block) + skip, size - page, MADV_HUGEPAGE);
    }
    for (void* block : blocks) std::free(block);
#endif
}

} // namespace normscope
