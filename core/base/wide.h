#pragma once

// NORMSCOPE_WIDE stands before a function whose loops are worth it: GCC compiles it a second time,
// for processors with AVX2, and the loader takes the one that fits. ThreadSanitizer starts too late
// for that choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define NORMSCOPE_WIDE __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define NORMSCOPE_WIDE
#endif
