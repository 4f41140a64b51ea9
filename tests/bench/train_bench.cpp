// Steps of training, as the Train workspace takes them: what a step measures beside its loss is
// left out, as PyTorch leaves it out. Argument: threads, of independent runs. One thread of ours
// beside one of PyTorch: tests/bench/train_torch_peer.py.
#include "core/base/parallel.h"
#include "core/train/trainer.h"

#include <benchmark/benchmark.h>
#include <fstream>
#include <iterator>

namespace {

using namespace normscope;

void train_steps(benchmark::State& state, const TrainConfig& config, Watch watch = Watch::loss) {
    const auto threads = static_cast<std::size_t>(state.range(0));
    TrainInput input;
    std::ifstream text(NORMSCOPE_ASSET_DIR "/texts/sonnets.txt");
    input.text.assign(std::istreambuf_iterator<char>(text), {});
    std::vector<Trainer<float>> runs;
    for (std::size_t i = 0; i < threads; ++i) {
        auto run = Trainer<float>::make(config, input);
        if (!run) {
            state.SkipWithError(run.error().message.c_str());
            return;
        }
        runs.push_back(std::move(*run));
    }
    constexpr Index k_steps = 20; // of each run, between which the threads wait for each other
    for (auto _ : state) {
        take_turns(static_cast<int>(threads), static_cast<Index>(threads), [&](Index i) {
            for (Index s = 0; s < k_steps; ++s)
                benchmark::DoNotOptimize(runs[static_cast<std::size_t>(i)].step(watch));
        });
    }
    state.counters["us_a_step"] =
        benchmark::Counter(static_cast<double>(state.iterations()) *
                               static_cast<double>(k_steps * state.range(0)) / 1e6,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

TrainConfig mlp_with(NormKind norm) {
    TrainConfig config;
    config.norm = norm;
    config.lr = 0.01;
    return config;
}
TrainConfig sequence_config(Task task, Index width, Index batch) {
    TrainConfig config = usual_config(task);
    config.width = width;
    config.batch = batch;
    config.placement = Placement::pre;
    return config;
}

void bench_mlp_none(benchmark::State& state) {
    train_steps(state, mlp_with(NormKind::none));
}
void bench_mlp_layer(benchmark::State& state) {
    train_steps(state, mlp_with(NormKind::layer));
}
void bench_mlp_batch(benchmark::State& state) {
    train_steps(state, mlp_with(NormKind::batch));
}
void bench_mlp_watched(benchmark::State& state) {
    train_steps(state, mlp_with(NormKind::layer), Watch::everything);
}
void bench_reverse(benchmark::State& state) {
    train_steps(state, sequence_config(Task::reverse, 32, 16));
}
void bench_text(benchmark::State& state) {
    train_steps(state, sequence_config(Task::text, 64, 8));
}

#define NORMSCOPE_TRAIN(name)                                                                      \
    BENCHMARK(name)                                                                                \
        ->ArgName("threads")                                                                       \
        ->Arg(1)                                                                                   \
        ->Arg(2)                                                                                   \
        ->Unit(benchmark::kMicrosecond)                                                            \
        ->UseRealTime()

NORMSCOPE_TRAIN(bench_mlp_none);
NORMSCOPE_TRAIN(bench_mlp_layer);
NORMSCOPE_TRAIN(bench_mlp_batch);
NORMSCOPE_TRAIN(bench_mlp_watched);
NORMSCOPE_TRAIN(bench_reverse);
NORMSCOPE_TRAIN(bench_text);

} // namespace
