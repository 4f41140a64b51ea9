#pragma once
#include "core/nn/linear.h"
#include "core/nn/mask.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace normscope {

// Source of keys and values: x itself (self-attention) or a memory (cross-attention).
enum class Reads : std::uint8_t { itself, memory };

// Division of a matrix's rows into sentences, one below the other, each of its own length.
struct Sentences {
    std::vector<Index> lengths;       // tokens of each; empty: all rows are one sentence
    std::vector<std::uint8_t> hidden; // one a row, 1: no query sees it (padding); empty: none is

    bool operator==(const Sentences&) const = default;
};

// Inputs of attention beside x.
template<class S>
struct AttentionContext {
    const Sentences* sentences = nullptr;        // of x; null: one sentence
    const Matrix<S>* memory = nullptr;           // M×D, of cross-attention
    const Sentences* memory_sentences = nullptr; // as many as x has; null: one sentence
};

// Multi-head attention (Vaswani et al. 2017, section 3.2.2), sentence by sentence, with the
// parameters of torch.nn.MultiheadAttention: Q, K and V of all heads from one product, or, with a
// memory m, Q from one and K, V from another. m = x in self-attention.
//   Q = x·W_qᵀ + b_q                              T×D
//   [K V] = m·[W_k W_v]ᵀ + [b_k b_v]              M×2D
//   P_h = softmax(Q_h·K_hᵀ/√d_h)                  T×M a head, d_h = D/heads, 0 where masked
//   y = [P_1·V_1 … P_H·V_H]·W_outᵀ + b_out        T×D
// A layer without biases has empty biases.
template<class S>
struct MultiHeadAttention {
    Linear<S> in;  // 3D×D: rows of W_q, W_k, W_v
    Linear<S> out; // D×D
    int heads = 1;
    Mask mask = Mask::none;
    Reads reads = Reads::itself;
};

// The rows of one sentence of x, and of the sentence of the memory m that it reads.
struct AttentionPart {
    Index first = 0, tokens = 0;
    Index memory_first = 0, memory_tokens = 0;
};

template<class S>
struct AttentionCache {
    Matrix<S> x;                          // T×D
    Matrix<S> projected;                  // T×3D: Q, K, V; with a memory T×D: Q
    Matrix<S> scaled;                     // Q/√d_h, T×D
    Matrix<S> of_memory;                  // M×2D: K, V of a memory; else empty
    std::vector<AttentionPart> parts;     // a sentence each
    std::vector<Matrix<S>> probabilities; // a sentence each: heads·T×M, head by head
    Matrix<S> context;                    // T×D

    Index width() const { return context.cols(); }
    // T×D, M×D, M×D of all heads.
    auto queries() const { return projected.middleCols(0, width()); }
    auto keys() const { return with_keys().middleCols(first_key(), width()); }
    auto values() const { return with_keys().middleCols(first_key() + width(), width()); }
    const Matrix<S>& with_keys() const { return of_memory.size() > 0 ? of_memory : projected; }
    Index first_key() const { return of_memory.size() > 0 ? 0 : width(); }
};

template<class S>
struct AttentionGradients {
    LinearGradients<S> in;
    LinearGradients<S> out;
};

// W_q, W_k, W_v and W_out each D×D by their own rule, biases 0. D must be a multiple of `heads`.
template<class S>
MultiHeadAttention<S> make_attention(const InitRule& query_key, const InitRule& value_out,
                                     Index features, int heads, Random& random);

// Forward pass of cache.x, into the rest of the cache and y. Errors: x or memory of another width;
// heads that do not divide it; no memory where one is read; lengths that do not add up; an empty
// sentence; a token that sees no key.
template<class S>
Result<void> attend_into(const MultiHeadAttention<S>& attention, int threads,
                         const AttentionContext<S>& context, AttentionCache<S>& cache,
                         Matrix<S>& y);

// Buffers of a backward pass, kept so that the next pass of the same shape allocates nothing.
template<class S>
struct AttentionScratch {
    Matrix<S> dcontext;             // T×D
    Matrix<S> dprojected;           // as AttentionCache's
    Matrix<S> dof_memory;           // as AttentionCache's
    std::vector<Vector<S>> dscores; // a thread each, of a head: T×M values or more
};

// `context` as forward had it. Errors: dy of another shape than y.
template<class S>
Result<void> attend_backward_into(const MultiHeadAttention<S>& attention,
                                  const AttentionCache<S>& cache, const Matrix<S>& dy,
                                  const Pass& pass, const AttentionContext<S>& context,
                                  AttentionScratch<S>& scratch, AttentionGradients<S>& gradients,
                                  Matrix<S>& dx, Matrix<S>& dmemory);

} // namespace normscope
