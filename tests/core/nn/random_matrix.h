#pragma once
#include "core/base/matrix.h"
#include "core/base/random.h"

namespace normscope {

// rows×cols values of N(0, 1).
template<class S>
Matrix<S> random_matrix(Index rows, Index cols, Random& random) {
    Matrix<S> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<S>(random.normal());
    return m;
}

} // namespace normscope
