#pragma once
#include "app/model/document.h"
#include "core/base/lists.h"
#include "core/base/matrix_view.h"
#include "core/base/memo.h"
#include "core/stats/density.h"
#include "core/stats/histogram.h"
#include "core/stats/moments.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace normscope {

// The five matrices in their order on the screen.
enum class Tensor : std::uint8_t { x, f, z, x_hat, y };
inline constexpr std::size_t k_tensors = 5;

// The values that a distribution is of.
struct Pool {
    enum class Kind : std::uint8_t { all, token, feature, block };
    Kind kind = Kind::all;
    Index index = 0;      // of the token or feature
    CellBlock cells = {}; // of a block: a row's or a column's
    bool operator==(const Pool&) const = default;

    CellBlock of(const MatrixView& m) const {
        if (kind == Kind::block) return cells;
        const bool token = kind == Kind::token, feature = kind == Kind::feature;
        return {token ? index : 0, feature ? index : 0, token ? 1 : m.rows(),
                feature ? 1 : m.cols()};
    }
};

// A density reaches so many bandwidths beyond the outermost values: there it is a hundredth.
inline constexpr double k_density_tail = 3;

// The most that several roundings change a number by, as a share of it.
double roundings(Precision precision);

// The picture of a set of values; of equal values the moments alone. Each set has its own grids: a
// change of one leaves the others valid. Charts put them on a shared axis.
struct Distribution1D {
    Moments moments;
    Histogram histogram;
    std::vector<double> bin_density; // heights of the histogram's bins, area 1
    Density density;
};

// Everything that follows from a document. Unchanged parts are shared with the derivation before: γ
// and β leave μ, σ and x̂ alone. Y and pooled distributions are computed when first asked for.
class Derived {
  public:
    // `before` may be null. Never fails: what a norm refuses is in error(); x̂ and Y are NaN then.
    static std::shared_ptr<const Derived> of(const Document& document,
                                             std::shared_ptr<const Derived> before = nullptr);

    const Document& document() const { return document_; }
    bool is_of(const Document& document) const { return same_objects(document_, document); }
    // Whether the two documents have the same shape.
    bool fits(const Document& document) const {
        return document_.token_count() == document.token_count() &&
               document_.feature_count() == document.feature_count();
    }
    const std::optional<Error>& error() const { return of_norm_->error; }
    // The other's μ, σ and x̂ are this one's.
    bool shares_norm(const Derived& other) const { return of_norm_ == other.of_norm_; }

    MatrixView view(Tensor which) const;

    // Names the content of a tensor: changes when, and only when, its values may have.
    std::uint64_t version(Tensor which) const { return entry_at(versions_, which); }

    // μ and 1/√(σ²+ε) of the sets that share them; there are none without a norm.
    StatisticSets sets() const { return statistic_sets(document_); }
    Index group_count() const { return std::ssize(of_norm_->mean); }
    double mean(Index set) const { return entry_at(of_norm_->mean, set); }
    double rstd(Index set) const { return entry_at(of_norm_->rstd, set); }

    // γ and β that scale a cell.
    double gamma(Index token, Index feature) const {
        return param(*document_.gamma, token, feature);
    }
    double beta(Index token, Index feature) const { return param(*document_.beta, token, feature); }

    // Pooled over the whole matrix. The same object as before while the tensor has not changed.
    const Distribution1D& pooled(Tensor which) const;

    // The distribution of a token, feature or block; computed when asked (see DistributionMemo).
    Distribution1D distribution(Tensor which, Pool pool) const;

    // max |Y − Z| over a token's features.
    double max_abs_difference(Index token) const;
    // Whether `difference` is only rounding, so that the token's Y is its Z.
    bool gives_back(Index token, double difference) const;

    // How often the norm was computed, for tests: hovering computes nothing, γ leaves x̂ alone.
    int normalized() const { return normalized_; }

  private:
    using AnyMatrix = std::variant<Matrix<float>, Matrix<double>>;
    // The norm's results on Z.
    struct OfNorm {
        AnyMatrix x_hat;
        std::vector<double> mean, rstd;
        std::optional<Error> error;
    };
    // A part that is made when first asked for, and shared with later derivations.
    template<class T>
    using WhenAsked = std::shared_ptr<std::optional<T>>;

    Document document_;
    std::shared_ptr<const AnyMatrix> z_;
    std::shared_ptr<const OfNorm> of_norm_;
    WhenAsked<AnyMatrix> y_;
    std::array<WhenAsked<Distribution1D>, k_tensors> pooled_;
    std::array<std::uint64_t, k_tensors> versions_{};
    int normalized_ = 0;

    const AnyMatrix& y() const;
    double param(const std::vector<double>& values, Index token, Index feature) const;

    friend struct Derivation;
};

// Moments, histogram and density of a sample on its own grid.
template<class S>
Distribution1D distribution_of(Sample<S> sample);

// Distributions of single tokens and features: hovering to and fro computes each once.
struct DistributionKey {
    std::uint64_t version; // of the tensor's content
    Tensor tensor;
    Pool pool;
    bool operator==(const DistributionKey&) const = default;
};
using DistributionMemo = Memo<DistributionKey, Distribution1D, 32>;
const Distribution1D& distribution(DistributionMemo& memo, const Derived& derived, Tensor which,
                                   Pool pool);

} // namespace normscope
