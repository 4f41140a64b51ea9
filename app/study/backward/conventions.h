#pragma once
#include <array>
#include <cmath>
#include <limits>
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

inline constexpr std::array<Convention, 4> k_conventions = {{
    {"biased-inside", "÷N, ε inside", "√(Σ(z−μ)²/N + ε)", "PyTorch, the papers, this program",
     false, false},
    {"unbiased-inside", "÷(N−1), ε inside", "√(Σ(z−μ)²/(N−1) + ε)", "an unbiased variance", true,
     false},
    {"biased-outside", "÷N, ε outside", "√(Σ(z−μ)²/N) + ε", "some hand-written layers", false,
     true},
    {"unbiased-outside", "÷(N−1), ε outside", "√(Σ(z−μ)²/(N−1)) + ε", "the Annotated Transformer",
     true, true},
}};

struct Normalization {
    double divisor = 0;
    std::vector<double> values; // (z − mean)/divisor
};

// One group of values by a convention. Unbiased needs two values: with one the divisor is NaN.
inline Normalization normalize_by(const Convention& c, std::span<const double> z, double eps) {
    const double n = static_cast<double>(z.size());
    double mean = 0;
    for (const double v : z) mean += v;
    mean /= n;
    double squares = 0;
    for (const double v : z) squares += (v - mean) * (v - mean);
    const double count = c.unbiased ? n - 1 : n;
    const double variance = count > 0 ? squares / count : std::numeric_limits<double>::quiet_NaN();
    Normalization out;
    out.divisor = c.eps_outside ? std::sqrt(variance) + eps : std::sqrt(variance + eps);
    out.values.reserve(z.size());
    for (const double v : z) out.values.push_back((v - mean) / out.divisor);
    return out;
}

} // namespace normscope
