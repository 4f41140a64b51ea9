// Milliseconds that the numerics of the page take, as JSON: speed.mjs runs this in Chromium and
// natively, on one thread.
#include "core/train/trainer.h"
#include "core/transformer/transformer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace normscope;

// The best of some runs of a tenth of a second each.
template<class Work>
double milliseconds(const Work& work) {
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    work(); // the first one takes its memory from the system
    double best = 1e9;
    for (int run = 0; run < 8; ++run) {
        const auto begin = Clock::now();
        Milliseconds taken{};
        int times = 0;
        do {
            work();
            ++times;
            taken = Clock::now() - begin;
        } while (taken < Milliseconds(100));
        best = std::min(best, taken.count() / times);
    }
    return best;
}

double of_transformer() {
    const TransformerConfig config;
    const auto model = make_transformer<float>(config);
    const Batch batch = draw_batch(config, 1, 16, 16, 0);
    return milliseconds([&] {
        if (!batch_pass(*model, batch)) std::abort();
    });
}

double of_step(const TrainConfig& config) {
    auto trainer = Trainer<float>::make(config);
    return milliseconds([&] {
        if (!trainer->step()) std::abort();
    });
}

} // namespace

int main() {
    std::printf("{\"forward and backward of the default Transformer\": %.4f, "
                "\"a training step of the default MLP\": %.4f, "
                "\"a training step of the Transformer that reverses\": %.4f}\n",
                of_transformer(), of_step({}), of_step(usual_config(Task::reverse)));
}
