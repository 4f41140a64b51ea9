#include "core/block/add_norm.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"

#include <utility>

namespace normscope {

namespace {

template<class S>
Result<void> check_same_shape(const Matrix<S>& x, const Matrix<S>& f) {
    if (x.rows() == f.rows() && x.cols() == f.cols()) return {};
    return fail("the residual add needs two matrices of one shape: X is {}, F(X) is {}",
                shape_text(x), shape_text(f));
}

bool is_plain_sum(const Add& add) {
    return add.has_skip() && add.trunk_scale == 1 && add.branch_scale == 1;
}

// x̂ by `normalize`, then y of it. What `out` has lends its memory.
template<class S, class Normalize>
Result<void> norm_and_affine(const Affine<S>& affine, int threads, const NormTargets<S>& out,
                             const Normalize& normalize) {
    Normalized<S> made;
    if (out.cache) made.cache = std::move(*out.cache);
    made.running = std::move(out.running);
    TRY(normalize(made));
    TRY(affine_forward(made.cache.x_hat, affine, out.y, threads));
    out.cache = std::move(made.cache);
    out.running = std::move(made.running);
    return {};
}

} // namespace

template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, const Add& add, Matrix<S>& z,
                          int threads) {
    TRY(check_same_shape(x, f));
    if (is_plain_sum(add)) {
        z.resize(x.rows(), x.cols());
        kernels::add(x.data(), f.data(), z.data(), x.size(), threads);
        return {};
    }
    z = f * static_cast<S>(add.branch_scale);
    if (add.has_skip()) z += x * static_cast<S>(add.trunk_scale);
    return {};
}

template<class S>
Result<void> norm_forward_into(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                               const NormOptions& options, const RunningStats<S>* running,
                               const NormTargets<S>& out) {
    return norm_and_affine(affine, options.threads, out, [&](Normalized<S>& made) {
        return normalize_into(norm, z, options, running, made);
    });
}

template<class S>
Result<void> add_norm_forward_into(const Matrix<S>& x, const Matrix<S>& f, const Add& add,
                                   const Norm& norm, const Affine<S>& affine,
                                   const NormOptions& options, const RunningStats<S>* running,
                                   Matrix<S>& z, const NormTargets<S>& out) {
    TRY(check_same_shape(x, f));
    return norm_and_affine(affine, options.threads, out, [&](Normalized<S>& made) -> Result<void> {
        const auto in_one_pass = fast_norm<S>(norm).add_forward;
        if (in_one_pass && is_plain_sum(add)) {
            TRY(check_norm_input(x, options.eps));
            in_one_pass(x, f, z, options, made);
            return {};
        }
        TRY(residual_add(x, f, add, z, options.threads));
        return normalize_into(norm, z, options, running, made);
    });
}

template decltype(residual_add<float>) residual_add<float>;
template decltype(norm_forward_into<float>) norm_forward_into<float>;
template decltype(add_norm_forward_into<float>) add_norm_forward_into<float>;
template decltype(residual_add<double>) residual_add<double>;
template decltype(norm_forward_into<double>) norm_forward_into<double>;
template decltype(add_norm_forward_into<double>) add_norm_forward_into<double>;

} // namespace normscope
