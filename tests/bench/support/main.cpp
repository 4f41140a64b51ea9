// Of the benchmarks that bring none of their own: memory is kept as in the program.
#include "core/base/heap.h"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
    normscope::keep_freed_memory();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
