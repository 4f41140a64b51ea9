#pragma once
#include "core/base/matrix.h"

namespace normscope::kernels {

// The numbers of a step of Adam (Kingma, Ba 2015, algorithm 1), as core/train/optimizer.h has them.
template<class S>
struct AdamNumbers {
    S scale;        // of the gradient
    S decay;        // w, added to the gradient as w·p
    S beta1, rest1; // β₁, 1 − β₁
    S beta2, rest2; // β₂, 1 − β₂
    S rate;         // η/(1 − β₁ᵗ)
    S root;         // 1/√(1 − β₂ᵗ)
    S eps;          // ε
    S shrink;       // what p is multiplied by
};

// Of n values p with their gradient g:
//   g ← scale·g + decay·p,  m ← β₁·m + (1−β₁)·g,  v ← β₂·v + (1−β₂)·g²
//   p ← shrink·p − rate·m/(√v·root + ε)
void adam(const AdamNumbers<float>& numbers, const float* g, float* p, float* m, float* v, Index n);
void adam(const AdamNumbers<double>& numbers, const double* g, double* p, double* m, double* v,
          Index n);

} // namespace normscope::kernels
