#include "core/nn/attention.h"

#include "core/base/parallel.h"
#include "core/kernels/gemm.h"
#include "core/kernels/softmax.h"
#include "core/nn/attention_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace normscope {
namespace {

// Multiply-adds of one product: fewer a thread are not worth waking it.
constexpr Index k_attention_grain = Index{1} << 18;

template<class S>
constexpr const S* k_no_bias = nullptr;

// A matrix that heads share, column by column: where Q, K or V of head 0 begin in it.
template<class S>
struct Heads {
    const Matrix<S>* all;
    Index offset;

    Operand<S> of(Index head, Index width, Index first, Index rows) const {
        return as_is(*all).middle_rows(first, rows).middle_cols(offset + head * width, width);
    }
};

// The same of what is written.
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
    const Index count = static_cast<Index>(parts.size()) * heads;
    const auto chunks = static_cast<int>(std::min<Index>(
        useful_threads(threads, 2 * work * width * heads, k_attention_grain), count));
    parallel_chunks(chunks, count, [&](int c, Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            body(static_cast<std::size_t>(c), static_cast<std::size_t>(i / heads), i % heads);
    });
}

template<class S>
struct Softmax {
    Mask mask;
    const std::vector<std::uint8_t>* hidden; // of all keys, or null

    // P from the scores, row by row.
    void operator()(const AttentionPart& part, S* p) const {
        const Index keys = part.memory_tokens;
        for (Index t = 0; t < part.tokens; ++t) {
            S* row = p + t * keys;
            const Index visible = mask == Mask::causal ? std::min(t + 1, keys) : keys;
            if (hidden != nullptr) hide(part, row, visible);
            softmax_row(row, visible, keys);
        }
    }

  private:
    // exp(−∞) = 0
    void hide(const AttentionPart& part, S* row, Index visible) const {
        const std::uint8_t* h = hidden->data() + part.memory_first;
        for (Index j = 0; j < visible; ++j)
            if (h[j] != 0) row[j] = -std::numeric_limits<S>::infinity();
    }
};

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
Result<AttentionForward<S>> attend(const MultiHeadAttention<S>& attention, Matrix<S> x, int threads,
                                   const AttentionContext<S>& context) {
    const Index features = attention.out.in();
    if (attention.heads < 1 || features % attention.heads != 0)
        return fail("attention needs heads that divide its width: " + std::to_string(features) +
                    " features, " + std::to_string(attention.heads) + " heads");
    const bool cross = attention.reads == Reads::memory;
    if (cross && context.memory == nullptr)
        return fail("cross-attention needs a memory to read; none was given");
    const Sentences* keys = cross ? context.memory_sentences : context.sentences;
    auto parts = attention_parts(context.sentences, x.rows(), keys,
                                 cross ? context.memory->rows() : x.rows(), attention.mask);
    if (!parts) return tl::unexpected(parts.error());
    AttentionForward<S> out;
    AttentionCache<S>& cache = out.cache;
    cache.parts = std::move(*parts);
    auto projected =
        linear_forward(attention.in, OutputRows{0, cross ? features : 3 * features}, x, threads);
    if (!projected) return tl::unexpected(projected.error());
    cache.projected = std::move(*projected);
    if (cross) {
        auto of_memory = linear_forward(attention.in, OutputRows{features, 2 * features},
                                        *context.memory, threads);
        if (!of_memory) return tl::unexpected(of_memory.error());
        cache.of_memory = std::move(*of_memory);
    }
    for (const AttentionPart& part : cache.parts)
        cache.probabilities.emplace_back(attention.heads * part.tokens, part.memory_tokens);
    cache.context.resize(x.rows(), features);
    const Index width = features / attention.heads;
    // Q/√d_h, so that the scores come scaled out of the product.
    const Matrix<S> scaled = cache.queries() * (S(1) / std::sqrt(static_cast<S>(width)));
    const Heads<S> q{&scaled, 0};
    const Heads<S> k{&cache.with_keys(), cache.first_key()};
    const Heads<S> v{&cache.with_keys(), cache.first_key() + features};
    const HeadTargets<S> c{&cache.context, 0};
    const bool hides = keys != nullptr && !keys->hidden.empty();
    const Softmax<S> softmax{attention.mask, hides ? &keys->hidden : nullptr};
    over_heads(
        cache.parts, attention.heads, width, threads, [&](std::size_t, std::size_t s, Index h) {
            const AttentionPart& part = cache.parts[s];
            const Index m = part.memory_tokens;
            S* p = cache.probabilities[s].data() + h * part.tokens * m;
            gemm(q.of(h, width, part.first, part.tokens),
                 k.of(h, width, part.memory_first, m).transposed(), Target<S>{p, m}, k_no_bias<S>);
            softmax(part, p);
            gemm(Operand<S>{p, part.tokens, m, m, 1}, v.of(h, width, part.memory_first, m),
                 c.of(h, width, part.first), k_no_bias<S>);
        });
    auto y = linear_forward(attention.out, cache.context, threads);
    if (!y) return tl::unexpected(y.error());
    out.y = std::move(*y);
    cache.x = std::move(x);
    return out;
}

template<class S>
Result<AttentionBackward<S>> attend_backward(const MultiHeadAttention<S>& attention,
                                             const AttentionCache<S>& cache, const Matrix<S>& dy,
                                             const Pass& pass, const AttentionContext<S>& context) {
    const bool cross = attention.reads == Reads::memory;
    if (cross && (context.memory == nullptr || context.memory->rows() != cache.of_memory.rows()))
        return fail("cross-attention needs the memory that its forward pass read");
    auto last = linear_backward(attention.out, cache.context, dy, pass);
    if (!last) return tl::unexpected(last.error());
    const Index features = dy.cols();
    const Index width = features / attention.heads;
    const S scale = S(1) / std::sqrt(static_cast<S>(width));
    Matrix<S> dprojected(cache.projected.rows(), cache.projected.cols());
    Matrix<S> dof_memory(cache.of_memory.rows(), cache.of_memory.cols());
    const Heads<S> q{&cache.projected, 0};
    const Heads<S> k{&cache.with_keys(), cache.first_key()};
    const Heads<S> v{&cache.with_keys(), cache.first_key() + features};
    const Heads<S> dc{&last->dx, 0};
    const HeadTargets<S> dq{&dprojected, 0};
    const HeadTargets<S> dk{cross ? &dof_memory : &dprojected, cache.first_key()};
    const HeadTargets<S> dv{dk.all, dk.offset + features};
    std::vector<Matrix<S>> scratch(static_cast<std::size_t>(std::max(1, pass.threads)));
    over_heads(cache.parts, attention.heads, width, pass.threads,
               [&](std::size_t c, std::size_t s, Index h) {
                   const AttentionPart& part = cache.parts[s];
                   const Index m = part.memory_tokens;
                   const S* p = cache.probabilities[s].data() + h * part.tokens * m;
                   const Operand<S> probabilities{p, part.tokens, m, m, 1};
                   const Operand<S> dcontext = dc.of(h, width, part.first, part.tokens);
                   // dV = Pᵀ·dC, dP = dC·Vᵀ
                   gemm(probabilities.transposed(), dcontext, dv.of(h, width, part.memory_first),
                        k_no_bias<S>);
                   Matrix<S>& ds = scratch[c];
                   ds.resize(part.tokens, m);
                   gemm(dcontext, v.of(h, width, part.memory_first, m).transposed(), into(ds),
                        k_no_bias<S>);
                   // dS = P ⊙ (dP − Σ_j P⊙dP)/√d_h
                   for (Index t = 0; t < part.tokens; ++t)
                       softmax_row_backward(p + t * m, ds.data() + t * m, m, scale);
                   // dQ = dS·K, dK = dSᵀ·Q
                   gemm(as_is(ds), k.of(h, width, part.memory_first, m),
                        dq.of(h, width, part.first), k_no_bias<S>);
                   gemm(transposed(ds), q.of(h, width, part.first, part.tokens),
                        dk.of(h, width, part.memory_first), k_no_bias<S>);
               });
    AttentionBackward<S> out;
    out.gradients = {gradients_like(attention.in, pass), std::move(last->gradients)};
    auto dx = linear_backward(attention.in, OutputRows{0, dprojected.cols()}, cache.x, dprojected,
                              out.gradients.in, pass);
    if (!dx) return tl::unexpected(dx.error());
    out.dx = std::move(*dx);
    if (!cross) return out;
    auto dmemory = linear_backward(attention.in, OutputRows{features, 2 * features},
                                   *context.memory, dof_memory, out.gradients.in, pass);
    if (!dmemory) return tl::unexpected(dmemory.error());
    out.dmemory = std::move(*dmemory);
    return out;
}

template MultiHeadAttention<float> make_attention(const InitRule&, const InitRule&, Index, int,
                                                  Random&);
template MultiHeadAttention<double> make_attention(const InitRule&, const InitRule&, Index, int,
                                                   Random&);
template Result<AttentionForward<float>> attend(const MultiHeadAttention<float>&, Matrix<float>,
                                                int, const AttentionContext<float>&);
template Result<AttentionForward<double>> attend(const MultiHeadAttention<double>&, Matrix<double>,
                                                 int, const AttentionContext<double>&);
template Result<AttentionBackward<float>> attend_backward(const MultiHeadAttention<float>&,
                                                          const AttentionCache<float>&,
                                                          const Matrix<float>&, const Pass&,
                                                          const AttentionContext<float>&);
template Result<AttentionBackward<double>> attend_backward(const MultiHeadAttention<double>&,
                                                           const AttentionCache<double>&,
                                                           const Matrix<double>&, const Pass&,
                                                           const AttentionContext<double>&);

} // namespace normscope
