#include "app/model/backward_setup.h"

#include "app/model/printed_number.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope {

Matrix<double> seed_pattern(Index tokens, Index features) {
    Matrix<double> m(tokens, features);
    // Steps through the residues of a prime, so that neither rows nor columns repeat early.
    for (Index t = 0; t < tokens; ++t)
        for (Index d = 0; d < features; ++d) {
            const Index residue = (7 * t + 5 * d + t * d + 3) % 19;
            m(t, d) = static_cast<double>(residue - 9) / 10;
        }
    return m;
}

Result<void> check(const BackwardSetup& s, Index tokens, Index features) {
    for (const auto& [matrix, name] :
         {std::pair(&s.dy, "dY"), std::pair(&s.target, "The target")}) {
        const Matrix<double>& m = **matrix;
        if (m.size() > 0 && (m.rows() != tokens || m.cols() != features))
            return fail(fmt::format("{} is {}×{} but X is {}×{}: they need equal shapes", name,
                                    m.rows(), m.cols(), tokens, features));
    }
    if (s.entry_token < 0 || s.entry_token >= tokens || s.entry_feature < 0 ||
        s.entry_feature >= features)
        return fail(fmt::format("The loss is entry [{}, {}] of Y, but Y is {}×{}", s.entry_token,
                                s.entry_feature, tokens, features));
    if (!std::isfinite(s.target_mean)) return fail("The target's mean must be a finite number");
    if (!(s.target_std >= 0) || !std::isfinite(s.target_std))
        return fail("The target's spread must be a finite number from 0 up");
    if (s.lr && !(*s.lr >= k_least_learning_rate && *s.lr <= k_most_learning_rate))
        return fail(fmt::format("The learning rate must lie between {} and {}",
                                short_text(k_least_learning_rate),
                                short_text(k_most_learning_rate)));
    if (!(s.scale >= k_least_scale && s.scale <= k_most_scale))
        return fail(fmt::format("The scale must lie between {} and {}", short_text(k_least_scale),
                                short_text(k_most_scale)));
    const std::size_t starts = s.start_gamma->size();
    const bool of_an_affine = starts == 0 || starts == 1 ||
                              starts == static_cast<std::size_t>(tokens) ||
                              starts == static_cast<std::size_t>(features);
    if (!of_an_affine || s.start_beta->size() != starts)
        return fail(fmt::format("Learning began with {} γ and {} β: expected as many of both, one "
                                "a feature, one a token or one",
                                starts, s.start_beta->size()));
    if (s.losses->size() > k_most_losses)
        return fail(fmt::format("{} losses; at most {} are kept", s.losses->size(), k_most_losses));
    if (!s.landed->empty() && s.landed->size() != s.losses->size())
        return fail(
            fmt::format("{} losses before a step and {} after one: expected as many of both",
                        s.losses->size(), s.landed->size()));
    return {};
}

} // namespace normscope
