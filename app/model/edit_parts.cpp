#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "app/model/learning.h"
#include "app/model/params.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// x with x + f = z. The difference of two short decimals is one as well but for its last bits:
// 1.23 − 0.2 is 1.03, not 1.0299999999999998, so that the cell of X reads as it should.
double summand(double z, double f) {
    const double x = z - f;
    const double near = std::round(x * 1e9) / 1e9;
    const double size = std::max({1.0, std::abs(z), std::abs(f)});
    return std::abs(near + f - z) <= 1e-15 * size ? near : x;
}

} // namespace

Result<Document> apply_part(const Document& before, const SetZ& e) {
    const Index rows = e.values.rows();
    const Index cols = e.values.cols();
    if (e.grow)
        return grown_to(before, e.token + rows, e.feature + cols).and_then([&](const auto& grown) {
            return apply_part(grown, SetZ{e.token, e.feature, e.values});
        });
    if (e.token < 0 || e.feature < 0 || rows < 1 || cols < 1 ||
        rows > before.token_count() - e.token || cols > before.feature_count() - e.feature)
        return fail(worded("A block of {}×{} does not fit at {}: Z is {}×{}. Add tokens "
                           "or features first.",
                           rows, cols, place_name(before, e.token, e.feature), before.token_count(),
                           before.feature_count()));
    Document d = before;
    Matrix<double> f = *before.f;
    if (before.residual == Residual::no_skip) {
        f.block(e.token, e.feature, rows, cols) = e.values;
        d.f = std::move(f);
        return d;
    }
    Matrix<double> x = *before.x;
    bool f_changed = false;
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < cols; ++c) {
            double& f_cell = f(e.token + r, e.feature + c);
            if (!std::isfinite(f_cell)) { // no x makes a number of it
                f_cell = 0;
                f_changed = true;
            }
            x(e.token + r, e.feature + c) = summand(e.values(r, c), f_cell);
        }
    d.x = std::move(x);
    if (f_changed) d.f = std::move(f);
    return d;
}

Result<Document> apply_part(const Document& before, const ResetRunning&) {
    Document d = before;
    d.batch.updates = d.batch.nan_update = 0;
    return d;
}

Result<Document> apply_part(const Document& before, const SetLossEntry& e) {
    Document d = before;
    d.backward.entry_token = e.token;
    d.backward.entry_feature = e.feature;
    d.backward.begin_another_run();
    return check(d).map([&] { return d; });
}

Result<Document> apply_part(const Document& before, const LearnSteps& e) {
    return learn(before, e.steps);
}

Result<Document> apply_part(const Document& before, const RestartLearning&) {
    Document d = before;
    if (before.backward.start_gamma->size() == before.gamma->size()) {
        d.gamma = before.backward.start_gamma;
        d.beta = before.backward.start_beta;
        d.gamma_range = before.backward.start_gamma_range.value_or(d.gamma_range);
        d.beta_range = before.backward.start_beta_range.value_or(d.beta_range);
        d.gamma_range.grow(*d.gamma);
        d.beta_range.grow(*d.beta);
    } else {
        reset_params(d);
    }
    d.backward.forget_run();
    return d;
}

} // namespace normscope
