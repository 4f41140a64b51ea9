#include "app/words/norm_formula.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

std::string divisor_formula(const Spread& spread, std::string_view q) {
    return spread.squares ? fmt::format("√({} + ε)", q) : fmt::format("{} + ε", q);
}

std::string denominator(const Spread& spread, std::string_view q) {
    const std::string s = divisor_formula(spread, q);
    return spread.squares ? s : "(" + s + ")";
}

std::string x_hat_formula(const Spread& spread, std::string_view q) {
    return fmt::format("{} / {}", spread.centres ? "(z − μ)" : "z", denominator(spread, q));
}

std::string python_statistic(const Spread& spread, std::string_view values, std::string_view axis,
                             std::string_view library) {
    return fmt::format(fmt::runtime(spread.python), values, axis, library);
}

std::string python_divisor(const Spread& spread, std::string_view library) {
    return fmt::format("{}({} + eps)", spread.squares ? fmt::format("{}.sqrt", library) : "",
                       spread.python_variable);
}

std::string of_matrix(std::string formula) {
    std::ranges::replace(formula, 'z', 'Z');
    return formula;
}

std::string unspaced(std::string formula) {
    for (std::size_t at; (at = formula.find(" + ")) != std::string::npos;)
        formula.replace(at, 3, "+");
    return formula;
}

} // namespace normscope
