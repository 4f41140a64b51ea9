#pragma once
#include "core/base/matrix.h"

namespace normscope {

// `size` values, `stride` apart: a whole matrix, one token (stride 1) or one feature (stride D).
template<class S>
struct Sample {
    const S* data = nullptr;
    Index size = 0;
    Index stride = 1;

    S operator[](Index i) const { return data[i * stride]; }
};
template<class S>
Sample(const S*, Index, Index) -> Sample<S>; // for clang before 17, which does not deduce S itself

template<class S>
Sample<S> all_of(const Matrix<S>& m) {
    return {m.data(), m.size(), 1};
}
template<class S>
Sample<S> token_of(const Matrix<S>& m, Index token) {
    return {m.data() + token * m.cols(), m.cols(), 1};
}
} // namespace normscope
