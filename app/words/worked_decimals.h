#pragma once
#include "app/words/worked_steps.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

// How many decimals the worked steps show, so that recomputing from them gives the true results.
namespace normscope::worked {

// The true numbers of one of the document's StatisticSets, by place.
struct Group {
    // Refers to `derived`. With `units`, x, f and z that would need many zeros behind the point, or
    // whose sum is too large for a number, are counted in a unit of their size.
    Group(const Derived& derived, Index group, bool units);

    const Derived& derived;
    Index index;
    const NormEntry& norm;
    StatisticSets sets;
    bool skip;               // the residual is added
    Index n;                 // places
    double eps;              // in units as the spread's statistic
    double unit = 1;         // of x, f, z, μ and s: a power of ten
    double sum = 0;          // Σ z
    double mean = 0;         // μ; 0 where none is taken off
    double parts = 1;        // n of a mean of squares
    double total = 0;        // Σ (z − μ)² of a mean of squares, else the statistic itself
    double statistic = 0;    // what the spread is made of: total / parts
    double root = 0;         // s
    bool total_lost = false; // in the precision that is computed in

    // A number as the program computes with it, in the document's precision; x, f and z in `unit`.
    double at(Tensor tensor, Index place) const {
        const double value = entry_at(entry_at(values_, tensor), place);
        return tensor <= Tensor::z ? value / unit : value;
    }
    double gamma(Index place) const { return used(derived.gamma(token(place), feature(place))); }
    double beta(Index place) const { return used(derived.beta(token(place), feature(place))); }

    double normalized(double z, double mu, double divisor) const {
        return norm.centres ? (z - mu) / divisor : z / divisor;
    }

    // The total of such values of z − μ.
    double total_of(const Vector<double>& off) const {
        return norm.spread->squares ? off.squaredNorm() : norm.spread->statistic(off);
    }

    // The largest finite magnitude of x, f and z.
    double largest_term() const {
        return std::max({largest(Tensor::x), largest(Tensor::f), largest(Tensor::z)});
    }
    double largest(Tensor of) const {
        const double most = entry_at(largest_, of);
        return of <= Tensor::z ? most / unit : most;
    }

  private:
    std::array<std::vector<double>, k_tensors> values_; // by place
    std::array<double, k_tensors> largest_;             // finite magnitudes

    double unit_for(double most) const;
    double eps_in(double size) const { // in units of this size
        return norm.spread->squares ? eps / size / size : eps / size;
    }
    Index token(Index place) const { return sets.token(index, place); }
    Index feature(Index place) const { return sets.feature(index, place); }
    double used(double value) const;
};

// Decimals of what a place's lines show.
struct PlaceDecimals {
    int input = 0;   // x, f
    int z = 0;       // in Add and in Normalize
    int divisor = 0; // μ and s in Normalize
    int x_hat = 0;
    int param = 0; // γ, β
    int y = 0;

    static PlaceDecimals all(int d) { return {d, d, d, d, d, d}; }
};

// Decimals of what the group's own lines show.
struct GroupDecimals {
    int sum = 0;
    int mean = 0;
    int total = 0;
    int statistic = 0;
    int root = 0;
    bool fits = true; // every result comes out as the true one, rounded
};

// Fitted to all of `places` at once, nothing below `least`; y keeps least.y.
PlaceDecimals fit_places(const Group& group, std::span<const Index> places,
                         const PlaceDecimals& least);

// `divisors`: the decimals in which μ and s are used later. `shown`: every printed z of the
// group, or empty when some are left out.
GroupDecimals fit_group(const Group& group, int decimals, std::span<const int> divisors,
                        const std::vector<double>& shown);

// Σ z and the total as printed: of the printed z if they are all there.
double printed_sum(const Group& group, const std::vector<double>& shown, int decimals);
double printed_total(const Group& group, const std::vector<double>& shown, double mean,
                     int decimals);

// "= (3.16 + 0.61 + …) / 6": the values that are added for the mean, in so many decimals, as far as
// a line goes, and all of them.
WorkedLine mean_terms(const Group& group, int decimals);

// "= (1.28² + (−1.27)² + …) / 6": the squares that are added for the variance around the printed
// mean.
WorkedLine square_terms(const Group& group, int decimals, double mean, int mean_decimals);

} // namespace normscope::worked
