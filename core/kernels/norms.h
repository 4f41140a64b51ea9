#pragma once
#include "core/base/matrix.h"

#include <cstdint>
#include <limits>
#include <optional>

// The loops under the norms, on raw row-major arrays without gaps: float and double, the
// instruction set chosen at run time (Highway). Shapes are not checked here. Arrays may have any
// alignment; outputs must not overlap inputs unless said otherwise. Results for a given number of
// threads are the same bits every time; of forward passes for every number of threads.
namespace normscope::kernels {

// The level of the cache that prefetched data goes to.
enum class Level : std::uint8_t {
    first_alone, // past the second: it is read but once or twice
    first,       // and the second
    second,
};

// How an operation goes through memory.
struct Memory {
    // Its own data would push itself out of the last level of the cache: what it writes goes around
    // the cache, and what it reads is asked for ahead.
    bool around = false;
    // Where rows that are asked for ahead go: into the first level where that is large enough to
    // hold them beside the rows at work, and into it alone where the processor then keeps them.
    Level rows = Level::second;

    bool fetches_into_first() const { return around && rows != Level::second; }
};

// Statistics over rows. y = γ ⊙ (z − mean)·rstd + β, with z = x, or x + f where f is given.
template<class S>
struct RowForward {
    const S* x = nullptr;     // rows×cols
    const S* f = nullptr;     // rows×cols, or null
    S* z = nullptr;           // rows×cols, x + f is kept here; null when f is
    const S* gamma = nullptr; // cols values, or null for 1
    const S* beta = nullptr;  // cols values, null when gamma is
    S* y = nullptr;           // rows×cols
    S* mean = nullptr;        // rows values; rms norm writes 0
    S* rstd = nullptr;        // rows values
    Index rows = 0;
    Index cols = 0;
    S eps = 0;
    bool use_mean = true;              // off for rms norm
    std::optional<Memory> memory = {}; // none: memory_for() chooses by the size
};

template<class S>
void row_forward(const RowForward<S>& a, int threads);

// dx = (g − mean(g) − x̂·mean(g⊙x̂))·rstd with g = γ⊙dy, means over a row; x̂ = (x − mean)·rstd.
template<class S>
struct RowBackward {
    const S* x = nullptr;         // rows×cols: z, or x̂ where `mean` is null
    const S* mean = nullptr;      // rows values, or null: x is x̂ already
    const S* rstd = nullptr;      // rows values
    const S* gamma = nullptr;     // cols values, or null
    const S* row_gamma = nullptr; // rows values, or null; not together with gamma
    const S* dy = nullptr;        // rows×cols
    S* dx = nullptr;              // rows×cols; may be dy
    S* dgamma = nullptr;          // cols values Σ_rows dy⊙x̂, or null
    S* dbeta = nullptr;           // cols values Σ_rows dy, null when dgamma is
    S* row_dgamma = nullptr;      // rows values Σ_cols dy⊙x̂, or null; not together with gamma
    S* row_dbeta = nullptr;       // rows values Σ_cols dy, null when row_dgamma is
    Index rows = 0;
    Index cols = 0;
    bool use_mean = true;              // off for rms norm
    bool use_projection = true;        // off to show what it is for
    std::optional<Memory> memory = {}; // else as its size bids
};

template<class S>
void row_backward(const RowBackward<S>& a, int threads);

// Statistics over columns: y = γ ⊙ (x − mean)·rstd + β.
template<class S>
struct ColumnForward {
    const S* x = nullptr;     // rows×cols
    const S* gamma = nullptr; // cols values, or null for 1
    const S* beta = nullptr;  // cols values, null when gamma is
    S* y = nullptr;           // rows×cols
    S* mean = nullptr;        // cols values
    S* var = nullptr;         // cols values, biased
    S* rstd = nullptr;        // cols values
    Index rows = 0;
    Index cols = 0;
    S eps = 0;
    std::optional<Memory> memory = {}; // else as its size bids
};

template<class S>
void batch_norm(const ColumnForward<S>& a, int threads);

// dx = γ·(dy − Σdy/rows − x̂·Σ(dy⊙x̂)/rows)·rstd, sums over a column; x̂ = (x − mean)·rstd.
template<class S>
struct ColumnBackward {
    const S* x = nullptr;     // rows×cols: z, or x̂ where `mean` is null
    const S* mean = nullptr;  // cols values, or null: x is x̂ already
    const S* rstd = nullptr;  // cols values
    const S* gamma = nullptr; // cols values, or null for 1
    const S* dy = nullptr;    // rows×cols
    S* dx = nullptr;          // rows×cols; may be dy
    S* dgamma = nullptr;      // cols values Σ dy⊙x̂
    S* dbeta = nullptr;       // cols values Σ dy
    Index rows = 0;
    Index cols = 0;
    bool use_mean = true;
    bool use_projection = true;
    std::optional<Memory> memory = {}; // else as its size bids
};

template<class S>
void batch_backward(const ColumnBackward<S>& a, int threads);

// y = (x − shift)·scale + offset, each of the three with cols values; shift may be null for 0.
template<class S>
struct ColumnMap {
    const S* x = nullptr;
    const S* shift = nullptr;
    const S* scale = nullptr;
    const S* offset = nullptr;
    S* y = nullptr;
    Index rows = 0;
    Index cols = 0;
    std::optional<Memory> memory = {}; // else as its size bids
};

template<class S>
void column_map(const ColumnMap<S>& a, int threads);

// y = x·scale + offset with one scale and offset a row (stride 1), or one for all (stride 0).
template<class S>
struct RowMap {
    const S* x = nullptr;
    const S* scale = nullptr;
    const S* offset = nullptr;
    Index stride = 1;
    S* y = nullptr;
    Index rows = 0;
    Index cols = 0;
    std::optional<Memory> memory = {}; // else as its size bids
};

template<class S>
void row_map(const RowMap<S>& a, int threads);

// z = x + f, n values. z may be x or f.
template<class S>
void add(const S* x, const S* f, S* z, Index n, int threads);

// out(i, j) = √(Σ_k (weight_k·(1 + x_ik·x_jk))²) for all pairs i ≠ j of the rows of x, rows×rows;
// its diagonal is left as it is. `weight` has cols values. On one thread: rows²·cols steps.
void pair_norms(const double* x, const double* weight, double* out, Index rows, Index cols);

// Of an operation that moves `bytes` on one thread. Where the first level of the cache is large,
// what it writes is kept in the cache up to `kept_near` bytes only.
Memory memory_for(Index bytes, Index kept_near = std::numeric_limits<Index>::max());

} // namespace normscope::kernels
