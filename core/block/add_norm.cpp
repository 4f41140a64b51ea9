#include "core/block/add_norm.h"

#include "core/base/parallel.h"

namespace normscope {

namespace {

template<class S>
Result<void> check_same_shape(const Matrix<S>& x, const Matrix<S>& f) {
    if (x.rows() == f.rows() && x.cols() == f.cols()) return {};
    return fail("the residual add needs two matrices of one shape: X is {}, F(X) is {}",
                shape_text(x), shape_text(f));
}

} // namespace

template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, const Add& add, Matrix<S>& z,
                          int threads) {
    TRY(check_same_shape(x, f));
    z.resize(x.rows(), x.cols());
    const S of_x = static_cast<S>(add.trunk_scale);
    const S of_f = static_cast<S>(add.branch_scale);
    constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it
    parallel_chunks(useful_threads(threads, z.size(), k_grain), z.rows(),
                    [&](int, Index begin, Index end) {
                        auto rows = z.middleRows(begin, end - begin);
                        rows = f.middleRows(begin, end - begin) * of_f;
                        if (add.has_skip()) rows += x.middleRows(begin, end - begin) * of_x;
                    });
    return {};
}

NORMSCOPE_IN_BOTH_PRECISIONS(residual_add);

} // namespace normscope
