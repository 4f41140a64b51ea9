// Statistics of a large activation matrix, as the screen computes them on every frame of a drag.
#include "core/base/random.h"
#include "core/stats/density.h"
#include "core/stats/histogram.h"
#include "core/stats/moments.h"
#include "core/stats/quantiles.h"

#include <array>
#include <benchmark/benchmark.h>

namespace {

using namespace normscope;

enum class Content { normal, constant, integers };

Matrix<float> values(Index tokens, Index features, Content content) {
    Random random(7);
    Matrix<float> m(tokens, features);
    for (Index i = 0; i < m.size(); ++i) {
        switch (content) {
        case Content::normal:
            m.data()[i] = static_cast<float>(random.normal());
            break;
        case Content::constant:
            m.data()[i] = 0.0f;
            break;
        case Content::integers:
            m.data()[i] = static_cast<float>(random.below(9)) - 4.0f;
            break;
        }
    }
    return m;
}

Matrix<float> input(const benchmark::State& state) {
    return values(state.range(0), state.range(1), static_cast<Content>(state.range(2)));
}

void per_value(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}

void bench_moments(benchmark::State& state) {
    const auto m = input(state);
    for (auto _ : state) benchmark::DoNotOptimize(moments(all_of(m)));
    per_value(state);
}

void bench_histogram(benchmark::State& state) {
    const auto m = input(state);
    for (auto _ : state) benchmark::DoNotOptimize(histogram(all_of(m), -5.0, 5.0, 64));
    per_value(state);
}

void bench_density(benchmark::State& state) {
    const auto m = input(state);
    const double h = silverman_bandwidth(1.0, 1.34, m.size());
    const Histogram bins = histogram(all_of(m), -5.0, 5.0, 512);
    for (auto _ : state) benchmark::DoNotOptimize(density(bins, h, 3, 256));
    per_value(state);
}

void bench_quantiles(benchmark::State& state) {
    const auto m = input(state);
    const std::array<double, 3> quarters{0.25, 0.5, 0.75};
    for (auto _ : state) benchmark::DoNotOptimize(quantiles(all_of(m), quarters));
    per_value(state);
}

void shapes(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"T", "D", "content"})->Unit(benchmark::kMicrosecond);
    bench->Args({4, 6, 0})->Args({128, 768, 0});
    for (const int content : {0, 1, 2}) bench->Args({4096, 768, content});
}

BENCHMARK(bench_moments)->Apply(shapes);
BENCHMARK(bench_histogram)->Apply(shapes);
BENCHMARK(bench_density)->Apply(shapes);
BENCHMARK(bench_quantiles)->Apply(shapes);

} // namespace
