#include "core/norm/normalize.h"

#include "core/norm/affine.h"

#include <algorithm>
#include <string>

namespace normscope {

namespace {

NormOptions in_groups_of(const Norm& norm, NormOptions options) {
    if (norm_entry(norm).shares == Shares::group) options.groups = norm.groups;
    return options;
}

} // namespace

const NormEntry& norm_entry(NormKind kind) {
    const auto found = std::ranges::find(k_norms, kind, &NormEntry::kind);
    return found == k_norms.end() ? k_norms.front() : *found;
}

StatisticSets statistic_sets(const Norm& norm, Index tokens, Index features) {
    const Shares shares = norm_entry(norm).shares;
    const bool in_groups = shares == Shares::group && check_groups(norm.groups, features);
    return {shares, tokens, features, in_groups ? norm.groups : 1};
}

Result<void> check_groups(const Norm& norm, Index features) {
    if (norm_entry(norm).shares != Shares::group) return {};
    return check_groups(norm.groups, features);
}

BackwardTerms terms_of(NormKind kind, Mode mode) {
    const NormEntry& norm = norm_entry(kind);
    const bool constants = norm.has_running && mode == Mode::eval;
    return {norm.centres && !constants, norm.divides && !constants, true};
}

Result<NormKind> norm_from_id(std::string_view id) {
    std::string known;
    for (const NormEntry& entry : k_norms) {
        if (entry.id == id) return entry.kind;
        known += (known.empty() ? "" : ", ") + std::string(entry.id);
    }
    return fail("there is no norm called \"{}\"; the norms are {}", id, known);
}

template<class S>
Result<void> normalize_into(const Norm& norm, const Matrix<S>& z, const NormOptions& options,
                            const RunningStats<S>* running, Normalized<S>& out) {
    return fast_norm<S>(norm).forward(z, in_groups_of(norm, options), running, out);
}

template<class S>
Result<void> normalize_backward_into(const NormCache<S>& cache, const Affine<S>& affine,
                                     const Matrix<S>& dy, const BackwardOptions& options,
                                     NormGradients<S>& out) {
    TRY(fast_norm<S>(cache.norm).backward(cache, affine, dy, options, out));
    if constexpr (std::is_same_v<S, double>) // norms that share by token have told of each row
        if (options.rows_done && norm_entry(cache.norm).shares != Shares::token)
            options.rows_done(0, dy.rows(), out.dz.data());
    return {};
}

template decltype(normalize_into<float>) normalize_into<float>;
template decltype(normalize_into<double>) normalize_into<double>;
template decltype(normalize_backward_into<float>) normalize_backward_into<float>;
template decltype(normalize_backward_into<double>) normalize_backward_into<double>;

Result<Normalized<double>> none_forward(const Matrix<double>& z, const NormOptions& options,
                                        const RunningStats<double>* /*running*/) {
    TRY(check_norm_input(z, options.eps));
    Normalized<double> out{{NormKind::none, options.mode, {}, {}, {}, options.eps}, {}};
    out.cache.x_hat = z;
    return out;
}

Matrix<double> none_backward(const NormCache<double>& /*cache*/, const Matrix<double>& a,
                             const BackwardTerms& /*terms*/) {
    return a;
}

Result<Normalized<double>> normalize_by_definition(const Norm& norm, const Matrix<double>& z,
                                                   const NormOptions& options,
                                                   const RunningStats<double>* running) {
    return norm_entry(norm).forward_by_definition(z, in_groups_of(norm, options), running);
}

Result<NormGradients<double>> normalize_backward_by_definition(const NormCache<double>& cache,
                                                               const Affine<double>& affine,
                                                               const Matrix<double>& dy,
                                                               const BackwardTerms& terms) {
    auto grads = TRY(affine_backward(cache.x_hat, affine, dy, {terms}));
    grads.dz = norm_entry(cache.norm).backward_by_definition(cache, grads.dz, terms);
    return grads;
}

} // namespace normscope
