#include "app/study/add_norm/derived.h"

#include "core/base/lists.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"
#include "core/stats/magnitude.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normscope {

namespace {

constexpr int k_density_points = 256;

// The interquartile range; of large samples from evenly spaced values: two digits are enough.
template<class S>
double interquartile_range(Sample<S> sample) {
    constexpr Index k_enough = 2048;
    const Index step = std::max<Index>(1, sample.size / k_enough);
    const Sample<S> thinned{sample.data, (sample.size + step - 1) / step, sample.stride * step};
    const std::array<double, 2> p{0.25, 0.75};
    const std::vector<double> q = quantiles(thinned, p);
    return q[1] - q[0];
}

// The values that are drawn: at most 8 σ to either side, so that no outlier squeezes the rest.
std::pair<double, double> drawn_values(const Moments& m) {
    double lo = m.min;
    double hi = m.max;
    if (std::isfinite(m.mean) && std::isfinite(m.std)) {
        lo = std::max(lo, m.mean - 8 * m.std);
        hi = std::min(hi, m.mean + 8 * m.std);
    }
    return {lo, hi};
}

} // namespace

template<class S>
Distribution1D distribution_of(Sample<S> sample) {
    Distribution1D d;
    d.moments = moments(sample);
    const Index finite = d.moments.count - d.moments.nans - d.moments.infinities;
    if (finite <= 0) return d;
    Moments bounded = d.moments;
    double iqr = interquartile_range(sample);
    if (d.moments.nans + d.moments.infinities > 0) {
        // The moments of the finite values place the grid; the moments shown stay as IEEE has them.
        std::vector<S> kept;
        kept.reserve(static_cast<std::size_t>(finite));
        for (Index i = 0; i < sample.size; ++i)
            if (std::isfinite(sample[i])) kept.push_back(sample[i]);
        const Sample<S> rest{kept.data(), finite, 1};
        bounded = moments(rest);
        iqr = interquartile_range(rest);
    }
    const auto [least, most] = drawn_values(bounded);
    if (!(least < most)) return d; // of one value there is no curve
    // A kernel that is narrower than the steps of the curve would fall between its points.
    constexpr double k_least_steps = 1.5;
    const double step = most / (k_density_points - 1) - least / (k_density_points - 1);
    const double bandwidth =
        std::max(silverman_bandwidth(bounded.std, iqr, finite), k_least_steps * step);
    // Freedman-Diaconis on the drawn range.
    double width = 2 * iqr / std::cbrt(static_cast<double>(finite));
    if (!(width > 0)) width = bandwidth;
    const double bins = std::clamp(std::ceil((most - least) / width), 5.0, 80.0);
    // The curve is made of parts of the bins, of an eighth of the bandwidth.
    const double parts = std::ceil(8 * (most - least) / (bins * bandwidth));
    if (!std::isfinite(parts)) return d;
    const Histogram fine = histogram(sample, least, most, static_cast<int>(bins * parts));
    d.density = density(fine, bandwidth, k_density_tail, k_density_points);
    d.histogram = coarser(fine, static_cast<int>(parts));
    for (const auto i : indices(d.histogram.counts))
        d.bin_density.push_back(d.histogram.density(i));
    return d;
}

NORMSCOPE_IN_BOTH_PRECISIONS(distribution_of);

// Builds one Derived from a document and, where nothing changed, from the one before.
struct Derivation {
    Derived& out;
    const Document& doc;
    const Derived* before;
    bool x_same = false, f_same = false, z_same = false, norm_same = false, y_same = false;

    void compare() {
        if (!before) return;
        const Document& old = before->document_;
        x_same = doc.x.is(old.x);
        f_same = doc.f.is(old.f);
        z_same = x_same && f_same && doc.residual == old.residual && doc.precision == old.precision;
        norm_same = z_same && doc.norm == old.norm && doc.eps == old.eps;
        y_same = norm_same && same_affine(doc, old);
    }

    template<class S>
    void compute() {
        if (z_same) {
            out.z_ = before->z_;
        } else {
            // residual_add() in the screen's precision, without copies of X and F(X) in it.
            out.z_ = std::make_shared<const Derived::AnyMatrix>(
                doc.residual == Residual::add
                    ? Matrix<S>(doc.x->template cast<S>() + doc.f->template cast<S>())
                    : Matrix<S>(doc.f->template cast<S>()));
        }
        if (!norm_same) return normalize_z<S>();
        out.of_norm_ = before->of_norm_;
    }

    template<class S>
    void normalize_z() {
        const Matrix<S>& z = std::get<Matrix<S>>(*out.z_);
        auto normalized = normalize<S>(doc.norm, z, norm_options(doc));
        auto cache = normalized ? std::move(normalized->cache)
                                : refused_cache<S>(doc.norm, z.rows(), z.cols(), norm_options(doc));
        out.of_norm_ = std::make_shared<const Derived::OfNorm>(
            Derived::OfNorm{std::move(cache.x_hat),
                            {cache.mean.begin(), cache.mean.end()},
                            {cache.rstd.begin(), cache.rstd.end()},
                            normalized ? std::nullopt : std::optional(normalized.error())});
        ++out.normalized_;
    }

    void finish() {
        out.y_ = y_same ? before->y_ : std::make_shared<std::optional<Derived::AnyMatrix>>();
        const bool same[k_tensors] = {x_same, f_same, z_same, norm_same, y_same};
        for (std::size_t i = 0; i < k_tensors; ++i) {
            const std::uint64_t last = before ? before->versions_[i] : 0;
            out.versions_[i] = same[i] ? last : last + 1;
            out.pooled_[i] =
                same[i] ? before->pooled_[i] : std::make_shared<std::optional<Distribution1D>>();
        }
    }
};

std::shared_ptr<const Derived> Derived::of(const Document& document,
                                           std::shared_ptr<const Derived> before) {
    auto out = std::make_shared<Derived>();
    out->document_ = document;
    if (before) out->normalized_ = before->normalized_;
    Derivation derivation{*out, document, before.get()};
    derivation.compare();
    if (document.precision == Precision::float32)
        derivation.compute<float>();
    else
        derivation.compute<double>();
    derivation.finish();
    return out;
}

MatrixView Derived::view(Tensor which) const {
    if (which == Tensor::x) return MatrixView(*document_.x);
    if (which == Tensor::f) return MatrixView(*document_.f);
    const AnyMatrix& made = which == Tensor::z       ? *z_
                            : which == Tensor::x_hat ? of_norm_->x_hat
                                                     : y();
    return std::visit([](const auto& matrix) { return MatrixView(matrix); }, made);
}

const Derived::AnyMatrix& Derived::y() const {
    const auto scale = [&]<class S>(const Matrix<S>& x_hat) {
        const auto vector = [](const std::vector<double>& values) -> Vector<S> {
            return Eigen::Map<const Vector<double>>(values.data(), std::ssize(values))
                .template cast<S>();
        };
        Matrix<S> y;
        // Its γ and β fit: a document of another shape is refused where it is made.
        (void)affine_forward(
            x_hat,
            Affine<S>{document_.affine_per, vector(*document_.gamma), vector(*document_.beta)}, y);
        *y_ = std::move(y);
    };
    if (!*y_) std::visit(scale, of_norm_->x_hat);
    return **y_;
}

const Distribution1D& Derived::pooled(Tensor which) const {
    std::optional<Distribution1D>& pooled = *entry_at(pooled_, which);
    if (!pooled)
        pooled = view(which).visit_all([](auto sample) { return distribution_of(sample); });
    return *pooled;
}

double Derived::param(const std::vector<double>& values, Index token, Index feature) const {
    return entry_at(values, param_index(document_.affine_per, token, feature));
}

Distribution1D Derived::distribution(Tensor which, Pool pool) const {
    if (pool.kind == Pool::Kind::all) return pooled(which);
    const MatrixView m = view(which);
    const auto [row, col, rows, cols] = pool.of(m);
    const auto part = [](Index first, Index count) {
        return [=]<class S>(Sample<S> line) {
            return distribution_of(Sample<S>{line.data + first * line.stride, count, line.stride});
        };
    };
    return rows == 1 ? m.visit_row(row, part(col, cols)) : m.visit_col(col, part(row, rows));
}

const Distribution1D& distribution(DistributionMemo& memo, const Derived& derived, Tensor which,
                                   Pool pool) {
    return memo.of({derived.version(which), which, pool},
                   [&] { return derived.distribution(which, pool); });
}

double Derived::max_abs_difference(Index token) const {
    const MatrixView z = view(Tensor::z), y = view(Tensor::y);
    double largest = 0;
    for (Index j = 0; j < z.cols(); ++j) {
        const double d = y(token, j) - z(token, j);
        if (std::isnan(d)) return d;
        largest = std::max(largest, std::abs(d));
    }
    return largest;
}

double roundings(Precision precision) {
    constexpr double k_roundings = 8; // of the mean, the root, x̂, γ·x̂ and their sum
    return k_roundings * (precision == Precision::float32
                              ? static_cast<double>(std::numeric_limits<float>::epsilon())
                              : std::numeric_limits<double>::epsilon());
}

bool Derived::gives_back(Index token, double difference) const {
    const double largest = view(Tensor::z).visit_row(
        token, [](auto row) { return largest_magnitude(row.data, row.size); });
    return difference <= roundings(document().precision) * largest;
}

} // namespace normscope
