// Stacks of residual blocks: forward, backward and flow, as the Gradient flow workspace runs them.
// Arguments: threads. tests/bench/flow_torch_peer.py runs the same stacks in PyTorch beside it.
#include "core/flow/gradient_flow.h"
#include "core/flow/path_lengths.h"
#include "core/flow/residual_stack.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

namespace {

using namespace normscope;

// 12 encoder blocks, width 64, 4 heads, 32 tokens.
StackConfig encoder_stack() {
    StackConfig config;
    config.tokens = 32;
    return config;
}

// 24 feed-forward blocks, width 256, 128 tokens.
StackConfig ffn_stack() {
    StackConfig config;
    config.blocks = 24;
    config.width = 256;
    config.sublayer = SublayerKind::ffn;
    return config;
}

void forward_backward_flow(benchmark::State& state, const StackConfig& config) {
    const auto stack = ResidualStack<float>::make(config, static_cast<int>(state.range(0)));
    if (!stack) {
        state.SkipWithError(stack.error().message.c_str());
        return;
    }
    const auto pass = [&] {
        const auto run = run_forward(*stack);
        benchmark::DoNotOptimize(gradient_flow(*stack, *run));
    };
    pass(); // the first one takes its memory from the system
    for (auto _ : state) pass();
}

void bench_encoder(benchmark::State& state) {
    forward_backward_flow(state, encoder_stack());
}
void bench_ffn(benchmark::State& state) {
    forward_backward_flow(state, ffn_stack());
}

// Cost grows as L².
void bench_path_lengths(benchmark::State& state) {
    StackConfig config;
    config.blocks = static_cast<int>(state.range(0));
    config.tokens = 32;
    config.sublayer = SublayerKind::ffn;
    const auto stack = ResidualStack<float>::make(config);
    if (!stack) {
        state.SkipWithError(stack.error().message.c_str());
        return;
    }
    const auto run = run_forward(*stack);
    for (auto _ : state) benchmark::DoNotOptimize(path_lengths(*stack, *run));
    state.SetComplexityN(state.range(0));
}

// Bytes that are allocated now.
double allocated() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

// The memory of the weights and of one forward pass, kept for the backward passes: linear in L. The
// backward pass itself keeps one block's gradients at a time.
void bench_memory(benchmark::State& state) {
    StackConfig config = encoder_stack();
    config.blocks = static_cast<int>(state.range(0));
    double weights = 0;
    double run_bytes = 0;
    for (auto _ : state) {
        const double before = allocated();
        const auto stack = ResidualStack<float>::make(config);
        weights = allocated() - before;
        auto run = run_forward(*stack);
        run_bytes = allocated() - before - weights;
        benchmark::DoNotOptimize(run);
    }
    state.counters["weights_MB"] = weights / 1e6;
    state.counters["run_MB"] = run_bytes / 1e6;
    state.counters["run_kB_a_block"] = run_bytes / 1e3 / config.blocks;
}

// Drawing the weights: what changing the seed or the gain costs once.
void bench_draw_weights(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(ResidualStack<float>::make(encoder_stack()));
}

BENCHMARK(bench_encoder)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(bench_ffn)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(bench_path_lengths)
    ->Arg(6)
    ->Arg(12)
    ->Arg(27)
    ->Arg(54)
    ->ArgName("L")
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNSquared);
BENCHMARK(bench_memory)
    ->Arg(12)
    ->Arg(24)
    ->Arg(48)
    ->Arg(96)
    ->ArgName("L")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bench_draw_weights)->Unit(benchmark::kMillisecond);

} // namespace
