#pragma once
#include "core/matrix.h"

namespace normscope {

// Σ a⊙b over all entries of two matrices of one shape, row after row. In double whatever they are
// in: squares of a vanishing gradient would underflow.
template<class A, class B>
double dot(const A& a, const B& b) {
    double sum = 0;
    for (Index i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a.data()[i]) * static_cast<double>(b.data()[i]);
    }
    return sum;
}

} // namespace normscope
