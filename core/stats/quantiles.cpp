#include "core/stats/quantiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <type_traits>

namespace normscope {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

template<class S>
using Bits = std::conditional_t<std::is_same_v<S, float>, std::uint32_t, std::uint64_t>;

// Leading bits of the order-preserving key: sign, exponent and a few of the mantissa.
template<class S>
constexpr int k_key_bits = std::is_same_v<S, float> ? 13 : 16;

// The bits of a float, changed so that their order as unsigned integers is the order of the values.
template<class S>
std::size_t bucket_of(S value) {
    using U = Bits<S>;
    constexpr int width = std::numeric_limits<U>::digits;
    const U bits = std::bit_cast<U>(value);
    const U mask = (bits >> (width - 1)) != 0 ? ~U{0} : U{1} << (width - 1);
    return static_cast<std::size_t>((bits ^ mask) >> (width - k_key_bits<S>));
}

double interpolate(double lower, double upper, double fraction) {
    // lower + 0·(∞ − lower) would be NaN.
    if (fraction == 0 || lower == upper) return lower;
    return lower + fraction * (upper - lower);
}

template<class S>
std::vector<S> without_nan(Sample<S> sample) {
    std::vector<S> values;
    values.reserve(static_cast<std::size_t>(sample.size));
    for (Index i = 0; i < sample.size; ++i)
        if (!std::isnan(sample[i])) values.push_back(sample[i]);
    return values;
}

struct Rank {
    std::size_t lower;
    std::size_t upper;
    double fraction;
};

Rank rank_of(double probability, std::size_t n) {
    const double position = std::clamp(probability, 0.0, 1.0) * static_cast<double>(n - 1);
    const auto lower = static_cast<std::size_t>(position);
    return {lower, std::min(lower + 1, n - 1), position - static_cast<double>(lower)};
}

// The lower and the upper rank of each of n values.
std::vector<std::size_t> ranks_of(std::span<const double> probabilities, std::size_t n) {
    std::vector<std::size_t> out;
    for (const double p : probabilities)
        for (const Rank r = rank_of(p, n); const std::size_t rank : {r.lower, r.upper})
            out.push_back(rank);
    return out;
}

// Puts what is at `ranks` where sorting would: selections, each among what is above the one before.
template<class S>
void put_in_place(std::vector<S>& values, std::vector<std::size_t> ranks) {
    std::ranges::sort(ranks);
    auto from = values.begin();
    for (const std::size_t rank : ranks) {
        const auto at = values.begin() + static_cast<Index>(rank);
        if (at < from) continue; // the same as the one before
        std::nth_element(from, at, values.end());
        from = at + 1;
    }
}

// Order statistics of many values without sorting them: one pass counts buckets of leading bits,
// a second collects the buckets that hold a wanted rank, and only those are put in order.
template<class S>
class OrderStatistics {
  public:
    OrderStatistics(Sample<S> sample) : sample_(sample), start_((1u << k_key_bits<S>)+1, 0) {
        for (Index i = 0; i < sample.size; ++i) {
            const S value = sample[i];
            if (std::isnan(value)) continue;
            ++start_[bucket_of(value) + 1];
            ++size_;
        }
        for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
    }

    std::size_t size() const { return size_; }

    // The values at ascending `ranks`.
    std::vector<S> at(const std::vector<std::size_t>& ranks) const {
        std::vector<std::size_t> buckets;
        std::vector<std::int32_t> slot(start_.size(), -1);
        const auto bucket_at = [&](std::size_t rank) {
            const auto after = std::upper_bound(start_.begin(), start_.end(), rank);
            return static_cast<std::size_t>(after - start_.begin()) - 1;
        };
        for (const std::size_t rank : ranks) {
            const std::size_t bucket = bucket_at(rank);
            if (slot[bucket] >= 0) continue;
            slot[bucket] = static_cast<std::int32_t>(buckets.size());
            buckets.push_back(bucket);
        }
        std::vector<std::vector<S>> members(buckets.size());
        for (std::size_t k = 0; k < buckets.size(); ++k)
            members[k].reserve(start_[buckets[k] + 1] - start_[buckets[k]]);
        for (Index i = 0; i < sample_.size; ++i) {
            const S value = sample_[i];
            const std::int32_t k = slot[bucket_of(value)];
            if (k >= 0 && !std::isnan(value)) members[static_cast<std::size_t>(k)].push_back(value);
        }
        std::vector<bool> is_uniform;
        for (const auto& values : members) {
            // Repeated values are common (zeros of a ReLU), and selecting among them is slow.
            const bool differs = std::adjacent_find(values.begin(), values.end(),
                                                    std::not_equal_to<>()) != values.end();
            is_uniform.push_back(!differs);
        }
        std::vector<S> out;
        for (const std::size_t rank : ranks) {
            const std::size_t bucket = bucket_at(rank);
            const auto member = static_cast<std::size_t>(slot[bucket]);
            auto& values = members[member];
            if (is_uniform[member]) {
                out.push_back(values.front());
                continue;
            }
            const auto nth = values.begin() + static_cast<Index>(rank - start_[bucket]);
            std::nth_element(values.begin(), nth, values.end());
            out.push_back(*nth);
        }
        return out;
    }

  private:
    Sample<S> sample_;
    std::vector<std::size_t> start_; // values below bucket b
    std::size_t size_ = 0;
};

constexpr Index k_sort_below = 16384;

constexpr double k_tail = 0.02425; // where the approximation of the middle ends

// The polynomial with these coefficients, that of the highest power first.
double polynomial(std::initializer_list<double> coefficients, double x) {
    double sum = 0;
    for (const double c : coefficients) sum = sum * x + c;
    return sum;
}

double tail(double p) {
    const double q = std::sqrt(-2 * std::log(p));
    return polynomial({-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                       -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00},
                      q) /
           polynomial({7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                       3.754408661907416e+00, 1},
                      q);
}

double middle(double p) {
    const double q = p - 0.5, r = q * q;
    return polynomial({-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
                       1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00},
                      r) *
           q /
           polynomial({-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                       6.680131188771972e+01, -1.328068155288572e+01, 1},
                      r);
}

} // namespace

double normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) return k_nan;
    if (p == 0) return -std::numeric_limits<double>::infinity();
    if (p == 1) return std::numeric_limits<double>::infinity();
    double x = p < k_tail ? tail(p) : p > 1 - k_tail ? -tail(1 - p) : middle(p);
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double u = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    x -= u / (1 + x * u / 2);
    return x;
}

template<class S>
std::vector<double> quantiles(Sample<S> sample, std::span<const double> probabilities) {
    std::vector<double> out;
    out.reserve(probabilities.size());
    if (sample.size < k_sort_below) {
        std::vector<S> values = without_nan(sample);
        if (values.empty()) return std::vector<double>(probabilities.size(), k_nan);
        put_in_place(values, ranks_of(probabilities, values.size()));
        for (const double p : probabilities) {
            const Rank r = rank_of(p, values.size());
            out.push_back(
                interpolate(double(values[r.lower]), double(values[r.upper]), r.fraction));
        }
        return out;
    }
    const OrderStatistics<S> order(sample);
    if (order.size() == 0) return std::vector<double>(probabilities.size(), k_nan);
    const std::vector<S> values = order.at(ranks_of(probabilities, order.size()));
    for (std::size_t k = 0; k < probabilities.size(); ++k) {
        const Rank r = rank_of(probabilities[k], order.size());
        out.push_back(interpolate(double(values[2 * k]), double(values[2 * k + 1]), r.fraction));
    }
    return out;
}

template std::vector<double> quantiles(Sample<float>, std::span<const double>);
template std::vector<double> quantiles(Sample<double>, std::span<const double>);

} // namespace normscope
