#include "app/study/backward/conventions.h"

#include <array>
#include <cmath>
#include <limits>

namespace normscope {

namespace {
constexpr std::array<Convention, 4> k_conventions = {{
    {"biased-inside", "÷N, ε inside", "√(Σ(z−μ)²/N + ε)", "PyTorch, the papers, this program",
     false, false},
    {"unbiased-inside", "÷(N−1), ε inside", "√(Σ(z−μ)²/(N−1) + ε)", "an unbiased variance", true,
     false},
    {"biased-outside", "÷N, ε outside", "√(Σ(z−μ)²/N) + ε", "some hand-written layers", false,
     true},
    {"unbiased-outside", "÷(N−1), ε outside", "√(Σ(z−μ)²/(N−1)) + ε", "the Annotated Transformer",
     true, true},
}};
} // namespace

std::span<const Convention> conventions() {
    return k_conventions;
}

Normalization normalize_by(const Convention& c, std::span<const double> z, double eps) {
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
