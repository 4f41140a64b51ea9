#include "app/document/batch_norms.h"

#include "core/norm/affine.h"
#include "core/norm/jacobian.h"
#include "core/norm/normalize.h"
#include "core/residual/add_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normscope {

namespace {

constexpr Index k_most_pairs = Index{1} << 21; // n²·D of an influence matrix
constexpr Index k_most_influence = 256;        // tokens

// σ² + ε is 1/rstd².
Vector<double> variances(const NormCache<double>& cache) {
    return (cache.rstd.array().square().inverse() - cache.eps).cwiseMax(0.0).matrix();
}

NormOfZ norm_of_z(NormKind kind, const Matrix<double>& z, double eps) {
    NormOfZ out;
    out.kind = kind;
    NormOptions options;
    options.eps = eps;
    if (auto normalized = normalize<double>(kind, z, options)) {
        out.cache = std::move(normalized->cache);
        out.variance = variances(out.cache);
        return out;
    } else {
        out.error = normalized.error();
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Index groups = kind == NormKind::batch ? z.cols() : z.rows();
    out.cache.kind = kind;
    out.cache.x_hat = Matrix<double>::Constant(z.rows(), z.cols(), nan);
    out.cache.mean = out.cache.rstd = out.variance = Vector<double>::Constant(groups, nan);
    return out;
}

std::array<NormOfZ, k_compared_count> all_norms(const Matrix<double>& z, double eps) {
    std::array<NormOfZ, k_compared_count> out;
    for (std::size_t i = 0; i < k_compared_count; ++i)
        out[i] = norm_of_z(k_compared_norms[i], z, eps);
    return out;
}

void take_in(MovedBlock& block, Index row, Index col) {
    if (block.rows == 0) {
        block = {row, col, 1, 1};
        return;
    }
    const Index end_row = std::max(block.row + block.rows, row + 1);
    const Index end_col = std::max(block.col + block.cols, col + 1);
    block.row = std::min(block.row, row);
    block.col = std::min(block.col, col);
    block.rows = end_row - block.row;
    block.cols = end_col - block.col;
}

bool moved(double before, double after) {
    return before != after && !(std::isnan(before) && std::isnan(after));
}

} // namespace

NormsOfZ norms_of_z(const Document& d) {
    NormsOfZ out;
    // Shapes agree in every document, so that the Add cannot refuse them.
    (void)residual_add<double>(*d.x, *d.f, d.residual, out.z);
    out.norms = all_norms(out.z, d.eps);
    return out;
}

Influences influences(const NormsOfZ& norms) {
    Influences out;
    const Index features = norms.z.cols();
    const auto room = static_cast<Index>(
        std::sqrt(static_cast<double>(k_most_pairs) / static_cast<double>(features)));
    out.tokens = std::min({norms.z.rows(), std::max<Index>(room, 1), k_most_influence});
    const auto identity =
        identity_affine<double>(AffinePer::feature, norms.z.rows(), norms.z.cols());
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        if (norms.norms[i].error) continue;
        if (auto m = influence_matrix<double>(norms.norms[i].cache, identity, out.tokens))
            out.of[i] = std::move(*m);
    }
    return out;
}

Touch touch_between(const NormsOfZ& before, const NormsOfZ& after) {
    Touch out;
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        const Matrix<double>& a = before.norms[i].cache.x_hat;
        const Matrix<double>& b = after.norms[i].cache.x_hat;
        out.change[i] = Matrix<double>::Zero(b.rows(), b.cols());
        for (Index j = 0; j < b.size(); ++j) {
            if (!moved(a.data()[j], b.data()[j])) continue;
            const double by = b.data()[j] - a.data()[j];
            out.change[i].data()[j] = by;
            ++out.moved[i];
            take_in(out.bounds[i], j / b.cols(), j % b.cols());
            if (std::isfinite(by)) out.largest[i] = std::max(out.largest[i], std::abs(by));
        }
    }
    return out;
}

Touch touch_of(const Document& d, const NormsOfZ& norms, Index token, Index feature, double by) {
    NormsOfZ raised;
    raised.z = norms.z;
    raised.z(token, feature) += by;
    raised.norms = all_norms(raised.z, d.eps);
    return touch_between(norms, raised);
}

} // namespace normscope
