#pragma once
#include "core/base/matrix.h"

namespace normscope::kernels {

// The numbers of a step of Adam (Kingma, Ba 2015, algorithm 1), as core/train/optimizer.h has them.
template<class S>
struct AdamNumbers {
    S scale;        // factor of the gradient
    S decay;        // w, added to the gradient as w·p
    S beta1, rest1; // β₁, 1 − β₁
    S beta2, rest2; // β₂, 1 − β₂
    S rate;         // η/(1 − β₁ᵗ)
    S root;         // 1/√(1 − β₂ᵗ)
    S eps;          // ε
    S shrink;       // factor of p
};

// One step for n values p with their gradient g:
//   g ← scale·g + decay·p,  m ← β₁·m + (1−β₁)·g,  v ← β₂·v + (1−β₂)·g²
//   p ← shrink·p − rate·m/(√v·root + ε)
template<class S>
void adam(const AdamNumbers<S>& numbers, const S* g, S* p, S* m, S* v, Index n);

} // namespace normscope::kernels
