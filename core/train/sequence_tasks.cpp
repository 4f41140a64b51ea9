#include "core/train/train_data.h"

#include "core/base/random.h"
#include "core/nn/loss.h"

#include <algorithm>
#include <cstddef>

namespace normscope {
namespace {

constexpr Index k_start = 0;

void draw_symbols(const TrainConfig& config, Random& random, std::vector<Index>& out) {
    Index length = config.length;
    if (config.shortest > 0 && config.shortest < config.length)
        length = config.shortest +
                 static_cast<Index>(
                     random.below(static_cast<std::uint64_t>(config.length - config.shortest) + 1));
    out.resize(static_cast<std::size_t>(length));
    for (Index& symbol : out)
        symbol = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(config.symbols)));
}

// Appends the wanted result of the symbols to `to`.
void append_wanted(Task task, const std::vector<Index>& symbols, std::vector<Index>& to) {
    const auto before = static_cast<std::ptrdiff_t>(to.size());
    to.insert(to.end(), symbols.begin(), task == Task::first ? symbols.begin() + 1 : symbols.end());
    if (task == Task::reverse) std::reverse(to.begin() + before, to.end());
    if (task == Task::sort) std::sort(to.begin() + before, to.end());
}

void draw_sentence(const TrainConfig& config, Random& random, Sentence& out) {
    const bool decodes_alone = config.model == TrainModel::decoder;
    std::vector<Index>& symbols = decodes_alone ? out.target : out.source;
    draw_symbols(config, random, symbols);
    const std::size_t length = symbols.size(), before = decodes_alone ? length : 0;
    out.labels.assign(before, k_no_label);
    append_wanted(config.task, symbols, out.labels);
    if (config.model == TrainModel::encoder) {
        out.labels.resize(length, out.labels.front());
        return;
    }
    // The start and all wanted words but the last.
    if (!decodes_alone) out.target.clear();
    out.target.push_back(k_start);
    out.target.insert(out.target.end(), out.labels.begin() + static_cast<std::ptrdiff_t>(before),
                      out.labels.end() - 1);
}

} // namespace

void draw_sequences(const TrainConfig& config, Index sentences, std::uint64_t stream, Batch& out) {
    Random random = random_stream(config.seed, stream);
    out.resize(static_cast<std::size_t>(sentences));
    for (Sentence& sentence : out) draw_sentence(config, random, sentence);
}

} // namespace normscope
