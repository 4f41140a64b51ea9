#pragma once
#include "core/norm/normalize.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The formulas of the norms, and the lines of code that compute their terms.
namespace normscope {

// A norm's divisor with the statistic `q` as it is written there: "√(σ² + ε)", "max|z| + ε".
std::string divisor_formula(const Spread& spread, std::string_view q);

// The divisor behind a "/" or "÷": "(max|z| + ε)".
std::string denominator(const Spread& spread, std::string_view q);

// "(z − μ) / √(σ² + ε)".
std::string x_hat_formula(const Spread& spread, std::string_view q);

// Python code with the `library` "np" or "torch": the statistic q of `values` along `axis`, and the
// divisor, "np.sqrt(var + eps)".
std::string python_statistic(const Spread& spread, std::string_view values, std::string_view axis,
                             std::string_view library);
std::string python_divisor(const Spread& spread, std::string_view library);

// A formula of z as one of Z; without the spaces around + where it has to be short.
std::string of_matrix(std::string formula);
std::string unspaced(std::string formula);

// A term of the worked steps' formulas.
enum class FormulaTerm : std::uint8_t { mean, variance, epsilon, x_hat, gamma, beta };

// The next term in `formula` from `at` on, and its place: "σ²" in "√(σ² + ε)". A mean square is RMS
// norm's variance.
struct FoundTerm {
    FormulaTerm term;
    std::size_t at, length; // bytes
};
std::optional<FoundTerm> find_term(std::string_view formula, std::size_t at);

// A term's code in PyTorch, with Z, eps, gamma and beta given, and the line of core that computes
// the term, with its file.
struct TermCode {
    std::string pytorch;
    std::string cpp;
    std::string file;
};
TermCode code_of(FormulaTerm term, const Norm& norm);

} // namespace normscope
