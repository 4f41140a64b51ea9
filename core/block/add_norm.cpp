#include "core/block/add_norm.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"
#include "core/norm/shape.h"

#include <utility>

namespace normscope {

template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, Residual residual, Matrix<S>& z,
                          int threads) {
    if (x.rows() != f.rows() || x.cols() != f.cols())
        return fail("the residual add needs two matrices of one shape: X is " +
                    shape_text(x.rows(), x.cols()) + ", F(X) is " + shape_text(f.rows(), f.cols()));
    if (residual == Residual::add) {
        z.resize(x.rows(), x.cols());
        kernels::add(x.data(), f.data(), z.data(), x.size(), threads);
    } else {
        z = f;
    }
    return {};
}

namespace {

template<class S>
Result<Normalized<S>> add_and_normalize(const Matrix<S>& x, const Matrix<S>& f,
                                        const AddNormOptions& options,
                                        const RunningStats<S>* running, Matrix<S>& z) {
    const NormOptions& norm = options.options;
    const bool same_shape = x.rows() == f.rows() && x.cols() == f.cols();
    if (const auto in_one_pass = fast_norm<S>(options.norm).add_forward;
        in_one_pass && same_shape && options.residual == Residual::add) {
        if (auto ok = check_norm_input(x.rows(), x.cols(), norm.eps); !ok)
            return tl::unexpected(ok.error());
        return in_one_pass(x, f, z, norm);
    }
    if (auto ok = residual_add(x, f, options.residual, z, norm.threads); !ok)
        return tl::unexpected(ok.error());
    return normalize(options.norm, z, norm, running);
}

} // namespace

template<class S>
AddNorm<S>::AddNorm(Affine<S> affine, AddNormOptions options) : options_(std::move(options)) {
    set_affine(std::move(affine));
}

template<class S>
void AddNorm<S>::set_affine(Affine<S> affine) {
    affine_ = std::move(affine);
    if (dgamma_.size() != affine_.gamma.size()) dgamma_.setZero(affine_.gamma.size());
    if (dbeta_.size() != affine_.beta.size()) dbeta_.setZero(affine_.beta.size());
}

template<class S>
Result<const Matrix<S>*> AddNorm<S>::forward(const Matrix<S>& x, const Matrix<S>& f) {
    if (auto ok = check_affine(x.rows(), x.cols(), affine_); !ok) return tl::unexpected(ok.error());
    const int threads = options_.options.threads;
    Matrix<S> z;
    auto normalized = add_and_normalize(x, f, options_, running_ ? &*running_ : nullptr, z);
    if (!normalized) return tl::unexpected(normalized.error());
    if (auto ok = affine_forward(normalized->cache.x_hat, affine_, y_, threads); !ok)
        return tl::unexpected(ok.error());
    z_ = std::move(z);
    cache_ = std::move(normalized->cache);
    if (normalized->running) running_ = std::move(normalized->running);
    used_ = affine_;
    return &y_;
}

template<class S>
Result<void> AddNorm<S>::backward(const Matrix<S>& dy, Matrix<S>& dx, Matrix<S>& df,
                                  const BackwardTerms& terms) {
    if (cache_.x_hat.size() == 0) return fail("backward needs a forward pass before it");
    for (const auto* given : {&dx, &df})
        if (given->size() != 0)
            if (auto ok = check_gradient_shape(y_, *given); !ok) return ok;
    auto grads = normalize_backward(cache_, used_, dy, {terms, options_.options.threads});
    if (!grads) return tl::unexpected(grads.error());
    if (dgamma_.size() != grads->dgamma.size()) dgamma_.setZero(grads->dgamma.size());
    if (dbeta_.size() != grads->dbeta.size()) dbeta_.setZero(grads->dbeta.size());
    dgamma_ += grads->dgamma;
    dbeta_ += grads->dbeta;
    if (dx.size() == 0) dx.setZero(dy.rows(), dy.cols());
    if (df.size() == 0) df.setZero(dy.rows(), dy.cols());
    if (options_.residual == Residual::add) dx += grads->dz;
    df += grads->dz;
    return {};
}

template<class S>
void AddNorm<S>::step(S lr) {
    affine_.gamma -= lr * dgamma_;
    affine_.beta -= lr * dbeta_;
    dgamma_.setZero();
    dbeta_.setZero();
}

template Result<void> residual_add(const Matrix<float>&, const Matrix<float>&, Residual,
                                   Matrix<float>&, int);
template Result<void> residual_add(const Matrix<double>&, const Matrix<double>&, Residual,
                                   Matrix<double>&, int);
template class AddNorm<float>;
template class AddNorm<double>;

} // namespace normscope
