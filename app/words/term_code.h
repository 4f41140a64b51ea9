#pragma once
#include "core/norm/normalize.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A term of the worked steps' formulas, and the lines of code that compute it.
namespace normscope {

enum class FormulaTerm : std::uint8_t { mean, variance, epsilon, x_hat, gamma, beta };

// The next one in `formula` from `at` on, and where: "σ²" in "√(σ² + ε)". A mean square is RMS
// norm's variance.
struct FoundTerm {
    FormulaTerm term;
    std::size_t at, length; // bytes
};
std::optional<FoundTerm> find_term(std::string_view formula, std::size_t at);

// In PyTorch, with Z, eps, gamma and beta given, and the line of core that does it, with its file.
struct TermCode {
    std::string pytorch;
    std::string cpp;
    std::string file;
};
TermCode code_of(FormulaTerm term, const Norm& norm);

} // namespace normscope
