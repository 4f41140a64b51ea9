#include "app/words/term_code.h"

#include <array>
#include <fmt/format.h>

namespace normscope {

namespace {

struct Sign {
    std::string_view text;
    FormulaTerm term;
};
constexpr std::array<Sign, 7> k_signs = {{{"μ", FormulaTerm::mean},
                                          {"σ²", FormulaTerm::variance},
                                          {"mean(z²)", FormulaTerm::variance},
                                          {"ε", FormulaTerm::epsilon},
                                          {"x\u0302", FormulaTerm::x_hat},
                                          {"γ", FormulaTerm::gamma},
                                          {"β", FormulaTerm::beta}}};

// The norm's definition stands under its id.
std::string file_of(const NormEntry& norm) {
    return fmt::format("core/norm/{}{}.cpp", norm.id, norm.normalizes() ? "_norm" : "");
}

// Of the index by which a norm's statistics are told apart.
std::string_view rstd_line(const NormEntry& norm) {
    switch (norm.shares) {
    case Shares::feature:
        return "cache.rstd(d) = 1 / std::sqrt(variance + options.eps);";
    case Shares::group:
        return "cache.rstd(set) = 1 / std::sqrt(variance + options.eps);";
    default:
        return norm.centres ? "cache.rstd(t) = 1 / std::sqrt(variance + options.eps);"
                            : "cache.rstd(t) = 1 / std::sqrt(mean_square + options.eps);";
    }
}

std::string_view x_hat_line(const NormEntry& norm) {
    return norm.shares == Shares::feature ? "x *= cache.rstd(d);"
           : norm.shares == Shares::group ? "x *= cache.rstd(set);"
                                          : "x *= cache.rstd(t);";
}

} // namespace

std::optional<FoundTerm> find_term(std::string_view formula, std::size_t at) {
    std::optional<FoundTerm> first;
    for (const Sign& sign : k_signs)
        if (const std::size_t found = formula.find(sign.text, at);
            found != formula.npos && (!first || found < first->at))
            first = FoundTerm{sign.term, found, sign.text.size()};
    return first;
}

TermCode code_of(FormulaTerm term, const Norm& of) {
    const NormEntry& norm = norm_entry(of);
    if (term == FormulaTerm::gamma || term == FormulaTerm::beta)
        return {"Y = gamma * x_hat + beta",
                "V<T> y(V<T> x) const { return hn::MulAdd(hn::Sub(x, shift), scale, offset); }",
                "core/kernels/column_map.cpp"};
    const std::string file = file_of(norm);
    if (!norm.normalizes()) return {"x_hat = Z", "out.cache.x_hat = z;", file};
    const bool in_groups = norm.shares == Shares::group;
    const std::string z = in_groups ? fmt::format("Z.reshape(Z.shape[0], {}, -1)", of.groups) : "Z";
    const std::string centred = norm.centres ? fmt::format("({} - mu)", z) : z;
    const std::string mean =
        fmt::format("mean(dim={}, keepdim=True)", norm.shares == Shares::feature ? 0 : -1);
    if (term == FormulaTerm::mean)
        return {fmt::format("mu = {}.{}", z, mean), "const double mean = x.mean();", file};
    if (term == FormulaTerm::variance)
        return {fmt::format("var = ({} ** 2).{}", centred, mean),
                norm.centres ? "const double variance = x.square().mean();"
                             : "const double mean_square = x.square().mean();",
                file};
    const std::string divided = fmt::format("{} / torch.sqrt(var + eps)", centred);
    return {in_groups ? fmt::format("x_hat = ({}).reshape(Z.shape)", divided)
                      : "x_hat = " + divided,
            term == FormulaTerm::epsilon ? rstd_line(norm) : x_hat_line(norm), file};
}

} // namespace normscope
