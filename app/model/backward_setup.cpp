#include "app/model/backward_setup.h"

#include "app/language/language.h"
#include "app/model/document.h"

namespace normscope {

namespace {

void learn_anew(Document& d, const Document& /*before*/) {
    d.backward.forget_run();
}
void begin_another_run(Document& d, const Document& /*before*/) {
    d.backward.begin_another_run();
}

} // namespace

template<>
std::span<const Field<BackwardSetup>> fields() {
    using S = BackwardSetup;
    constexpr FieldHooks<S> k_other_gradient{.then = learn_anew};
    constexpr FieldHooks<S> k_other_target{.then = begin_another_run};
    static const Field<S> rows[] = {
        field<&S::mode>(
            "mode", "Backward by μ, σ²", {},
            {.help = "Whose μ and σ² batch norm takes: the batch's, or the running ones",
             .look = {.hints = {"Training: Z moves μ and σ², and dz goes through them",
                                "Evaluation: μ and σ² are the constants that 2 Batch vs Layer "
                                "arrives at"}}},
            k_other_gradient),
        field<&S::loss>(
            "loss", "Loss", {},
            {.help = "Where dY comes from",
             .look = {.hints = {"dY is what you type", "L = Σ Y: every dY is 1",
                                "L is one value of Y: click it below", "L = mean (Y − target)²",
                                "Y goes through a seeded linear head with five "
                                "classes; every token has a seeded class"}}},
            k_other_gradient),
        field<&S::entry_token>("entry_token", "The loss's token", {0},
                               {.help = "Token of the one entry that is the loss, counted from 0"},
                               k_other_target),
        field<&S::entry_feature>(
            "entry_feature", "The loss's feature", {0},
            {.help = "Feature of the one entry that is the loss, counted from 0"}, k_other_target),
        field<&S::target_kind>(
            "target", "Target", {},
            {.help = "What the distance is measured to",
             .look = {.hints = {"Undo the norm: Y should become Z again",
                                "Match a bell curve: each x\u0302 goes to the quantile of its rank",
                                "Match a uniform distribution", "A matrix you type"}}},
            k_other_target),
        field<&S::target_mean>("target_mean", "Target's mean", {},
                               {.help = "Mean of a normal or uniform target"}, k_other_target),
        field<&S::target_std>("target_std", "Target's spread", {0},
                              {.help = "Standard deviation of a normal or uniform target"},
                              k_other_target),
        field<&S::head_seed>("head_seed", "Seed of the linear head", k_any_seed, {},
                             k_other_target),
        field<&S::lr>("lr", "Learning rate", {k_least_learning_rate, k_most_learning_rate},
                      {.none = "the usual one"}),
        field<&S::losses>("losses", "Losses"),
        field<&S::landed>("landed", "Losses after a step"),
        field<&S::start_gamma>("start_gamma", "γ at the start"),
        field<&S::start_beta>("start_beta", "β at the start"),
        field<&S::start_gamma_range>("start_gamma_range", "Range of γ at the start"),
        field<&S::start_beta_range>("start_beta_range", "Range of β at the start"),
        field<&S::dgamma_reach>("dgamma_reach", "Reach of dγ"),
        field<&S::dbeta_reach>("dbeta_reach", "Reach of dβ"),
        field<&S::broken>("broken", "Left out", {}, {.help = "The term of dz that is left out"}),
        field<&S::jacobian>("jacobian", "Jacobian of", {}, {.help = "Whose Jacobian is drawn"}),
        field<&S::scale>("scale", "Scale of Z", {k_least_scale, k_most_scale},
                         {.help = "What Z is multiplied by in the see-saw",
                          .look = {.track = Track::two_digits,
                                   .lo = k_least_scale,
                                   .hi = k_most_scale,
                                   .before = "× ",
                                   .hint = "What if Z were so many times as large, and dY what it "
                                           "is?"}}),
    };
    constexpr std::size_t k_inputs = 2; // dy and target
    static_assert(std::size(rows) + k_inputs == member_count<S>());
    return rows;
}

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
    TRY(check_fields(s));
    for (const auto& [matrix, name] :
         {std::pair(&s.dy, "dY"), std::pair(&s.target, "The target")}) {
        const Matrix<double>& m = **matrix;
        if (m.size() > 0 && (m.rows() != tokens || m.cols() != features))
            return fail("{} is {}×{} but X is {}×{}: they need equal shapes", name, m.rows(),
                        m.cols(), tokens, features);
    }
    if (s.entry_token < 0 || s.entry_token >= tokens || s.entry_feature < 0 ||
        s.entry_feature >= features)
        return fail("The loss is entry [{}, {}] of Y, but Y is {}×{}", s.entry_token,
                    s.entry_feature, tokens, features);
    const std::size_t starts = s.start_gamma->size();
    const bool of_an_affine = starts == 0 || starts == 1 ||
                              starts == static_cast<std::size_t>(tokens) ||
                              starts == static_cast<std::size_t>(features);
    if (!of_an_affine || s.start_beta->size() != starts)
        return fail("Learning began with {} γ and {} β: expected as many of both, one "
                    "a feature, one a token or one",
                    starts, s.start_beta->size());
    if (s.losses->size() > k_most_losses)
        return fail("{} losses; at most {} are kept", s.losses->size(), k_most_losses);
    if (!s.landed->empty() && s.landed->size() != s.losses->size())
        return fail("{} losses before a step and {} after one: expected as many of both",
                    s.losses->size(), s.landed->size());
    return {};
}

} // namespace normscope
