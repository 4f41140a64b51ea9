// Milliseconds that the numerics of the page take, as JSON: speed.mjs runs this in Chromium and
// natively, on one thread.
#include "core/train/trainer.h"
#include "core/transformer/transformer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace {

using namespace normscope;

// A piece of work, and the milliseconds of its best run so far.
struct Row {
    const char* name;
    std::function<bool()> work;
    double best = 1e9;
};

// Runs of a tenth of a second each.
void measure(Row& row) {
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    for (int run = 0; run < 4; ++run) {
        const auto begin = Clock::now();
        Milliseconds taken{};
        int times = 0;
        do {
            if (!row.work()) std::abort();
            ++times;
            taken = Clock::now() - begin;
        } while (taken < Milliseconds(100));
        row.best = std::min(row.best, taken.count() / times);
    }
}

} // namespace

int main() {
    const TransformerConfig config;
    const auto model = make_transformer<float>(config);
    const Batch batch = draw_batch(config, 1, 16, 16, 0);
    auto mlp = Trainer<float>::make({});
    auto reversing = Trainer<float>::make(usual_config(Task::reverse));
    Row rows[] = {
        {"forward and backward of the default Transformer",
         [&] { return batch_pass(*model, batch).has_value(); }},
        {"a training step of the default MLP", [&] { return mlp->step().has_value(); }},
        {"a training step of the Transformer that reverses",
         [&] { return reversing->step().has_value(); }},
    };
    // In turns: a browser compiles during the first second, and what disturbs a row may be over in
    // the next turn.
    for (int turn = 0; turn < 5; ++turn)
        for (Row& row : rows) measure(row);
    for (const Row& row : rows)
        std::printf("%s\"%s\": %.4f", &row == rows ? "{" : ", ", row.name, row.best);
    std::printf("}\n");
}
