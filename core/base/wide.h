#pragma once

// Stands before a function whose loops are worth it: GCC compiles them for processors with AVX2,
// too, and the program takes the one that fits when it starts. ThreadSanitizer comes too late for
// that choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define NORMSCOPE_WIDE __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define NORMSCOPE_WIDE
#endif
