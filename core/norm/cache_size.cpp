#include "core/norm/kernels.h"

#include <algorithm>

#if defined(__linux__)
#include <unistd.h>
#endif

namespace normscope::kernels {
namespace {

// What a core may hope to keep of the third-level cache: half of it, where the system tells its
// size, but no more than 8 MB, as other cores use it too, and a virtual machine is told of more
// than it gets.
Index kept_bytes() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
    constexpr Index most = Index{8} << 20;
    if (const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE); bytes > 0)
        return std::min<Index>(most, bytes / 2);
    if (const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
    return Index{1} << 20;
}

} // namespace

bool writes_around_cache(Index bytes) {
    static const Index kept = kept_bytes(); // asking the processor takes microseconds
    return bytes > kept;
}

} // namespace normscope::kernels
