#include "core/norm/none.h"

#include "core/norm/affine.h"
#include "core/norm/shape.h"

namespace normscope {

template<class S>
Result<Normalized<S>> none_forward(const Matrix<S>& z, const NormOptions& options,
                                   const RunningStats<S>* /*running*/) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok)
        return tl::unexpected(ok.error());
    Normalized<S> out;
    out.cache = {NormKind::none, options.mode, {}, {}, z, options.eps};
    return out;
}

Matrix<double> none_backward(const NormCache<double>& /*cache*/, const Matrix<double>& a,
                             const BackwardTerms& /*terms*/) {
    return a;
}

template<class S>
Result<NormGradients<S>> none_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                       const Matrix<S>& dy, const BackwardOptions& options) {
    return affine_backward(cache.x_hat, affine, dy, options);
}

template Result<Normalized<float>> none_forward(const Matrix<float>&, const NormOptions&,
                                                const RunningStats<float>*);
template Result<Normalized<double>> none_forward(const Matrix<double>&, const NormOptions&,
                                                 const RunningStats<double>*);

template Result<NormGradients<float>> none_backward(const NormCache<float>&, const Affine<float>&,
                                                    const Matrix<float>&, const BackwardOptions&);
template Result<NormGradients<double>> none_backward(const NormCache<double>&,
                                                     const Affine<double>&, const Matrix<double>&,
                                                     const BackwardOptions&);

} // namespace normscope
