#include "core/norm/none.h"

#include "core/norm/shape.h"

namespace normscope {

Result<Normalized<double>> none_forward(const Matrix<double>& z, const NormOptions& options,
                                        const RunningStats<double>* /*running*/) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok)
        return tl::unexpected(ok.error());
    Normalized<double> out{{NormKind::none, options.mode, {}, {}, {}, options.eps}, {}};
    out.cache.x_hat = z;
    return out;
}

Matrix<double> none_backward(const NormCache<double>& /*cache*/, const Matrix<double>& a,
                             const BackwardTerms& /*terms*/) {
    return a;
}

} // namespace normscope
