#include "app/document/worked_decimals.h"

#include "app/document/printed_number.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

// A result that is computed from rounded operands and then rounded to as many decimals misses the
// true one about every third time, whatever their number; one more decimal in the operands (a
// "guard") makes that every thirtieth. So each step's operands get as many decimals as its results
// need to come out right, from the last step back to the first. Typed numbers such as 1.80 are
// exact and need none.
namespace normscope::worked {

namespace {

constexpr int k_most_guards = 8; // of a step's two kinds of operands together

// The fewest guard decimals (first, second) with which `fits`; none where nothing does.
template<class Fits>
std::pair<int, int> fewest(Fits&& fits) {
    for (int all = 0; all <= k_most_guards; ++all)
        for (int second = all; second >= 0; --second)
            if (fits(all - second, second)) return {all - second, second};
    return {0, 0};
}

// The smallest number of decimals from `least` up with which `fits`.
template<class Fits>
std::optional<int> smallest(int least, Fits&& fits) {
    for (int d = least; d <= least + k_most_guards; ++d)
        if (fits(d)) return d;
    return std::nullopt;
}

bool rounds_to(double computed, double truth, int decimals) {
    return prints_alike(rounded(computed, decimals), rounded(truth, decimals));
}

} // namespace

Group::Group(const Derived& d, Index group)
    : derived(d), index(group), norm(d.document().norm),
      by_feature(d.group_axis() == Axis::feature), skip(d.document().residual == Residual::add),
      n(by_feature ? d.document().token_count() : d.document().feature_count()),
      eps(d.document().eps) {
    for (std::size_t i = 0; i < k_tensors; ++i) views_[i] = d.view(static_cast<Tensor>(i));
    if (norm == NormKind::none) return;
    for (Index i = 0; i < n; ++i) sum += at(Tensor::z, i);
    mean = d.mean(group);
    for (Index i = 0; i < n; ++i) squares += std::pow(at(Tensor::z, i) - mean, 2);
    variance = squares / static_cast<double>(n);
    root = 1 / d.rstd(group);
    if (!std::isfinite(root)) squares = variance = root; // the squares overflowed float32
}

double Group::used(double value) const {
    return derived.document().precision == Precision::float32
               ? static_cast<double>(static_cast<float>(value))
               : value;
}

double Group::at(Tensor tensor, Index place) const {
    return used(views_[static_cast<std::size_t>(tensor)](token(place), feature(place)));
}
double Group::gamma(Index place) const {
    return used(derived.gamma(token(place), feature(place)));
}
double Group::beta(Index place) const {
    return used(derived.beta(token(place), feature(place)));
}

double Group::largest() const {
    double most = 0;
    for (Index i = 0; i < n; ++i)
        for (const Tensor t : {Tensor::x, Tensor::f, Tensor::z})
            if (const double v = std::abs(at(t, i)); std::isfinite(v)) most = std::max(most, v);
    return most;
}

PlaceDecimals fit_places(const Group& g, std::span<const Index> places,
                         const PlaceDecimals& least) {
    PlaceDecimals d = least;
    const auto all = [&](auto&& fits) { return std::all_of(places.begin(), places.end(), fits); };

    const auto [param_guard, x_hat_guard] = fewest([&](int param, int x_hat) {
        const int at = least.param + param;
        return all([&](Index i) {
            const double x_hat_i = rounded(g.at(Tensor::x_hat, i), least.x_hat + x_hat);
            const double y = rounded(g.gamma(i), at) * x_hat_i + rounded(g.beta(i), at);
            return rounds_to(y, g.at(Tensor::y, i), d.y);
        });
    });
    d.param += param_guard;
    d.x_hat += x_hat_guard;

    if (g.norm == NormKind::none) {
        d.z = d.x_hat; // the same number
    } else {
        const auto [z_guard, divisor_guard] = fewest([&](int z, int divisor) {
            const double mean = rounded(g.mean, least.divisor + divisor);
            const double root = rounded(g.root, least.divisor + divisor);
            return all([&](Index i) {
                const double z_i = rounded(g.at(Tensor::z, i), least.z + z);
                return rounds_to(g.normalized(z_i, mean, root), g.at(Tensor::x_hat, i), d.x_hat);
            });
        });
        d.z += z_guard;
        d.divisor += divisor_guard;
    }

    if (!g.skip) {
        d.input = d.z;
        return d;
    }
    d.input = std::max(d.input, d.z);
    d.input = smallest(d.input, [&](int at) {
                  return all([&](Index i) {
                      const double z =
                          rounded(g.at(Tensor::x, i), at) + rounded(g.at(Tensor::f, i), at);
                      return rounds_to(z, g.at(Tensor::z, i), d.z);
                  });
              }).value_or(d.input);
    return d;
}

double printed_sum(const Group& g, const std::vector<double>& shown, int decimals) {
    double sum = shown.empty() ? g.sum : 0;
    for (const double z : shown) sum += z;
    return rounded(sum, decimals);
}

double printed_squares(const Group& g, const std::vector<double>& shown, double mean,
                       int decimals) {
    if (shown.empty() || !std::isfinite(g.squares)) return rounded(g.squares, decimals);
    double squares = 0;
    for (const double z : shown) squares += std::pow(z - mean, 2);
    return rounded(squares, decimals);
}

GroupDecimals fit_group(const Group& g, int decimals, std::span<const int> divisors,
                        const std::vector<double>& shown) {
    const auto n = static_cast<double>(g.n);
    int finest = decimals + 1;
    for (const int d : divisors) finest = std::max(finest, d);
    GroupDecimals out;
    const auto choose = [&out](int& into, int least, auto&& fits) {
        const auto found = smallest(least, fits);
        into = found.value_or(least);
        out.fits = out.fits && found.has_value();
    };
    // Where a number is used in fewer decimals than it was found in, rounding it once more must not
    // go astray (1.2346 → 1.235 → 1.24).
    const auto usable = [&](double value) {
        return [&divisors, value](int d) {
            return std::all_of(divisors.begin(), divisors.end(), [&](int coarse) {
                return rounds_to(rounded(value, d), value, coarse);
            });
        };
    };
    choose(out.mean, finest, usable(g.mean));
    choose(out.root, finest, usable(g.root));
    choose(out.sum, decimals, [&](int at) {
        const double sum = printed_sum(g, shown, at);
        return rounds_to(sum / n, g.mean, out.mean) && rounds_to(sum, g.sum, at);
    });
    choose(out.variance, out.root, [&](int at) {
        return rounds_to(std::sqrt(rounded(g.variance, at) + g.eps), g.root, out.root);
    });
    const double mean = rounded(g.mean, out.mean);
    choose(out.squares, decimals, [&](int at) {
        const double squares = printed_squares(g, shown, mean, at);
        return rounds_to(squares / n, g.variance, out.variance) &&
               rounds_to(squares, g.squares, at);
    });
    return out;
}

} // namespace normscope::worked
