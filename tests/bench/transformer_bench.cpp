// A Transformer's forward pass, backward pass and measures, as the Transformer workspace runs them.
// Argument: threads. tests/bench/transformer_torch_peer.py runs the same ones in PyTorch beside it.
#include "core/transformer/measure.h"

#include <benchmark/benchmark.h>

namespace {

using namespace normscope;

void forward_backward_measure(benchmark::State& state, const TransformerConfig& config,
                              int sentences, Index tokens) {
    const auto model = make_transformer<float>(config, static_cast<int>(state.range(0)));
    if (!model) {
        state.SkipWithError(model.error().message.c_str());
        return;
    }
    const Batch batch = draw_batch(config, sentences, tokens, tokens, 0);
    const auto pass = [&] { benchmark::DoNotOptimize(measure(*batch_pass(*model, batch))); };
    pass(); // the first one takes its memory from the system
    for (auto _ : state) pass();
}

TransformerConfig layers_of(int layers, Index width) {
    TransformerConfig config;
    config.layers = layers;
    config.width = width;
    config.ffn = 4 * width;
    return config;
}

void bench_small(benchmark::State& state) {
    forward_backward_measure(state, layers_of(3, 64), 1, 16);
}
void bench_batch(benchmark::State& state) {
    forward_backward_measure(state, layers_of(6, 64), 8, 16);
}
void bench_wide(benchmark::State& state) {
    forward_backward_measure(state, layers_of(6, 512), 1, 32);
}

#define NORMSCOPE_TRANSFORMER(name)                                                                \
    BENCHMARK(name)                                                                                \
        ->ArgName("threads")                                                                       \
        ->Arg(1)                                                                                   \
        ->Arg(2)                                                                                   \
        ->Unit(benchmark::kMillisecond)                                                            \
        ->UseRealTime()

NORMSCOPE_TRANSFORMER(bench_small);
NORMSCOPE_TRANSFORMER(bench_batch);
NORMSCOPE_TRANSFORMER(bench_wide);

} // namespace
