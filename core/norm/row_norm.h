#pragma once
#include "core/norm/affine.h"
#include "core/norm/kernels.h"
#include "core/norm/shape.h"

namespace normscope {

// Forward of the norms whose statistics are a token's own; `kernel` is theirs.
template<class S>
Result<Normalized<S>> row_norm_forward(NormKind kind, const Matrix<S>& z,
                                       const NormOptions& options,
                                       void (*kernel)(const kernels::RowForward<S>&, int)) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok)
        return tl::unexpected(ok.error());
    Normalized<S> out;
    NormCache<S>& cache = out.cache;
    cache = {kind,
             options.mode,
             Vector<S>(z.rows()),
             Vector<S>(z.rows()),
             Matrix<S>(z.rows(), z.cols()),
             options.eps};
    kernels::RowForward<S> a;
    a.x = z.data();
    a.y = cache.x_hat.data();
    a.mean = cache.mean.data();
    a.rstd = cache.rstd.data();
    a.rows = z.rows();
    a.cols = z.cols();
    a.eps = static_cast<S>(options.eps);
    kernel(a, options.threads);
    return out;
}

// Whether the forward pass subtracted the row's mean: layer norm does, rms norm does not.
enum class RowMean : std::uint8_t { none, subtracted };

// Backward of the norms whose statistics are a token's own, in one pass over x̂ and dy. γ per token
// and per scalar is one number a row: dγ and dβ are then the row's sums, which dz needs anyway.
template<class S>
Result<NormGradients<S>> row_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                           const Matrix<S>& dy, const BackwardOptions& options,
                                           RowMean row_mean) {
    if (auto ok = check_gradient_shape(cache.x_hat, dy); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_affine(dy.rows(), dy.cols(), affine); !ok)
        return tl::unexpected(ok.error());
    NormGradients<S> out;
    out.dz.resize(dy.rows(), dy.cols());
    kernels::RowBackward<S> a;
    a.x = cache.x_hat.data();
    a.rstd = cache.rstd.data();
    a.dy = dy.data();
    a.dx = out.dz.data();
    a.rows = dy.rows();
    a.cols = dy.cols();
    a.use_mean = row_mean == RowMean::subtracted && options.terms.mean;
    a.use_projection = options.terms.projection;
    if (affine.per == AffinePer::feature) {
        a.gamma = options.terms.gamma ? affine.gamma.data() : nullptr;
        if (options.parameters) {
            out.dgamma.resize(dy.cols());
            out.dbeta.resize(dy.cols());
            a.dgamma = out.dgamma.data();
            a.dbeta = out.dbeta.data();
        }
        kernels::row_backward(a, options.threads);
        return out;
    }
    const bool scalar = affine.per == AffinePer::scalar;
    const Vector<S> gamma =
        scalar ? Vector<S>::Constant(dy.rows(), affine.gamma(0)).eval() : affine.gamma;
    Vector<S> dgamma(dy.rows());
    Vector<S> dbeta(dy.rows());
    a.row_gamma = options.terms.gamma ? gamma.data() : nullptr;
    a.row_dgamma = dgamma.data();
    a.row_dbeta = dbeta.data();
    kernels::row_backward(a, options.threads);
    out.dgamma = scalar ? Vector<S>::Constant(1, dgamma.sum()).eval() : dgamma;
    out.dbeta = scalar ? Vector<S>::Constant(1, dbeta.sum()).eval() : dbeta;
    return out;
}

} // namespace normscope
