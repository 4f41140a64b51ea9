#include "core/nn/attention.h"

#include "core/base/lists.h"
#include "core/base/parallel.h"
#include "core/kernels/gemm.h"
#include "core/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace normscope {
namespace {

// Multiply-adds of one product: fewer a thread are not worth waking it.
constexpr Index k_attention_grain = Index{1} << 18;

// A matrix whose columns the heads share: Q, K or V of head 0 begin at column `offset`.
template<class S>
struct Heads {
    const Matrix<S>* all;
    Index offset;

    Operand<S> of(Index head, Index width, Index first, Index rows) const {
        return as_is(*all).middle_rows(first, rows).middle_cols(offset + head * width, width);
    }
};

// A matrix whose columns the heads share, to be written; head 0 begins at column `offset`.
template<class S>
struct HeadTargets {
    Matrix<S>* all;
    Index offset;

    Target<S> of(Index head, Index width, Index first) const {
        return {all->data() + first * all->cols() + offset + head * width, all->cols()};
    }
};

// Calls body(thread, sentence, head) for every head of every sentence, on as many threads as pay.
template<class Body>
void over_heads(const std::vector<AttentionPart>& parts, int heads, Index width, int threads,
                const Body& body) {
    Index work = 0;
    for (const AttentionPart& part : parts) work += part.tokens * part.memory_tokens;
    const Index count = std::ssize(parts) * heads;
    const auto chunks = static_cast<int>(std::min<Index>(
        useful_threads(threads, 2 * work * width * heads, k_attention_grain), count));
    parallel_chunks(chunks, count, [&](int c, Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            body(static_cast<std::size_t>(c), static_cast<std::size_t>(i / heads), i % heads);
    });
}

// Turns the scores in p into P, row by row. `hidden` is of all keys, or null.
template<class S>
void softmax(const AttentionPart& part, Mask mask, const std::vector<std::uint8_t>* hidden, S* p) {
    const Index keys = part.memory_tokens;
    for (Index t = 0; t < part.tokens; ++t) {
        S* row = p + t * keys;
        const Index visible = mask == Mask::causal ? std::min(t + 1, keys) : keys;
        for (Index j = 0; hidden != nullptr && j < visible; ++j) // exp(−∞) = 0
            if (hidden->data()[part.memory_first + j] != 0)
                row[j] = -std::numeric_limits<S>::infinity();
        softmax_row(row, visible, keys);
    }
}

// The lengths of the sentences; without any, one sentence of all rows. The span is valid as long as
// `sentences` and `rows`.
Result<std::span<const Index>> lengths_of(const Sentences* sentences, const Index& rows,
                                          const char* what) {
    if (sentences == nullptr || sentences->lengths.empty()) return std::span(&rows, 1);
    const std::vector<Index>& lengths = sentences->lengths;
    for (const auto s : indices(lengths))
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
    while (first_seen < part.memory_tokens && entry_at(hidden, part.memory_first + first_seen) != 0)
        ++first_seen;
    if (first_seen == part.memory_tokens) return 0;
    return mask == Mask::causal && first_seen > 0 ? 0 : part.tokens;
}

// Pairs each sentence of the `tokens` rows with the sentence of the `memory_tokens` rows that it
// reads. `memory` may be null, as `own` may. Errors: lengths that do not add up, an empty sentence,
// another number of sentences on one side, a token that sees no key.
Result<void> attention_parts(const Sentences* own, Index tokens, const Sentences* memory,
                             Index memory_tokens, Mask mask, std::vector<AttentionPart>& parts) {
    const auto lengths = TRY(lengths_of(own, tokens, "x"));
    const auto memory_lengths = TRY(lengths_of(memory, memory_tokens, "the memory"));
    if (lengths.size() != memory_lengths.size())
        return fail("every sentence needs one to read: x has {} sentences, the memory {}",
                    lengths.size(), memory_lengths.size());
    const bool hides = memory != nullptr && !memory->hidden.empty();
    if (hides && std::ssize(memory->hidden) != memory_tokens)
        return fail("the padding mask has {} entries for {} keys", memory->hidden.size(),
                    memory_tokens);
    parts.resize(lengths.size());
    AttentionPart next;
    for (const auto s : indices(parts)) {
        next.tokens = lengths[s];
        next.memory_tokens = memory_lengths[s];
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

} // namespace

template<class S>
MultiHeadAttention<S> make_attention(const InitRule& query_key, const InitRule& value_out,
                                     Index features, int heads, Random& random) {
    MultiHeadAttention<S> out;
    out.heads = heads;
    out.in.weight.resize(3 * features, features);
    out.in.weight.topRows(features) = init_weight<S>(query_key, features, features, random);
    out.in.weight.middleRows(features, features) =
        init_weight<S>(query_key, features, features, random);
    out.in.weight.bottomRows(features) = init_weight<S>(value_out, features, features, random);
    out.in.bias.setZero(3 * features);
    out.out = make_linear<S>(value_out, features, features, random);
    return out;
}

template<class S>
Result<void> attend_into(const MultiHeadAttention<S>& attention, int threads,
                         const AttentionContext<S>& context, AttentionCache<S>& cache,
                         Matrix<S>& y) {
    const Index features = attention.out.in();
    if (attention.heads < 1 || features % attention.heads != 0)
        return fail("attention needs heads that divide its width: {} features, {} heads", features,
                    attention.heads);
    const bool cross = attention.reads == Reads::memory;
    if (cross && context.memory == nullptr)
        return fail("cross-attention needs a memory to read; none was given");
    const Sentences* keys = cross ? context.memory_sentences : context.sentences;
    const Index tokens = cache.x.rows();
    TRY(attention_parts(context.sentences, tokens, keys, cross ? context.memory->rows() : tokens,
                        attention.mask, cache.parts));
    TRY(linear_forward_into(attention.in, cache.x, threads, cache.projected,
                            OutputRows{0, cross ? features : 3 * features}));
    if (!cross)
        cache.of_memory.resize(0, 0);
    else
        TRY(linear_forward_into(attention.in, *context.memory, threads, cache.of_memory,
                                OutputRows{features, 2 * features}));
    cache.probabilities.resize(cache.parts.size());
    for (const auto s : indices(cache.parts))
        cache.probabilities[s].resize(attention.heads * cache.parts[s].tokens,
                                      cache.parts[s].memory_tokens);
    cache.context.resize(tokens, features);
    const Index width = features / attention.heads;
    // Scaling Q saves scaling the scores.
    cache.scaled = cache.queries() * (S(1) / std::sqrt(static_cast<S>(width)));
    const Heads<S> q{&cache.scaled, 0};
    const Heads<S> k{&cache.with_keys(), cache.first_key()};
    const Heads<S> v{&cache.with_keys(), cache.first_key() + features};
    const HeadTargets<S> c{&cache.context, 0};
    const bool hides = keys != nullptr && !keys->hidden.empty();
    const auto* hidden = hides ? &keys->hidden : nullptr;
    over_heads(cache.parts, attention.heads, width, threads,
               [&](std::size_t, std::size_t s, Index h) {
                   const AttentionPart& part = cache.parts[s];
                   const Index m = part.memory_tokens;
                   S* p = cache.probabilities[s].data() + h * part.tokens * m;
                   small_gemm(q.of(h, width, part.first, part.tokens),
                              k.of(h, width, part.memory_first, m).transposed(), Target<S>{p, m});
                   softmax(part, attention.mask, hidden, p);
                   small_gemm(Operand<S>{p, part.tokens, m, m, 1},
                              v.of(h, width, part.memory_first, m), c.of(h, width, part.first));
               });
    return linear_forward_into(attention.out, cache.context, threads, y);
}

template<class S>
Result<void> attend_backward_into(const MultiHeadAttention<S>& attention,
                                  const AttentionCache<S>& cache, const Matrix<S>& dy,
                                  const Pass& pass, const AttentionContext<S>& context,
                                  AttentionScratch<S>& scratch, AttentionGradients<S>& gradients,
                                  Matrix<S>& dx, Matrix<S>& dmemory) {
    const bool cross = attention.reads == Reads::memory;
    if (cross && (context.memory == nullptr || context.memory->rows() != cache.of_memory.rows()))
        return fail("cross-attention needs the memory that its forward pass read");
    shape_gradients(attention.in, pass, gradients.in);
    shape_gradients(attention.out, pass, gradients.out);
    TRY(linear_backward_into(attention.out, cache.context, dy, pass, gradients.out,
                             scratch.dcontext));
    const Index features = dy.cols();
    const Index width = features / attention.heads;
    const S scale = S(1) / std::sqrt(static_cast<S>(width));
    scratch.dprojected.resize(cache.projected.rows(), cache.projected.cols());
    scratch.dof_memory.resize(cache.of_memory.rows(), cache.of_memory.cols());
    scratch.dscores.resize(static_cast<std::size_t>(std::max(1, pass.threads)));
    const Heads<S> q{&cache.projected, 0};
    const Heads<S> k{&cache.with_keys(), cache.first_key()};
    const Heads<S> v{&cache.with_keys(), cache.first_key() + features};
    const Heads<S> dc{&scratch.dcontext, 0};
    const HeadTargets<S> dq{&scratch.dprojected, 0};
    const HeadTargets<S> dk{cross ? &scratch.dof_memory : &scratch.dprojected, cache.first_key()};
    const HeadTargets<S> dv{dk.all, dk.offset + features};
    over_heads(
        cache.parts, attention.heads, width, pass.threads,
        [&](std::size_t c, std::size_t s, Index h) {
            const AttentionPart& part = cache.parts[s];
            const Index m = part.memory_tokens;
            const S* p = cache.probabilities[s].data() + h * part.tokens * m;
            const Operand<S> probabilities{p, part.tokens, m, m, 1};
            const Operand<S> dcontext = dc.of(h, width, part.first, part.tokens);
            // dV = Pᵀ·dC, dP = dC·Vᵀ
            small_gemm(probabilities.transposed(), dcontext, dv.of(h, width, part.memory_first));
            Vector<S>& kept = scratch.dscores[c];
            if (kept.size() < part.tokens * m) kept.resize(part.tokens * m);
            S* ds = kept.data();
            const Operand<S> dscores{ds, part.tokens, m, m, 1};
            small_gemm(dcontext, v.of(h, width, part.memory_first, m).transposed(),
                       Target<S>{ds, m});
            // dS = P ⊙ (dP − Σ_j P⊙dP)/√d_h
            for (Index t = 0; t < part.tokens; ++t)
                softmax_row_backward(p + t * m, ds + t * m, m, scale);
            // dQ = dS·K, dK = dSᵀ·Q
            small_gemm(dscores, k.of(h, width, part.memory_first, m), dq.of(h, width, part.first));
            small_gemm(dscores.transposed(), q.of(h, width, part.first, part.tokens),
                       dk.of(h, width, part.memory_first));
        });
    TRY(linear_backward_into(attention.in, cache.x, scratch.dprojected, pass, gradients.in, dx,
                             OutputRows{0, scratch.dprojected.cols()}));
    if (cross)
        return linear_backward_into(attention.in, *context.memory, scratch.dof_memory, pass,
                                    gradients.in, dmemory, OutputRows{features, 2 * features});
    dmemory.resize(0, 0);
    return {};
}

NORMSCOPE_IN_BOTH_PRECISIONS(make_attention);
NORMSCOPE_IN_BOTH_PRECISIONS(attend_into);
NORMSCOPE_IN_BOTH_PRECISIONS(attend_backward_into);

} // namespace normscope
