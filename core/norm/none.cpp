#include "core/norm/none.h"

#include "core/norm/affine.h"
#include "core/norm/shape.h"

namespace normscope {

Result<Normalized<double>> none_forward(const Matrix<double>& z, const NormOptions& options,
                                        const RunningStats<double>* running) {
    Normalized<double> out;
    if (auto ok = NoNorm<double>::forward(z, options, running, out); !ok)
        return tl::unexpected(ok.error());
    return out;
}

Matrix<double> none_backward(const NormCache<double>& /*cache*/, const Matrix<double>& a,
                             const BackwardTerms& /*terms*/) {
    return a;
}

template<class S>
Result<void> NoNorm<S>::forward(const Matrix<S>& z, const NormOptions& options,
                                const RunningStats<S>* /*running*/, Normalized<S>& out) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok) return ok;
    out.cache.norm = NormKind::none;
    out.cache.mode = options.mode;
    out.cache.eps = options.eps;
    out.cache.x_hat = z;
    return {};
}

template<class S>
Result<void> NoNorm<S>::backward(const NormCache<S>& cache, const Affine<S>& affine,
                                 const Matrix<S>& dy, const BackwardOptions& options,
                                 NormGradients<S>& out) {
    return affine_backward_into(cache.x_hat, affine, dy, options, out);
}

template struct NoNorm<float>;
template struct NoNorm<double>;

} // namespace normscope
