#include "app/model/batch_training.h"

#include "core/base/rounding.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <cmath>
#include <limits>
#include <utility>

namespace normscope {

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

double root_mean_square_difference(const Halves& h) {
    return std::sqrt((h.train - h.eval).squaredNorm() / static_cast<double>(h.train.size()));
}

// The batch of z; `part` holds its tokens where they are not all.
const Matrix<double>& batch_of(const Document& d, const Matrix<double>& z, Matrix<double>& part) {
    const Index batch = batch_size(d.batch, z.rows());
    if (batch == z.rows()) return z;
    part = z.topRows(batch);
    return part;
}

NormOptions training_options(const Document& d) {
    return {.eps = d.eps, .momentum = d.batch.momentum};
}

// The statistics learned from batches of n tokens that were normalized as `batch`; null: from none.
LearnedStats learned_from(const Document& d, const NormCache<double>* batch, Index n,
                          Index features) {
    LearnedStats out;
    out.running = {Vector<double>::Zero(features), Vector<double>::Ones(features), 0};
    out.mean = out.variance = Vector<double>::Constant(features, k_nan);
    if (!batch) return out;
    out.learned_on = n;
    out.mean = batch->mean;
    const auto count = static_cast<double>(n);
    // Biased to unbiased, as the running variance is.
    out.variance =
        (batch->rstd.array().square().inverse() - d.eps).cwiseMax(0.0) * (count / (count - 1));
    for (Index i = 0; i < features; ++i)
        out.mean(i) = but_for_rounding(out.mean(i), out.variance(i));
    const Vector<double> nan = Vector<double>::Constant(features, k_nan);
    for (int n_update = 1; n_update <= d.batch.updates; ++n_update) {
        const bool poison = n_update == d.batch.nan_update;
        out.running = update_running(&out.running, poison ? nan : out.mean,
                                     poison ? nan : out.variance, d.batch.momentum);
        out.poisoned |= poison;
    }
    return out;
}

} // namespace

bool same_batch(const Document& a, const Document& b) {
    return batch_size(a.batch, a.token_count()) == batch_size(b.batch, b.token_count());
}

bool same_training(const Document& a, const Document& b) {
    return same_batch(a, b) && a.batch.momentum == b.batch.momentum &&
           a.batch.updates == b.batch.updates && a.batch.nan_update == b.batch.nan_update;
}

LearnedStats learned_stats(const Document& d, const Matrix<double>& z) {
    Matrix<double> part;
    const Matrix<double>& first = batch_of(d, z, part);
    const NormOptions options = training_options(d);
    if (const auto of_batch = normalize<double>(NormKind::batch, first, options))
        return learned_from(d, &of_batch->cache, first.rows(), z.cols());
    const auto of_all = normalize<double>(NormKind::batch, z, options);
    return learned_from(d, of_all ? &of_all->cache : nullptr, z.rows(), z.cols());
}

TrainAndEval train_and_eval(const Document& d, const Matrix<double>& z) {
    TrainAndEval out;
    Matrix<double> part;
    const Matrix<double>& first = batch_of(d, z, part);
    NormOptions options = training_options(d);
    out.batch = first.rows();
    if (auto train = normalize<double>(NormKind::batch, first, options)) {
        static_cast<LearnedStats&>(out) = learned_from(d, &train->cache, out.batch, z.cols());
        out.train = std::move(train->cache.x_hat);
    } else {
        static_cast<LearnedStats&>(out) = learned_stats(d, z);
        out.train = Matrix<double>::Constant(out.batch, z.cols(), k_nan);
        out.train_error = train.error();
    }
    options.mode = Mode::eval;
    if (auto eval = normalize<double>(NormKind::batch, first, options, &out.running))
        out.eval = std::move(eval->cache.x_hat);
    out.difference = root_mean_square_difference(out);
    return out;
}

Halves outputs_of(const Halves& x_hat, const Affine<double>& affine) {
    const Affine<double> of_batch = first_tokens(affine, x_hat.train.rows());
    Halves y;
    // γ and β fit: the document has as many as it has tokens or features.
    (void)affine_forward(x_hat.train, of_batch, y.train);
    (void)affine_forward(x_hat.eval, of_batch, y.eval);
    y.difference = root_mean_square_difference(y);
    return y;
}

std::vector<RunningPoint> running_path(double mean, double variance, double momentum, int updates,
                                       int nan_update) {
    const Vector<double> batch_mean = Vector<double>::Constant(1, mean);
    const Vector<double> batch_variance = Vector<double>::Constant(1, variance);
    const Vector<double> nan = Vector<double>::Constant(1, k_nan);
    RunningStats<double> running{Vector<double>::Zero(1), Vector<double>::Ones(1), 0};
    std::vector<RunningPoint> out{{running.mean(0), running.var(0)}};
    for (int n = 1; n <= updates; ++n) {
        const bool poison = n == nan_update;
        running = update_running(&running, poison ? nan : batch_mean, poison ? nan : batch_variance,
                                 momentum);
        out.push_back({running.mean(0), running.var(0)});
    }
    return out;
}

std::vector<double> running_share(double momentum, int updates, int nan_update) {
    // The running mean of a batch whose mean is 1 starts at 0: it is the share itself.
    std::vector<double> out;
    for (const RunningPoint& p : running_path(1, 1, momentum, updates, nan_update))
        out.push_back(p.mean);
    return out;
}

int updates_to_reach(double share, double momentum) {
    if (momentum >= 1) return 1;
    const double exact = std::log1p(-share) / std::log1p(-momentum);
    return static_cast<int>(std::ceil(exact - 1e-9));
}

} // namespace normscope
