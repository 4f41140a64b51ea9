#include "app/model/batch_setup.h"

#include "app/model/printed_number.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

Index batch_size(const BatchSetup& setup, Index tokens) {
    return setup.batch == 0 ? tokens : std::min(setup.batch, tokens);
}

SentenceCell leak_cell(const BatchSetup& setup) {
    SentenceCell cell = setup.leak;
    cell.word = std::min(cell.word, setup.lengths[static_cast<std::size_t>(cell.sentence)] - 1);
    return cell;
}

Result<void> check(const BatchSetup& s) {
    if (s.batch < 0) return fail("The batch must be of at least one token");
    if (!(s.momentum >= k_least_momentum && s.momentum <= k_most_momentum))
        return fail(fmt::format("The momentum must lie between {} and {}",
                                short_text(k_least_momentum), short_text(k_most_momentum)));
    if (s.updates < 0 || s.updates > k_most_updates)
        return fail(fmt::format("{} updates: from 0 to {} are shown", s.updates, k_most_updates));
    if (s.nan_update < 0 || s.nan_update > k_most_updates)
        return fail(fmt::format("The NaN batch must be one of the updates 1 to {}, or none (0)",
                                k_most_updates));
    for (const Index length : s.lengths)
        if (length < 1 || length > k_longest_sentence)
            return fail(fmt::format("A sentence of {} words: it must have 1 to {}", length,
                                    k_longest_sentence));
    if (s.leak.sentence < 0 || s.leak.sentence >= static_cast<Index>(k_sentences) ||
        s.leak.word < 0 || s.leak.word >= k_longest_sentence || s.leak.feature < 0 ||
        s.leak.feature >= k_sentence_features)
        return fail(
            fmt::format("The raised value is [{}, {}, {}], but there are {} sentences of {} "
                        "words with {} features",
                        s.leak.sentence, s.leak.word, s.leak.feature, k_sentences,
                        k_longest_sentence, k_sentence_features));
    return {};
}

} // namespace normscope
