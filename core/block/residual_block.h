#pragma once
#include "core/block/add_norm.h"
#include "core/block/placement.h"
#include "core/nn/sublayer.h"
#include "core/norm/normalize.h"

#include <cstdint>
#include <optional>

namespace normscope {

struct BlockOptions {
    Norm norm;
    Placement placement = Placement::post;
    Residual skip = Residual::add; // no_skip: λx is left out
    double trunk_scale = 1;        // λ
    double branch_scale = 1;       // α
    double eps = 1e-5;
    Mode mode = Mode::train; // of norms with running statistics
    int threads = 1;
};

// One sublayer with its skip and its Add & Norm. x, y: T×D.
template<class S>
struct ResidualBlock {
    Sublayer<S> sublayer;
    Affine<S> affine; // γ and β of N
    Affine<S> outer;  // γ and β of N₂, peri only
    BlockOptions options;
    Vector<S> alpha = {}; // ReZero's, one value that multiplies α; empty: there is none
    // Running statistics of N and N₂, of norms that have them; evaluation needs them.
    std::optional<RunningStats<S>> running = {}, outer_running = {};
};

// Factor of the branch: α, times ReZero's α where there is one.
template<class S>
double branch_scale(const ResidualBlock<S>& block) {
    return block.options.branch_scale *
           (block.alpha.size() > 0 ? static_cast<double>(block.alpha(0)) : 1);
}

template<class S>
struct BlockCache {
    Normalized<S> norm;  // of N
    Normalized<S> outer; // of N₂, peri only
    Matrix<S> x;         // the block's input
    Matrix<S> branch;    // the branch's output before α
    Matrix<S> z;         // λx + αF(x), where N reads it (post, deepnorm); else empty
    SublayerCache<S> sublayer;
};

template<class S>
struct BlockForward {
    Matrix<S> y;
    BlockCache<S> cache;
};

template<class S>
struct BlockBackward {
    Matrix<S> dz;      // at the Add's output
    Matrix<S> skip;    // gradient down the skip: λ·dz, zeros without one
    Matrix<S> branch;  // gradient through the sublayer; dx = skip + branch
    Matrix<S> dnormed; // at the sublayer's input, where that is N's output; else empty
    Matrix<S> dmemory; // of a sublayer that reads a memory; else empty
    SublayerGradients<S> sublayer;
    Vector<S> dgamma, dbeta;             // of N
    Vector<S> outer_dgamma, outer_dbeta; // of N₂
    Vector<S> dalpha;                    // of ReZero's α; empty without one
    double dbranch_scale = 0;            // dα = Σ dz ⊙ branch; in training of ReZero's α alone
    double dtrunk_scale = 0;             // dλ = Σ dz ⊙ x, 0 without a skip, and in training

    Matrix<S> dx() const { return skip + branch; }
};

// Forward pass of cache.x, into the rest of the cache and y, which a caller keeps between passes.
// Errors: those of the sublayer and the norm; a sublayer that changes the width.
template<class S>
Result<void> block_forward_into(const ResidualBlock<S>& block, const AttentionContext<S>& context,
                                BlockCache<S>& cache, Matrix<S>& y);
template<class S>
Result<BlockForward<S>> block_forward(const ResidualBlock<S>& block, const Matrix<S>& x,
                                      const AttentionContext<S>& context = {}) {
    BlockForward<S> out;
    out.cache.x = x;
    TRY(block_forward_into(block, context, out.cache, out.y));
    return out;
}

// Buffers that the backward passes of blocks use one after the other.
template<class S>
struct BlockScratch {
    Matrix<S> df, dnormed; // at the branch, and below N₂
    SublayerScratch<S> sublayer;
};

// input_only leaves out the gradients of the sublayer's parameters, of λ and of α. Errors: dy of
// another shape than y.
template<class S>
Result<void> block_backward_into(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                 const Matrix<S>& dy, Want want, const AttentionContext<S>& context,
                                 BlockScratch<S>& scratch, BlockBackward<S>& out);
template<class S>
Result<BlockBackward<S>> block_backward(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                        const Matrix<S>& dy, Want want = Want::everything,
                                        const AttentionContext<S>& context = {}) {
    BlockBackward<S> out;
    BlockScratch<S> scratch;
    TRY(block_backward_into(block, cache, dy, want, context, scratch, out));
    return out;
}

// The gradient down the skip alone, without the sublayer's backward: `skip` of block_backward().
template<class S>
Result<Matrix<S>> skip_backward(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                const Matrix<S>& dy);

} // namespace normscope
