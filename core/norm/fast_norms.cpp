#include "core/kernels/norms.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <type_traits>

namespace normscope {
namespace {

// A cache for x̂ of z, with room for the statistics of `sets`.
template<class S>
void prepare(NormCache<S>& cache, const Norm& norm, const Matrix<S>& z, Index sets,
             const NormOptions& options) {
    cache.norm = norm;
    cache.mode = options.mode;
    cache.eps = options.eps;
    cache.mean.resize(sets);
    cache.rstd.resize(sets);
    cache.x_hat.resize(z.rows(), z.cols());
}

// Of x, not empty, or of x + f, kept in z; f has its shape. A token in groups is as many rows.
template<NormKind kind, class S>
void rows_forward(const Matrix<S>& x, const Matrix<S>* f, Matrix<S>* z, const NormOptions& options,
                  Normalized<S>& out) {
    NormCache<S>& cache = out.cache;
    const Index sets = x.rows() * options.groups;
    prepare(cache, Norm{kind, options.groups}, x, sets, options);
    if (f) z->resize(x.rows(), x.cols());
    kernels::row_forward(kernels::RowForward<S>{.x = x.data(),
                                                .f = f ? f->data() : nullptr,
                                                .z = f ? z->data() : nullptr,
                                                .y = cache.x_hat.data(),
                                                .mean = cache.mean.data(),
                                                .rstd = cache.rstd.data(),
                                                .rows = sets,
                                                .cols = x.cols() / options.groups,
                                                .eps = static_cast<S>(options.eps),
                                                .use_mean = kind != NormKind::rms},
                         options.threads);
}

template<NormKind kind, class S>
Result<void> row_forward(const Matrix<S>& z, const NormOptions& options,
                         const RunningStats<S>* /*running*/, Normalized<S>& out) {
    TRY(check_norm_input(z, options.eps));
    if constexpr (kind == NormKind::group) TRY(check_groups(options.groups, z.cols()));
    rows_forward<kind, S>(z, nullptr, nullptr, options, out);
    return {};
}

template<NormKind kind, class S>
void row_add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                     const NormOptions& options, Normalized<S>& out) {
    rows_forward<kind, S>(x, &f, &z, options, out);
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

// In one pass over x̂ and dy. γ per token and per scalar is one number a row: dγ and dβ are then the
// row's sums, which dz needs anyway.
template<NormKind kind, class S>
Result<void> row_backward(const NormCache<S>& cache, const Affine<S>& affine, const Matrix<S>& dy,
                          const BackwardOptions& options, NormGradients<S>& out) {
    TRY(check_gradient_shape(cache.x_hat, dy));
    TRY(check_affine(dy.rows(), dy.cols(), affine));
    out.dz.resize(dy.rows(), dy.cols());
    kernels::RowBackward<S> a{.x = cache.x_hat.data(),
                              .rstd = cache.rstd.data(),
                              .dy = dy.data(),
                              .dx = out.dz.data(),
                              .rows = dy.rows(),
                              .cols = dy.cols(),
                              .use_mean = kind != NormKind::rms && options.terms.mean,
                              .use_projection = options.terms.projection};
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
    Vector<S> dgamma(dy.rows()), dbeta(dy.rows());
    a.row_gamma = options.terms.gamma ? gamma.data() : nullptr;
    a.row_dgamma = dgamma.data();
    a.row_dbeta = dbeta.data();
    run();
    out.dgamma = scalar ? Vector<S>::Constant(1, dgamma.sum()).eval() : dgamma;
    out.dbeta = scalar ? Vector<S>::Constant(1, dbeta.sum()).eval() : dbeta;
    return {};
}

// γ differs from group to group: dL/dx̂ = γ⊙dy first, which then goes back as with γ = 1.
template<class S>
Result<void> group_backward(const NormCache<S>& cache, const Affine<S>& affine, const Matrix<S>& dy,
                            const BackwardOptions& options, NormGradients<S>& out) {
    TRY(affine_backward_into(cache.x_hat, affine, dy, options, out));
    kernels::row_backward(kernels::RowBackward<S>{.x = cache.x_hat.data(),
                                                  .rstd = cache.rstd.data(),
                                                  .dy = out.dz.data(),
                                                  .dx = out.dz.data(),
                                                  .rows = cache.rstd.size(),
                                                  .cols = dy.size() / cache.rstd.size(),
                                                  .use_mean = options.terms.mean,
                                                  .use_projection = options.terms.projection},
                          options.threads);
    return {};
}

template<class S>
Result<void> column_forward(const Matrix<S>& z, const NormOptions& options,
                            const RunningStats<S>* running, Normalized<S>& out) {
    TRY(check_batch_input(z, options, running));
    NormCache<S>& cache = out.cache;
    prepare(cache, NormKind::batch, z, z.cols(), options);
    const S eps = static_cast<S>(options.eps);
    if (options.mode == Mode::eval) {
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + eps).sqrt().inverse().matrix();
        const Vector<S> zero = Vector<S>::Zero(z.cols());
        kernels::column_map(kernels::ColumnMap<S>{z.data(), cache.mean.data(), cache.rstd.data(),
                                                  zero.data(), cache.x_hat.data(), z.rows(),
                                                  z.cols()},
                            options.threads);
        out.running.reset();
        return {};
    }
    if (!out.running) out.running.emplace();
    Vector<S>& var = out.running->var;
    var.resize(z.cols());
    kernels::batch_norm(kernels::ColumnForward<S>{.x = z.data(),
                                                  .y = cache.x_hat.data(),
                                                  .mean = cache.mean.data(),
                                                  .var = var.data(),
                                                  .rstd = cache.rstd.data(),
                                                  .rows = z.rows(),
                                                  .cols = z.cols(),
                                                  .eps = eps},
                        options.threads);
    const S n = static_cast<S>(z.rows());
    var *= n / (n - 1);
    out.running->mean = cache.mean;
    take_batch(running, options.momentum, *out.running);
    return {};
}

template<class S>
Result<void> column_backward(const NormCache<S>& cache, const Affine<S>& affine,
                             const Matrix<S>& dy, const BackwardOptions& options,
                             NormGradients<S>& out) {
    // gamma may be null for 1; `from` may be dz.
    const auto back = [&](const S* gamma, const Matrix<S>& from, Vector<S>& dgamma,
                          Vector<S>& dbeta) {
        dgamma.resize(dy.cols());
        dbeta.resize(dy.cols());
        kernels::batch_backward(
            kernels::ColumnBackward<S>{.x = cache.x_hat.data(),
                                       .rstd = cache.rstd.data(),
                                       .gamma = gamma,
                                       .dy = from.data(),
                                       .dx = out.dz.data(),
                                       .dgamma = dgamma.data(),
                                       .dbeta = dbeta.data(),
                                       .rows = dy.rows(),
                                       .cols = dy.cols(),
                                       .use_mean = options.terms.mean,
                                       .use_projection = options.terms.projection},
            options.threads);
    };
    const bool train = cache.mode == Mode::train;
    if (train && affine.per == AffinePer::feature) {
        TRY(check_gradient_shape(cache.x_hat, dy));
        TRY(check_affine(dy.rows(), dy.cols(), affine));
        out.dz.resize(dy.rows(), dy.cols());
        back(options.terms.gamma ? affine.gamma.data() : nullptr, dy, out.dgamma, out.dbeta);
        return {};
    }
    // One γ a token or for all: dL/dx̂ first, which then goes back as with γ = 1.
    TRY(affine_backward_into(cache.x_hat, affine, dy, options, out));
    if (train) {
        Vector<S> sum_gx, sum_g;
        back(nullptr, out.dz, sum_gx, sum_g);
    } else {
        const Vector<S> zero = Vector<S>::Zero(dy.cols());
        kernels::column_map(kernels::ColumnMap<S>{out.dz.data(), nullptr, cache.rstd.data(),
                                                  zero.data(), out.dz.data(), dy.rows(), dy.cols()},
                            options.threads);
    }
    return {};
}

template<class S>
Result<void> no_forward(const Matrix<S>& z, const NormOptions& options,
                        const RunningStats<S>* /*running*/, Normalized<S>& out) {
    TRY(check_norm_input(z, options.eps));
    prepare(out.cache, NormKind::none, z, 0, options);
    out.cache.x_hat = z;
    return {};
}

template<class S>
Result<void> no_backward(const NormCache<S>& cache, const Affine<S>& affine, const Matrix<S>& dy,
                         const BackwardOptions& options, NormGradients<S>& out) {
    return affine_backward_into(cache.x_hat, affine, dy, options, out);
}

} // namespace

template<class S>
const FastNorm<S>& fast_norm(NormKind kind) {
    static constexpr FastNorm<S> k_fast_norms[]{
        {row_forward<NormKind::layer, S>, row_backward<NormKind::layer, S>,
         row_add_forward<NormKind::layer, S>},
        {column_forward<S>, column_backward<S>},
        {row_forward<NormKind::rms, S>, row_backward<NormKind::rms, S>,
         row_add_forward<NormKind::rms, S>},
        {row_forward<NormKind::group, S>, group_backward<S>},
        {no_forward<S>, no_backward<S>},
    };
    static_assert(std::size(k_fast_norms) == std::size(k_norms)); // in the order of NormKind
    return k_fast_norms[static_cast<std::size_t>(kind)];
}

template decltype(fast_norm<float>) fast_norm<float>;
template decltype(fast_norm<double>) fast_norm<double>;

} // namespace normscope
