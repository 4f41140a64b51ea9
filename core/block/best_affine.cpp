#include "core/block/best_affine.h"

#include "core/norm/affine.h"

namespace normscope {

namespace {

struct Line {
    double gamma = 0;
    double beta = 0;
    double residual = 0; // Σ (γ·x + β − y)²
};

template<class X, class Y>
Line fit(const X& x, const Y& y) {
    const double n = static_cast<double>(x.size());
    const double mean_x = x.sum() / n;
    const double mean_y = y.sum() / n;
    const double xx = (x - mean_x).square().sum();
    const double xy = ((x - mean_x) * (y - mean_y)).sum();
    Line line;
    line.gamma = xx == 0 ? 0 : xy / xx;
    line.beta = mean_y - line.gamma * mean_x;
    line.residual = (line.gamma * x + line.beta - y).square().sum();
    return line;
}

} // namespace

Result<BestAffine> best_affine(const Matrix<double>& x_hat, const Matrix<double>& target,
                               AffinePer per) {
    const Index tokens = x_hat.rows();
    const Index features = x_hat.cols();
    if (target.rows() != tokens || target.cols() != features)
        return fail("the target does not fit: y is {}, the target {}", shape_text(tokens, features),
                    shape_text(target));
    if (x_hat.size() == 0)
        return fail("a fit needs at least one value; y is {}", shape_text(tokens, features));
    BestAffine best;
    best.affine = identity_affine<double>(per, tokens, features);
    double total = 0;
    for (Index i = 0; i < best.affine.gamma.size(); ++i) {
        const Line line =
            per == AffinePer::feature ? fit(x_hat.col(i).array(), target.col(i).array())
            : per == AffinePer::token ? fit(x_hat.row(i).array(), target.row(i).array())
                                      : fit(x_hat.array(), target.array());
        best.affine.gamma(i) = line.gamma;
        best.affine.beta(i) = line.beta;
        total += line.residual;
    }
    best.loss = total / static_cast<double>(x_hat.size());
    return best;
}

} // namespace normscope
