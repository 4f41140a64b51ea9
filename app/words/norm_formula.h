#pragma once
#include "core/norm/spread.h"

#include <string>

namespace normscope {

// What a norm divides by, of the statistic `q` as it is written there: "√(σ² + ε)", "max|z| + ε".
std::string divisor_formula(const Spread& spread, std::string_view q);

// The same behind a "/" or "÷": "(max|z| + ε)".
std::string denominator(const Spread& spread, std::string_view q);

// "(z − μ) / √(σ² + ε)".
std::string x_hat_formula(const Spread& spread, std::string_view q);

// In Python, by "np" or "torch": q of `values` along `axis`, and what they are divided by,
// "np.sqrt(var + eps)".
std::string python_statistic(const Spread& spread, std::string_view values, std::string_view axis,
                             std::string_view library);
std::string python_divisor(const Spread& spread, std::string_view library);

// A formula of z as one of Z; without the spaces around + where it has to be short.
std::string of_matrix(std::string formula);
std::string unspaced(std::string formula);

} // namespace normscope
