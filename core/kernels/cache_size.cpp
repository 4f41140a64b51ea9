#include "core/kernels/norms.h"

#include <algorithm>

#if defined(__linux__)
#include <unistd.h>
#endif

namespace normscope::kernels {
namespace {

constexpr Index k_megabyte = Index{1} << 20;

#if defined(_SC_LEVEL3_CACHE_SIZE)
// The bytes of the cache that sysconf calls `name`, 0 where the system does not tell.
Index cache_bytes(int name) {
    return std::max<Index>(0, sysconf(name));
}
#endif

// What a core may hope to keep near of what it writes. Of a third-level cache a half, but no more
// than 16 MB, as other cores use it too, and a virtual machine is told of more than it gets. Where
// dozens of cores share it (it is many times a large second level) it is about as far as memory,
// and a line that is written there is read from there first: only the second level counts.
Index kept_bytes() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
    const Index second = cache_bytes(_SC_LEVEL2_CACHE_SIZE);
    const Index third = cache_bytes(_SC_LEVEL3_CACHE_SIZE);
    if (second >= 2 * k_megabyte && third >= 24 * second) return second;
    if (third > 0) return std::min<Index>(16 * k_megabyte, third / 2);
    if (second > 0) return second;
#endif
    return k_megabyte;
}

bool is_amd() {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

// Measured: with 48 kB a walk through memory is faster by up to a half where it fetches into the
// first level, with 32 kB it is slower. On an AMD (Zen 5) it is fastest past the second level. An
// Intel (Emerald Rapids) has little room in its first level for lines that are to go past the
// second: what is pushed out before it is read comes from memory again, and a walk takes two or
// three times as long.
Level level_of_rows() {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    if (cache_bytes(_SC_LEVEL1_DCACHE_SIZE) >= 48 * 1024)
        return is_amd() ? Level::first_alone : Level::first;
#endif
    return Level::second;
}

} // namespace

Memory memory_for(Index bytes, Index kept_near) {
    // Asking the processor takes microseconds.
    static const Index kept = kept_bytes();
    static const Level rows = level_of_rows();
    return {bytes > (rows == Level::second ? kept : std::min(kept, kept_near)), rows};
}

} // namespace normscope::kernels
