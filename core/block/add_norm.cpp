#include "core/block/add_norm.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"
#include "core/norm/shape.h"

#include <utility>

namespace normscope {

namespace {

template<class S>
Result<void> check_same_shape(const Matrix<S>& x, const Matrix<S>& f) {
    if (x.rows() == f.rows() && x.cols() == f.cols()) return {};
    return fail("the residual add needs two matrices of one shape: X is " +
                shape_text(x.rows(), x.cols()) + ", F(X) is " + shape_text(f.rows(), f.cols()));
}

bool is_plain_sum(const Add& add) {
    return add.has_skip() && add.trunk_scale == 1 && add.branch_scale == 1;
}

template<class S>
Result<NormForward<S>> scale_and_shift(Result<Normalized<S>> normalized, const Affine<S>& affine,
                                       int threads) {
    if (!normalized) return tl::unexpected(normalized.error());
    NormForward<S> out;
    if (auto ok = affine_forward(normalized->cache.x_hat, affine, out.y, threads); !ok)
        return tl::unexpected(ok.error());
    out.cache = std::move(normalized->cache);
    out.running = std::move(normalized->running);
    return out;
}

} // namespace

template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, const Add& add, Matrix<S>& z,
                          int threads) {
    if (auto ok = check_same_shape(x, f); !ok) return ok;
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
AddBackward<S> residual_add_backward(const Add& add, const Matrix<S>& dz) {
    return {add.has_skip() ? Matrix<S>(dz * static_cast<S>(add.trunk_scale))
                           : Matrix<S>::Zero(dz.rows(), dz.cols()),
            dz * static_cast<S>(add.branch_scale)};
}

template<class S>
Result<NormForward<S>> norm_forward(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                                    const NormOptions& options, const RunningStats<S>* running) {
    return scale_and_shift(normalize(norm, z, options, running), affine, options.threads);
}

template<class S>
Result<AddNormForward<S>> add_norm_forward(const Matrix<S>& x, const Matrix<S>& f, const Add& add,
                                           const Norm& norm, const Affine<S>& affine,
                                           const NormOptions& options,
                                           const RunningStats<S>* running) {
    if (auto ok = check_same_shape(x, f); !ok) return tl::unexpected(ok.error());
    AddNormForward<S> out;
    const auto normalized = [&]() -> Result<Normalized<S>> {
        const auto in_one_pass = fast_norm<S>(norm).add_forward;
        if (in_one_pass && is_plain_sum(add)) {
            if (auto ok = check_norm_input(x.rows(), x.cols(), options.eps); !ok)
                return tl::unexpected(ok.error());
            return in_one_pass(x, f, out.z, options);
        }
        if (auto ok = residual_add(x, f, add, out.z, options.threads); !ok)
            return tl::unexpected(ok.error());
        return normalize(norm, out.z, options, running);
    };
    auto normed = scale_and_shift(normalized(), affine, options.threads);
    if (!normed) return tl::unexpected(normed.error());
    static_cast<NormForward<S>&>(out) = std::move(*normed);
    return out;
}

template Result<void> residual_add(const Matrix<float>&, const Matrix<float>&, const Add&,
                                   Matrix<float>&, int);
template AddBackward<float> residual_add_backward(const Add&, const Matrix<float>&);
template Result<NormForward<float>> norm_forward(const Norm&, const Matrix<float>&,
                                                 const Affine<float>&, const NormOptions&,
                                                 const RunningStats<float>*);
template Result<AddNormForward<float>> add_norm_forward(const Matrix<float>&, const Matrix<float>&,
                                                        const Add&, const Norm&,
                                                        const Affine<float>&, const NormOptions&,
                                                        const RunningStats<float>*);
template Result<void> residual_add(const Matrix<double>&, const Matrix<double>&, const Add&,
                                   Matrix<double>&, int);
template AddBackward<double> residual_add_backward(const Add&, const Matrix<double>&);
template Result<NormForward<double>> norm_forward(const Norm&, const Matrix<double>&,
                                                  const Affine<double>&, const NormOptions&,
                                                  const RunningStats<double>*);
template Result<AddNormForward<double>>
add_norm_forward(const Matrix<double>&, const Matrix<double>&, const Add&, const Norm&,
                 const Affine<double>&, const NormOptions&, const RunningStats<double>*);

} // namespace normscope
