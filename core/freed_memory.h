#pragma once
#include <cstdlib> // says whether the C library is glibc

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace normscope {

// Keeps freed memory, to 64 MB, instead of giving it back to the system: matrices come and go with
// every pass, and pages that are taken again are cleared first, which costs up to a quarter of a
// backward pass. A setting of the process, for its main() to choose.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // what is larger always goes back
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

} // namespace normscope
