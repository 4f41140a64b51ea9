#pragma once
#include "core/base/matrix.h"

// The loops under the norms, on raw row-major arrays without gaps: float and double, the
// instruction set chosen at run time (Highway). Shapes are not checked here. Arrays may have any
// alignment; outputs must not overlap inputs unless said otherwise. Results for a given number of
// threads are the same bits every time; of forward passes for every number of threads.
namespace normscope::kernels {

// y = γ ⊙ x̂ + β with x̂ = (x − mean)·rstd. "One each" is one a row where statistics are over rows,
// one a column where they are over columns.
template<class S>
struct Forward {
    const S* x = nullptr;     // rows×cols
    const S* gamma = nullptr; // cols values, or null for 1
    const S* beta = nullptr;  // cols values, null when gamma is
    S* y = nullptr;           // rows×cols
    S* mean = nullptr;        // one each; rms norm writes 0
    S* rstd = nullptr;        // one each
    Index rows = 0;
    Index cols = 0;
    S eps = 0;
    bool use_mean = true; // off for rms norm; over columns always on
    S* var = nullptr;     // over columns alone: cols values, biased
};

template<class S>
void rows_forward(const Forward<S>& a, int threads);
template<class S>
void columns_forward(const Forward<S>& a, int threads);

// dx = (g − mean(g) − x̂·mean(g⊙x̂))·rstd with g = γ⊙dy, means over a row or a column.
template<class S>
struct Backward {
    const S* x_hat = nullptr; // rows×cols
    const S* rstd = nullptr;  // one each
    const S* gamma = nullptr; // cols values, or null for 1
    const S* dy = nullptr;    // rows×cols
    S* dx = nullptr;          // rows×cols; may be dy
    S* dgamma = nullptr;      // cols values Σ_rows dy⊙x̂; null: not asked for, over rows alone
    S* dbeta = nullptr;       // cols values Σ_rows dy, null when dgamma is
    Index rows = 0;
    Index cols = 0;
    bool use_mean = true;       // off for rms norm
    bool use_projection = true; // off to show the term's purpose
};

template<class S>
void rows_backward(const Backward<S>& a, int threads);
template<class S>
void columns_backward(const Backward<S>& a, int threads);

} // namespace normscope::kernels
