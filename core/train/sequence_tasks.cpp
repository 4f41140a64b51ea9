#include "core/train/sequence_tasks.h"

#include "core/base/random.h"
#include "core/nn/loss.h"

#include <algorithm>

namespace normscope {
namespace {

constexpr Index k_start = 0;

std::vector<Index> draw_symbols(const SequenceTaskConfig& config, Random& random) {
    Index length = config.length;
    if (config.shortest < config.length)
        length = config.shortest +
                 static_cast<Index>(
                     random.below(static_cast<std::uint64_t>(config.length - config.shortest) + 1));
    std::vector<Index> out(static_cast<std::size_t>(length));
    for (Index& symbol : out)
        symbol = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(config.symbols)));
    return out;
}

// The start and all wanted words but the last.
void append_shifted(const std::vector<Index>& wanted, std::vector<Index>& to) {
    to.push_back(k_start);
    to.insert(to.end(), wanted.begin(), wanted.end() - 1);
}

Sentence sentence_of(const SequenceTaskConfig& config, std::vector<Index> symbols) {
    const std::vector<Index> wanted = wanted_sequence(config.task, symbols);
    Sentence out;
    switch (config.arch) {
    case Architecture::encoder_decoder:
        append_shifted(wanted, out.target);
        out.labels = wanted;
        out.source = std::move(symbols);
        break;
    case Architecture::encoder:
        out.labels = wanted;
        out.labels.resize(symbols.size(), wanted.front());
        out.source = std::move(symbols);
        break;
    case Architecture::decoder:
        out.labels.assign(symbols.size(), k_no_label);
        out.labels.insert(out.labels.end(), wanted.begin(), wanted.end());
        out.target = std::move(symbols);
        append_shifted(wanted, out.target);
        break;
    }
    return out;
}

} // namespace

std::vector<Index> wanted_sequence(Task task, const std::vector<Index>& symbols) {
    std::vector<Index> out = symbols;
    if (task == Task::reverse) std::ranges::reverse(out);
    if (task == Task::sort) std::ranges::sort(out);
    if (task == Task::first) out.resize(1);
    return out;
}

Batch draw_sequences(const SequenceTaskConfig& config, Index sentences, std::uint64_t seed,
                     std::uint64_t stream) {
    Random random = random_stream(seed, stream);
    Batch out(static_cast<std::size_t>(sentences));
    for (Sentence& sentence : out) sentence = sentence_of(config, draw_symbols(config, random));
    return out;
}

} // namespace normscope
