#pragma once
#include <span>
#include <string_view>
#include <vector>

namespace normscope {

// What "divide by the standard deviation" is taken to mean.
struct Convention {
    std::string_view id;
    std::string_view name;    // "÷N, ε inside"
    std::string_view formula; // of the divisor
    std::string_view who;     // where it is used
    bool unbiased;            // variance ÷(N−1)
    bool eps_outside;         // σ + ε, not √(σ² + ε)
};

std::span<const Convention> conventions();

struct Normalization {
    double divisor = 0;
    std::vector<double> values; // (z − mean)/divisor
};

// One group of values by a convention. Unbiased needs two values: with one the divisor is NaN.
Normalization normalize_by(const Convention& convention, std::span<const double> z, double eps);

} // namespace normscope
