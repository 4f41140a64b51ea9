#include "core/norm/kernels.h"

#if defined(__linux__)
#include <unistd.h>
#endif

namespace normscope::kernels {
namespace {

Index second_level_cache_bytes() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
    if (const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return bytes;
#endif
    return Index{1} << 20;
}

} // namespace

bool writes_around_cache(Index bytes) {
    static const Index cache =
        second_level_cache_bytes(); // asking the processor takes microseconds
    return bytes > cache;
}

} // namespace normscope::kernels
