#include "app/study/batch_vs_layer/batch_norms.h"

#include "core/base/rounding.h"
#include "core/block/add_norm.h"
#include "core/norm/affine.h"
#include "core/norm/jacobian.h"
#include "core/norm/normalize.h"

#include <cmath>
#include <limits>

namespace normscope {

namespace {

constexpr Index k_most_pairs = Index{1} << 24; // n²·D of an influence matrix
constexpr Index k_most_influence = 256;        // tokens

// Rounding residue is shown as 0: a mean that is tiny beside the set's values, a statistic that is
// tiny beside ε or beside its mean's rounding.
void take_statistics(NormOfZ& norm) {
    const NormCache<double>& cache = norm.cache;
    const Spread& spread = spread_of(cache);
    norm.statistic =
        cache.rstd.unaryExpr([&](double r) { return spread.statistic_of(r, cache.eps); });
    norm.statistic = norm.statistic.cwiseMax(0.0).eval();
    norm.mean = cache.mean;
    for (Index i = 0; i < norm.statistic.size(); ++i) {
        double& q = norm.statistic(i);
        if (q <= k_sum_round_off * cache.eps) q = 0;
        if (!spread.centres) continue;
        double& mean = norm.mean(i);
        const double of_mean = spread.power(k_sum_round_off * mean);
        mean = but_for_rounding(mean, q);
        if (std::isfinite(q) && q <= of_mean) q = 0;
    }
}

// x̂ of all rows of z by the statistics of the first `batch` where tokens share them: (z − μ)/s.
Result<NormCache<double>> normalized_by(const Norm& norm, const Matrix<double>& z,
                                        const NormOptions& options, Index batch) {
    const bool part = norm_entry(norm).shares == Shares::feature && batch < z.rows();
    auto normalized = TRY(part ? normalize<double>(norm, z.topRows(batch), options)
                               : normalize<double>(norm, z, options));
    NormCache<double> cache = std::move(normalized.cache);
    if (part) {
        Matrix<double> all(z.rows(), z.cols());
        all.topRows(batch) = cache.x_hat;
        for (Index t = batch; t < z.rows(); ++t)
            all.row(t) = (z.row(t) - cache.mean.transpose()).cwiseProduct(cache.rstd.transpose());
        cache.x_hat = std::move(all);
    }
    return cache;
}

NormOfZ norm_of_z(const Norm& norm, const Matrix<double>& z, const NormOptions& options,
                  Index batch) {
    NormOfZ out;
    out.batch = batch;
    if (auto cache = normalized_by(norm, z, options, batch)) {
        out.cache = std::move(*cache);
        take_statistics(out);
        return out;
    } else {
        out.error = cache.error();
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    out.cache.norm = norm;
    out.cache.x_hat = Matrix<double>::Constant(z.rows(), z.cols(), nan);
    out.cache.mean = out.cache.rstd = out.mean = out.statistic =
        Vector<double>::Constant(out.sets().count(), nan);
    return out;
}

bool moved(double before, double after) {
    return before != after && !(std::isnan(before) && std::isnan(after));
}

// Lines are rows of `change`, whatever their axis is.
void measure(Moved& m) {
    m.count = 0;
    m.largest = 0;
    Index first = std::numeric_limits<Index>::max(), last = -1, from = first, to = -1;
    for (Index i = 0; i < m.change.rows(); ++i)
        for (Index j = 0; j < m.change.cols(); ++j) {
            const double by = m.change(i, j);
            if (by == 0) continue;
            ++m.count;
            first = std::min(first, i); // of the lines, which are ascending
            last = i;
            from = std::min(from, j);
            to = std::max(to, j);
            if (std::isfinite(by)) m.largest = std::max(m.largest, std::abs(by));
        }
    m.bounds = {};
    if (m.count == 0) return;
    const Index line = m.lines[static_cast<std::size_t>(first)];
    const Index lines = m.lines[static_cast<std::size_t>(last)] + 1 - line;
    m.bounds = m.axis == Axis::token ? CellBlock{line, from, lines, to + 1 - from}
                                     : CellBlock{from, line, to + 1 - from, lines};
}

// Lines of Z before and after, tokens as rows or features as columns.
struct Lines {
    std::vector<Index> at;
    Matrix<double> before, after;
};

Moved moved_lines(const NormsOfZ& norms, const Norm& norm, Axis axis, const Lines& lines) {
    Moved out;
    out.axis = axis;
    if (lines.at.empty()) return out;
    const auto a = normalized_by(norm, lines.before, norms.options, norms.batch);
    const auto b = normalized_by(norm, lines.after, norms.options, norms.batch);
    if (!a || !b) return out;
    out.lines = lines.at;
    const Matrix<double>& from = a->x_hat;
    const Matrix<double>& to = b->x_hat;
    Matrix<double> change = Matrix<double>::Zero(to.rows(), to.cols());
    for (Index i = 0; i < to.size(); ++i)
        if (moved(from.data()[i], to.data()[i])) change.data()[i] = to.data()[i] - from.data()[i];
    out.change = out.axis == Axis::token ? std::move(change) : Matrix<double>(change.transpose());
    measure(out);
    return out;
}

Touch touch_along(const NormsOfZ& norms, const Lines& tokens, const Lines& features) {
    Touch out;
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        const bool shared = k_compared_norms[i].shares == Shares::feature;
        out[i] = moved_lines(norms, norms.norms[i].cache.norm, shared ? Axis::feature : Axis::token,
                             shared ? features : tokens);
    }
    return out;
}

} // namespace

NormsOfZ norms_of_z(const Document& d) {
    NormsOfZ out;
    // Shapes agree in every document, so that the Add cannot refuse them.
    (void)residual_add<double>(*d.x, *d.f, d.residual, out.z);
    out.options = norm_options(d);
    out.batch = batch_size(d.batch, d.token_count());
    const Index groups = fitting_groups(d.norm.groups, d.feature_count());
    for (std::size_t i = 0; i < k_compared_count; ++i)
        out.norms[i] = norm_of_z({k_compared_norms[i].kind, groups}, out.z, out.options, out.batch);
    if (!out.z.allFinite()) out.not_a_number = not_a_number_in_z(d);
    return out;
}

Influences influences(const Document& d, const NormsOfZ& norms, NormResult result) {
    Influences out;
    const Index features = norms.z.cols();
    out.batch = batch_size(d.batch, norms.z.rows());
    const auto room = static_cast<Index>(
        std::sqrt(static_cast<double>(k_most_pairs) / static_cast<double>(features)));
    out.tokens = std::min({out.batch, std::max<Index>(room, 1), k_most_influence});
    const Affine<double> affine =
        result == NormResult::y
            ? affine_of(d)
            : identity_affine<double>(AffinePer::feature, norms.z.rows(), features);
    const Affine<double> of_batch = first_tokens(affine, out.batch);
    for (std::size_t i = 0; i < k_compared_count; ++i) {
        const NormEntry& of = k_compared_norms[i];
        const bool part = of.shares == Shares::feature && out.batch < norms.z.rows();
        const NormOfZ own = part ? norm_of_z(norms.norms[i].cache.norm, norms.z.topRows(out.batch),
                                             norms.options, out.batch)
                                 : NormOfZ{};
        const NormOfZ& norm = part ? own : norms.norms[i];
        out.error[i] = norm.error;
        if (norm.error) continue;
        if (auto m = influence_matrix(norm.cache, part ? of_batch : affine, out.tokens))
            out.of[i] = std::move(*m);
    }
    return out;
}

double Moved::at(Index token, Index feature) const {
    const Index line = axis == Axis::token ? token : feature;
    const auto found = std::lower_bound(lines.begin(), lines.end(), line);
    if (found == lines.end() || *found != line) return 0;
    return change(found - lines.begin(), axis == Axis::token ? feature : token);
}

Touch touch_since(const Document& earlier, const NormsOfZ& norms) {
    const Index features = norms.z.cols();
    const bool adds = earlier.residual == Residual::add;
    Lines tokens, columns;
    std::vector<bool> is_touched(static_cast<std::size_t>(features));
    Eigen::RowVectorXd before;
    for (Index t = 0; t < norms.z.rows(); ++t) {
        before = earlier.f->row(t);
        if (adds) before += earlier.x->row(t);
        if (before.cwiseEqual(norms.z.row(t)).all()) continue; // as a rule
        bool any = false;
        for (Index d = 0; d < features; ++d) {
            if (!moved(before(d), norms.z(t, d))) continue;
            any = true;
            is_touched[static_cast<std::size_t>(d)] = true;
        }
        if (any) tokens.at.push_back(t);
    }
    for (Index d = 0; d < features; ++d)
        if (is_touched[static_cast<std::size_t>(d)]) columns.at.push_back(d);
    tokens.before = (*earlier.f)(tokens.at, Eigen::all);
    columns.before = (*earlier.f)(Eigen::all, columns.at);
    if (adds) {
        tokens.before += (*earlier.x)(tokens.at, Eigen::all);
        columns.before += (*earlier.x)(Eigen::all, columns.at);
    }
    tokens.after = norms.z(tokens.at, Eigen::all);
    columns.after = norms.z(Eigen::all, columns.at);
    return touch_along(norms, tokens, columns);
}

Touch touch_of(const NormsOfZ& norms, Index token, Index feature, double by) {
    const Matrix<double> row = norms.z.row(token);
    const Matrix<double> col = norms.z.col(feature);
    Matrix<double> raised_row = row;
    Matrix<double> raised_col = col;
    raised_row(0, feature) += by;
    raised_col(token, 0) += by;
    return touch_along(norms, {{token}, row, raised_row}, {{feature}, col, raised_col});
}

Touch scaled(const Touch& touch, const Affine<double>& affine) {
    Touch out = touch;
    for (Moved& m : out) {
        for (Index i = 0; i < m.change.rows(); ++i)
            for (Index j = 0; j < m.change.cols(); ++j) {
                if (m.change(i, j) == 0) continue; // 0·∞ is no change either
                const Index line = m.lines[static_cast<std::size_t>(i)];
                const Index token = m.axis == Axis::token ? line : j;
                const Index feature = m.axis == Axis::token ? j : line;
                m.change(i, j) *= affine.gamma(param_index(affine.per, token, feature));
            }
        measure(m);
    }
    return out;
}

} // namespace normscope
