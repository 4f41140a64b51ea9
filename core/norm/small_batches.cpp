#include "core/norm/small_batches.h"

#include "core/base/random.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

Matrix<double> normal_matrix(Random& random, Index rows, Index cols) {
    Matrix<double> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = random.normal();
    return m;
}

// ±1 by the bits of the generator, 64 at a time: a dy of mean 0 and variance 1 that costs nothing.
Matrix<double> random_signs(Random& random, Index rows, Index cols) {
    Matrix<double> m(rows, cols);
    std::uint64_t bits = 0;
    for (Index i = 0; i < m.size(); ++i) {
        bits = i % 64 == 0 ? random.next_u64() : bits >> 1;
        m.data()[i] = (bits & 1) != 0 ? 1 : -1;
    }
    return m;
}

SmallBatch measured(const Matrix<double>& z, const Matrix<double>& dy) {
    SmallBatch out;
    out.batch = static_cast<double>(z.rows());
    const auto forward = normalize<double>(NormKind::batch, z, {.eps = 0});
    if (!forward) return out; // a batch of one, which the contract excludes
    const NormCache<double>& cache = forward->cache;
    const auto backward = normalize_backward<double>(
        cache, identity_affine<double>(AffinePer::feature, z.rows(), z.cols()), dy);
    if (!backward) return out;
    const auto features = static_cast<double>(z.cols());
    const auto values = static_cast<double>(z.size());
    const auto variance = cache.rstd.array().square().inverse();
    out.mean_spread = std::sqrt(cache.mean.squaredNorm() / features);
    out.variance = variance.mean();
    out.train_eval = std::sqrt((cache.x_hat - z).squaredNorm() / values);
    // Σ_b (s·dz_b)² of each feature, s² = σ²_B.
    const Vector<double> energy = backward->dz.array().square().matrix().colwise().sum();
    out.gradient_energy = (energy.array() * variance).sum() / dy.squaredNorm();
    return out;
}

} // namespace

std::vector<SmallBatch> small_batches(std::uint64_t seed, Index features,
                                      std::span<const Index> sizes) {
    std::vector<SmallBatch> out;
    if (sizes.empty()) return out;
    const Index most = *std::ranges::max_element(sizes);
    Random random(seed);
    const Matrix<double> z = normal_matrix(random, most, features);
    const Matrix<double> dy = random_signs(random, most, features);
    for (const Index size : sizes) out.push_back(measured(z.topRows(size), dy.topRows(size)));
    return out;
}

SmallBatch small_batch_theory(double batch) {
    SmallBatch out;
    out.batch = batch;
    out.mean_spread = 1 / std::sqrt(batch);
    out.variance = (batch - 1) / batch;
    const double mean_s =
        std::sqrt(2 / batch) * std::exp(std::lgamma(batch / 2) - std::lgamma((batch - 1) / 2));
    out.train_eval = std::sqrt(std::max(0.0, 2 - 2 * mean_s));
    out.gradient_energy = (batch - 2) / batch;
    return out;
}

} // namespace normscope
