#pragma once
#include "core/base/matrix.h"

#include <cstdint>

namespace normscope {

// A matrix of rows×cols values somewhere in memory, or its transpose, without a copy: value (i, j)
// is data[i·row_step + j·col_step], and one of the steps is 1.
template<class S>
struct Operand {
    const S* data = nullptr;
    Index rows = 0;
    Index cols = 0;
    Index row_step = 0;
    Index col_step = 1;

    Operand transposed() const { return {data, cols, rows, col_step, row_step}; }
    // Columns start … start+n−1.
    Operand middle_cols(Index start, Index n) const {
        return {data + start * col_step, rows, n, row_step, col_step};
    }
    // Rows start … start+n−1.
    Operand middle_rows(Index start, Index n) const {
        return {data + start * row_step, n, cols, row_step, col_step};
    }
};

template<class S>
Operand<S> as_is(const Matrix<S>& m) {
    return {m.data(), m.rows(), m.cols(), m.cols(), 1};
}
template<class S>
Operand<S> transposed(const Matrix<S>& m) {
    return as_is(m).transposed();
}

// Destination of a product: row-major, rows `row_step` apart.
template<class S>
struct Target {
    S* data = nullptr;
    Index row_step = 0;
};

template<class S>
Target<S> into(Matrix<S>& m) {
    return {m.data(), m.cols()};
}

enum class Write : std::uint8_t { replace, add };

// c ← a·b + bias (a: M×K, b: K×N, bias: N values added to every row, or null), or c ← c + a·b +
// bias. a and b must agree in K and c must not overlap them. The instruction set is chosen at run
// time; each value is summed in the same order whatever the number of threads.
template<class S>
void gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias = nullptr,
          Write write = Write::replace, int threads = 1);

// gemm() on one thread, for products so small that copying a and b takes as long as the product:
// b stays where it is unless it is transposed or its rows are no whole vectors. A larger product is
// handed to gemm(). Of a layer of 16 features and a batch of 32 it takes a third of gemm()'s time.
template<class S>
void small_gemm(Operand<S> a, Operand<S> b, Target<S> c, const S* bias = nullptr,
                Write write = Write::replace);

} // namespace normscope
