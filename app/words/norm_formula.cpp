#include "app/words/norm_formula.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace normscope {

namespace {

constexpr std::pair<std::string_view, FormulaTerm> k_signs[] = {{"μ", FormulaTerm::mean},
                                                                {"ε", FormulaTerm::epsilon},
                                                                {"x\u0302", FormulaTerm::x_hat},
                                                                {"γ", FormulaTerm::gamma},
                                                                {"β", FormulaTerm::beta}};

} // namespace

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

std::optional<FoundTerm> find_term(std::string_view formula, std::size_t at) {
    std::optional<FoundTerm> first;
    const auto look_for = [&](std::string_view text, FormulaTerm term) {
        const std::size_t found = text.empty() ? formula.npos : formula.find(text, at);
        if (found != formula.npos && (!first || found < first->at))
            first = FoundTerm{term, found, text.size()};
    };
    for (const auto& [text, term] : k_signs) look_for(text, term);
    for (const NormEntry& norm : k_norms) look_for(norm.spread->symbol, FormulaTerm::variance);
    return first;
}

TermCode code_of(FormulaTerm term, const Norm& of) {
    const NormEntry& norm = norm_entry(of);
    if (term == FormulaTerm::gamma || term == FormulaTerm::beta)
        return {"Y = gamma * x_hat + beta",
                "v = product_plus<T>(v, load<T>(a.gamma + i, count), load<T>(a.beta + i, count));",
                "core/kernels/rows.cpp"};
    if (!norm.normalizes()) return {"x_hat = Z", "cache.x_hat = z;", "core/norm/normalize.cpp"};
    const char* const file = "core/norm/definition.cpp";
    const bool in_groups = norm.shares == Shares::group;
    const std::string z = in_groups ? fmt::format("Z.reshape(Z.shape[0], {}, -1)", of.groups) : "Z";
    const std::string centred = norm.centres ? fmt::format("({} - mu)", z) : z;
    const std::string axis =
        fmt::format("dim={}, keepdim=True", norm.shares == Shares::feature ? 0 : -1);
    if (term == FormulaTerm::mean)
        return {fmt::format("mu = {}.mean({})", z, axis), "const double mean = x.mean();", file};
    const Spread& spread = *norm.spread;
    if (term == FormulaTerm::variance)
        return {fmt::format("{} = {}", spread.python_variable,
                            python_statistic(spread, centred, axis, "torch")),
                "const double variance = x.square().mean();", file};
    const std::string divided = fmt::format("{} / {}", centred, python_divisor(spread, "torch"));
    return {
        in_groups ? fmt::format("x_hat = ({}).reshape(Z.shape)", divided) : "x_hat = " + divided,
        term == FormulaTerm::epsilon ? "cache.rstd(set) = 1 / std::sqrt(variance + options.eps);"
                                     : "x *= cache.rstd(set);",
        file};
}

} // namespace normscope
