#pragma once
#include "core/kernels/gemm.h"

namespace normscope {

// gemm() on one thread, for products so small that copying what they read takes as long as they do:
// b stays where it is unless it is transposed or its rows are no whole vectors. A larger product is
// handed to gemm(). Of a layer of 16 features and a batch of 32 it takes a third of gemm()'s time.
template<class S>
void small_gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias = nullptr,
                Write write = Write::replace);

} // namespace normscope
