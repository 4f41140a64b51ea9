#include "app/words/worked_decimals.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

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

// Less needs a unit: always, as 0.000010 still has two digits; and where s is as small, as x̂
// then has digits that two or three of z do not give.
constexpr double k_readable = 1e-5;
constexpr double k_divisible = 1e-3;
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

// smallest() from `usual` up; where nothing there fits, the most decimals below, down to `least`.
template<class Fits>
std::optional<int> smallest_or_fewer(int usual, int least, Fits&& fits) {
    if (const auto d = smallest(usual, fits)) return d;
    for (int d = usual - 1; d >= least; --d)
        if (fits(d)) return d;
    return std::nullopt;
}

bool rounds_to(double computed, double truth, int decimals) {
    return prints_alike(rounded(computed, decimals), rounded(truth, decimals));
}

constexpr int k_line_columns = 28;
constexpr Index k_most_terms = 64;

// `terms`: each with the sign that stands before it, but the first.
WorkedLine over_n(const std::vector<std::string>& terms, Index n) {
    const std::string end = ") / " + std::to_string(n);
    std::string all = "= (";
    for (const std::string& term : terms) all += term;
    const Index more = n - std::ssize(terms);
    all = (more > 0 ? worded("{} + … {} more", all, more) : all) + end;
    if (columns(all) <= k_line_columns) return {all};
    std::string text = "= (" + terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i) {
        if (columns(text + terms[i] + " + …" + end) > k_line_columns) break;
        text += terms[i];
    }
    return {text + " + …" + end, -1, false, all};
}

} // namespace

Group::Group(const Derived& d, Index group, bool units)
    : derived(d), index(group), norm(norm_entry(d.document().norm)), sets(d.sets()),
      skip(d.document().residual == Residual::add), n(sets.size()), eps(d.document().eps) {
    const CellBlock block = sets.block(group);
    for (std::size_t i = 0; i < k_tensors; ++i) {
        const MatrixView view = d.view(static_cast<Tensor>(i));
        for (Index r = block.row; r < block.row + block.rows; ++r)
            view.visit_row(r, [&](auto row) {
                for (Index c = block.col; c < block.col + block.cols; ++c)
                    values_[i].push_back(used(static_cast<double>(row[c])));
            });
        largest_[i] = largest_magnitude(values_[i].data(), n);
    }
    if (!norm.normalizes()) return;
    mean = d.mean(group);
    for (Index i = 0; i < n; ++i) sum += at(Tensor::z, i);
    if (units) {
        unit = unit_for(largest_term());
        eps = eps_in(unit);
        mean = mean / unit;
        sum = 0;
        for (Index i = 0; i < n; ++i) sum += at(Tensor::z, i);
    }
    Vector<double> off(n);
    for (Index i = 0; i < n; ++i) off(i) = at(Tensor::z, i) - mean;
    if (norm.spread->squares) parts = static_cast<double>(n);
    total = total_of(off);
    statistic = total / parts;
    root = 1 / d.rstd(group) / unit;
    // Squares that are too large or too small for a number are ∞ or 0 in the computation.
    total_lost = !std::isfinite(root) || (root == 0 && total > 0);
    if (total_lost) total = statistic = root;
}

double Group::unit_for(double most) const {
    const bool sum_lost = norm.centres && !std::isfinite(sum) && std::isfinite(mean);
    const bool divided = 1 / derived.rstd(index) < k_divisible;
    if (!sum_lost && !(most > 0 && most < (divided ? k_divisible : k_readable))) return 1;
    const double size = std::pow(10.0, std::floor(std::log10(most)));
    return std::isfinite(eps_in(size)) ? size : 1; // the smallest numbers have a size of 0
}

double Group::used(double value) const {
    return derived.document().precision == Precision::float32
               ? static_cast<double>(static_cast<float>(value))
               : value;
}

PlaceDecimals fit_places(const Group& g, std::span<const Index> places,
                         const PlaceDecimals& least) {
    PlaceDecimals d = least;
    const auto all = [&](auto&& fits) { return std::ranges::all_of(places, fits); };

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

    if (!g.norm.normalizes()) {
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

double printed_total(const Group& g, const std::vector<double>& shown, double mean, int decimals) {
    if (shown.empty() || g.total_lost) return rounded(g.total, decimals);
    Vector<double> off(std::ssize(shown));
    for (Index i = 0; i < off.size(); ++i) off(i) = entry_at(shown, i) - mean;
    return rounded(g.total_of(off), decimals);
}

GroupDecimals fit_group(const Group& g, int decimals, std::span<const int> divisors,
                        const std::vector<double>& shown) {
    const auto n = static_cast<double>(g.n);
    constexpr int k_without_fit = 4; // more decimals, so that what does not come out is close
    int coarsest = decimals;
    for (const int d : divisors) coarsest = std::max(coarsest, d);
    const int usual = std::max(decimals + 1, coarsest);
    // A number that is used in fewer decimals than it was found in is rounded twice, which must not
    // lead astray (1.2346 → 1.235 → 1.24).
    const auto usable = [&](double value, int at) {
        return std::ranges::all_of(
            divisors, [&](int coarse) { return rounds_to(rounded(value, at), value, coarse); });
    };
    GroupDecimals out;
    out.mean = out.root = usual;
    out.sum = out.total = out.statistic = usual + k_without_fit;

    // More decimals in a result also where its operands, exact as they may be, put it halfway.
    const auto mean = smallest_or_fewer(usual, coarsest, [&](int at) {
        if (!g.norm.centres) return true;
        const auto sum = smallest(decimals, [&](int sum_at) {
            const double printed = printed_sum(g, shown, sum_at);
            return rounds_to(printed / n, g.mean, at) && rounds_to(printed, g.sum, sum_at);
        });
        if (!sum || !usable(g.mean, at)) return false;
        out.sum = *sum;
        return true;
    });
    if (mean) out.mean = *mean;
    const double printed_mean = rounded(g.mean, out.mean);

    const auto statistic = [&](int root_at, int at) {
        const double printed = rounded(g.statistic, at);
        if (!rounds_to(g.norm.spread->divisor(printed, g.eps), g.root, root_at)) return false;
        const auto total = smallest(decimals, [&](int total_at) {
            const double printed_as = printed_total(g, shown, printed_mean, total_at);
            return rounds_to(printed_as / g.parts, g.statistic, at) &&
                   rounds_to(printed_as, g.total, total_at);
        });
        if (total) out.total = *total;
        return total.has_value();
    };
    const auto root = smallest_or_fewer(usual, coarsest, [&](int at) {
        if (!usable(g.root, at)) return false;
        const auto found = smallest_or_fewer(at, 0, [&](int v) { return statistic(at, v); });
        if (found) out.statistic = *found;
        return found.has_value();
    });
    if (root) out.root = *root;
    out.fits = mean && root;
    return out;
}

WorkedLine mean_terms(const Group& g, int decimals) {
    std::vector<std::string> terms;
    for (Index i = 0; i < std::min(g.n, k_most_terms); ++i) {
        const double z = rounded(g.at(Tensor::z, i), decimals);
        terms.push_back(i == 0 ? printed(z, decimals)
                               : (z < 0 ? " − " : " + ") + printed(z < 0 ? -z : z, decimals));
    }
    return over_n(terms, g.n);
}

WorkedLine square_terms(const Group& g, int decimals, double mean, int mean_decimals) {
    const bool finer = g.norm.centres && !prints_alike(rounded(mean, decimals), mean);
    const int d = finer ? std::max(decimals, mean_decimals) : decimals;
    std::vector<std::string> terms;
    for (Index i = 0; i < std::min(g.n, k_most_terms); ++i) {
        const double off = rounded(rounded(g.at(Tensor::z, i), decimals) - mean, d);
        const std::string text = printed(off, d);
        terms.push_back((i == 0 ? "" : " + ") + (off < 0 ? "(" + text + ")²" : text + "²"));
    }
    return over_n(terms, g.n);
}

} // namespace normscope::worked
