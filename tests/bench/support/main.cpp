// The main function of the benchmarks that bring none of their own.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
