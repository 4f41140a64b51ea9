#pragma once
#include "app/model/document.h"
#include "core/check/sampled_check.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// How a statement of a published description of Add & Norm fares.
enum class Verdict : std::uint8_t { right, right_if, wrong, unsafe, differs };

// A statement read as it stands, against what holds, with the numbers of one token.
struct PublishedTerm {
    std::string what; // "dγ"
    Verdict verdict;
    std::string published, corrected; // formulas
    std::vector<double> published_values, corrected_values;
    std::string why;
};

// A published description of the layer: one-pass variance mean(w²) − μ², no ε, γ and β per token,
// dγ = Σ dy·w, off-diagonal Jacobian −(1 + (zᵢ−μ)(zⱼ−μ))/σ², J = N·I − 1 − w⊗w with 1 the matrix of
// ones, dz = γ/(Nσ)·(dy × J), returned for F(X) and added to the gradient of X, γ −= lr·dγ with lr
// the reader's. Each statement is computed on its own, w being x̂ unless it says otherwise. Of
// several γ of a token the mean is taken. The last term corrects all at once: its dz is layer
// norm's.
struct PublishedReading {
    double gamma = 1, beta = 0; // the one γ and β of the token
    bool uniform_gamma = true;  // the token has one γ indeed
    double sigma = 0;           // biased, without ε
    std::vector<PublishedTerm> terms;
    SampledCheck check; // the last term's corrected dz against differences; entries are features
};

// `dy`: T×D. `lr` is that of the step. Token within the document.
PublishedReading read_published(const Document& document, const Matrix<double>& dy, Index token,
                                double lr);

std::string_view verdict_text(Verdict verdict); // "right", "right if", …

// A reading of "divide by the standard deviation".
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
