#include "core/nn/attention_parts.h"

#include <numeric>
#include <span>
#include <string>

namespace normscope {
namespace {

// Valid as long as `rows`.
Result<std::span<const Index>> lengths_of(const Sentences* sentences, const Index& rows,
                                          const char* what) {
    if (sentences == nullptr || sentences->lengths.empty()) return std::span(&rows, 1);
    const std::vector<Index>& lengths = sentences->lengths;
    for (std::size_t s = 0; s < lengths.size(); ++s)
        if (lengths[s] < 1)
            return fail("sentence {} of {} is empty: attention needs at least one token", s, what);
    if (const Index sum = std::accumulate(lengths.begin(), lengths.end(), Index{0}); sum != rows)
        return fail("the sentences of {} have {} tokens together; the matrix has {} rows", what,
                    sum, rows);
    return std::span(lengths);
}

// The first query that sees no key, or the number of them.
Index blind_query(const AttentionPart& part, const std::vector<std::uint8_t>& hidden, Mask mask) {
    Index first_seen = 0;
    while (first_seen < part.memory_tokens &&
           hidden[static_cast<std::size_t>(part.memory_first + first_seen)] != 0)
        ++first_seen;
    if (first_seen == part.memory_tokens) return 0;
    return mask == Mask::causal && first_seen > 0 ? 0 : part.tokens;
}

} // namespace

Result<void> attention_parts(const Sentences* own, Index tokens, const Sentences* memory,
                             Index memory_tokens, Mask mask, std::vector<AttentionPart>& parts) {
    const auto lengths = lengths_of(own, tokens, "x");
    if (!lengths) return tl::unexpected(lengths.error());
    const auto memory_lengths = lengths_of(memory, memory_tokens, "the memory");
    if (!memory_lengths) return tl::unexpected(memory_lengths.error());
    if (lengths->size() != memory_lengths->size())
        return fail("every sentence needs one to read: x has {} sentences, the memory {}",
                    lengths->size(), memory_lengths->size());
    const bool hides = memory != nullptr && !memory->hidden.empty();
    if (hides && static_cast<Index>(memory->hidden.size()) != memory_tokens)
        return fail("the padding mask has {} entries for {} keys", memory->hidden.size(),
                    memory_tokens);
    parts.resize(lengths->size());
    AttentionPart next;
    for (std::size_t s = 0; s < parts.size(); ++s) {
        next.tokens = (*lengths)[s];
        next.memory_tokens = (*memory_lengths)[s];
        parts[s] = next;
        next.first += next.tokens;
        next.memory_first += next.memory_tokens;
        if (!hides) continue;
        if (const Index query = blind_query(parts[s], memory->hidden, mask);
            query < parts[s].tokens)
            return fail("token {} of sentence {} sees no key, so that its softmax has no value: "
                        "leave at least one key unmasked",
                        query, s);
    }
    return {};
}

} // namespace normscope
