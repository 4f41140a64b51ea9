#pragma once
#include "core/kernels/gemm.h"

#include <cstdint>

namespace normscope {

enum class Turned : std::uint8_t { no, yes };

// c ← a·b + bias as gemm, passing over the zeros of a: behind a ReLU half of the values are. With
// Turned::yes c ← (a·b)ᵀ, N×M, without a bias. The values are those of gemm, and do not depend on
// the number of threads either. False, and c is to be made by gemm, where too few values of a are 0
// for a gain, or where b holds what is not finite: 0·∞ is NaN, so that no zero is passed over then.
template<class S>
bool sparse_gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias = nullptr,
                 Turned turned = Turned::no, int threads = 1);

extern template bool sparse_gemm(Operand<float>, Operand<float>, Target<float>, const float*,
                                 Turned, int);
extern template bool sparse_gemm(Operand<double>, Operand<double>, Target<double>, const double*,
                                 Turned, int);

} // namespace normscope
