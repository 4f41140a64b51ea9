#include "core/norm/row_norms.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"
#include "core/norm/group_norm.h"
#include "core/norm/shape.h"

#include <algorithm>
#include <type_traits>

namespace normscope {

namespace {

// Of x, or of x + f, whose sum is kept in z. x is not empty, f has its shape. A token in groups is
// as many rows.
template<NormKind kind, class S>
void forward_of(const Matrix<S>& x, const Matrix<S>* f, Matrix<S>* z, const NormOptions& options,
                Normalized<S>& out) {
    NormCache<S>& cache = out.cache;
    const Index sets = x.rows() * options.groups;
    cache.norm = Norm{kind, options.groups};
    cache.mode = options.mode;
    cache.eps = options.eps;
    cache.mean.resize(sets);
    cache.rstd.resize(sets);
    cache.x_hat.resize(x.rows(), x.cols());
    kernels::RowForward<S> a;
    a.x = x.data();
    if (f) {
        z->resize(x.rows(), x.cols());
        a.f = f->data();
        a.z = z->data();
    }
    a.y = cache.x_hat.data();
    a.mean = cache.mean.data();
    a.rstd = cache.rstd.data();
    a.rows = sets;
    a.cols = x.cols() / options.groups;
    a.eps = static_cast<S>(options.eps);
    a.use_mean = kind != NormKind::rms;
    kernels::row_forward(a, options.threads);
}

// A few rows at a time, whose x̂, dy and dz stay in the second-level cache while `done` reads them.
// dγ and dβ are added up from those of each few.
template<class S, class Done>
void row_backward_in_blocks(const kernels::RowBackward<S>& all, const Done& done) {
    constexpr Index k_block_bytes = 256 << 10;
    const Index rows =
        std::max<Index>(1, k_block_bytes / (3 * all.cols * static_cast<Index>(sizeof(S))));
    const Index width = all.dgamma ? all.cols : 0;
    Eigen::Map<Vector<S>> dgamma(all.dgamma, width), dbeta(all.dbeta, width);
    dgamma.setZero();
    dbeta.setZero();
    Vector<S> block_dgamma(width), block_dbeta(width);
    for (Index first = 0; first < all.rows; first += rows) {
        kernels::RowBackward<S> block = all;
        block.rows = std::min(rows, all.rows - first);
        for (const S** from : {&block.x, &block.dy}) *from += first * all.cols;
        block.dx += first * all.cols;
        for (const S** from : {&block.mean, &block.rstd, &block.row_gamma})
            if (*from) *from += first;
        for (S** to : {&block.row_dgamma, &block.row_dbeta})
            if (*to) *to += first;
        if (width > 0) {
            block.dgamma = block_dgamma.data();
            block.dbeta = block_dbeta.data();
        }
        kernels::row_backward(block, 1);
        dgamma += block_dgamma;
        dbeta += block_dbeta;
        done(first, block.rows, block.dx);
    }
}

} // namespace

template<class S, NormKind kind>
Result<void> RowNorm<S, kind>::forward(const Matrix<S>& z, const NormOptions& options,
                                       const RunningStats<S>* /*running*/, Normalized<S>& out) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok) return ok;
    forward_of<kind, S>(z, nullptr, nullptr, options, out);
    return {};
}

template<class S, NormKind kind>
void RowNorm<S, kind>::add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                                   const NormOptions& options, Normalized<S>& out) {
    forward_of<kind, S>(x, &f, &z, options, out);
}

// In one pass over x̂ and dy. γ per token and per scalar is one number a row: dγ and dβ are then the
// row's sums, which dz needs anyway.
template<class S, NormKind kind>
Result<void> RowNorm<S, kind>::backward(const NormCache<S>& cache, const Affine<S>& affine,
                                        const Matrix<S>& dy, const BackwardOptions& options,
                                        NormGradients<S>& out) {
    if (auto ok = check_gradient_shape(cache.x_hat, dy); !ok) return ok;
    if (auto ok = check_affine(dy.rows(), dy.cols(), affine); !ok) return ok;
    out.dz.resize(dy.rows(), dy.cols());
    kernels::RowBackward<S> a;
    a.x = cache.x_hat.data();
    a.rstd = cache.rstd.data();
    a.dy = dy.data();
    a.dx = out.dz.data();
    a.rows = dy.rows();
    a.cols = dy.cols();
    a.use_mean = kind != NormKind::rms && options.terms.mean;
    a.use_projection = options.terms.projection;
    const auto run = [&] {
        if constexpr (std::is_same_v<S, double>)
            if (options.rows_done) return row_backward_in_blocks(a, options.rows_done);
        kernels::row_backward(a, options.threads);
    };
    if (affine.per == AffinePer::feature) {
        a.gamma = options.terms.gamma ? affine.gamma.data() : nullptr;
        out.dgamma.resize(options.parameters ? dy.cols() : 0);
        out.dbeta.resize(out.dgamma.size());
        if (options.parameters) {
            a.dgamma = out.dgamma.data();
            a.dbeta = out.dbeta.data();
        }
        run();
        return {};
    }
    const bool scalar = affine.per == AffinePer::scalar;
    const Vector<S> gamma =
        scalar ? Vector<S>::Constant(dy.rows(), affine.gamma(0)).eval() : affine.gamma;
    Vector<S> dgamma(dy.rows());
    Vector<S> dbeta(dy.rows());
    a.row_gamma = options.terms.gamma ? gamma.data() : nullptr;
    a.row_dgamma = dgamma.data();
    a.row_dbeta = dbeta.data();
    run();
    out.dgamma = scalar ? Vector<S>::Constant(1, dgamma.sum()).eval() : dgamma;
    out.dbeta = scalar ? Vector<S>::Constant(1, dbeta.sum()).eval() : dbeta;
    return {};
}

template<class S>
Result<void> GroupNorm<S>::forward(const Matrix<S>& z, const NormOptions& options,
                                   const RunningStats<S>* /*running*/, Normalized<S>& out) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok) return ok;
    if (auto ok = check_groups(options.groups, z.cols()); !ok) return ok;
    forward_of<NormKind::group, S>(z, nullptr, nullptr, options, out);
    return {};
}

// γ differs from group to group: dL/dx̂ = γ⊙dy first, which then goes back as with γ = 1.
template<class S>
Result<void> GroupNorm<S>::backward(const NormCache<S>& cache, const Affine<S>& affine,
                                    const Matrix<S>& dy, const BackwardOptions& options,
                                    NormGradients<S>& out) {
    if (auto ok = affine_backward_into(cache.x_hat, affine, dy, options, out); !ok) return ok;
    kernels::RowBackward<S> a;
    a.x = cache.x_hat.data();
    a.rstd = cache.rstd.data();
    a.dy = a.dx = out.dz.data();
    a.rows = cache.rstd.size();
    a.cols = dy.size() / a.rows;
    a.use_mean = options.terms.mean;
    a.use_projection = options.terms.projection;
    kernels::row_backward(a, options.threads);
    return {};
}

template struct GroupNorm<float>;
template struct GroupNorm<double>;
template struct RowNorm<float, NormKind::layer>;
template struct RowNorm<double, NormKind::layer>;
template struct RowNorm<float, NormKind::rms>;
template struct RowNorm<double, NormKind::rms>;

} // namespace normscope
