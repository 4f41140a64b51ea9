#pragma once
#include <array>
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
Normalization normalize_by(const Convention& convention, std::span<const double> z, double eps);

} // namespace normscope
