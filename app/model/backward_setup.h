#pragma once
#include "app/model/choices.h"
#include "app/model/field.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// The settings of a document's backward pass: its loss, and what is tried on it.
namespace normscope {

// The source of dY = ∂L/∂Y.
enum class LossKind : std::uint8_t {
    given,         // dY is what was typed
    sum,           // L = Σ Y
    one_entry,     // L = one value of Y
    distance,      // L = mean (Y − target)²
    cross_entropy, // Y goes through a seeded linear head; every token has a seeded class
};
template<>
inline constexpr std::array<Choice<LossKind>, 5> k_choices<LossKind>{{
    {LossKind::given, "given", "Typed"},
    {LossKind::sum, "sum", "Σ Y"},
    {LossKind::one_entry, "one-entry", "One entry"},
    {LossKind::distance, "distance", "Distance"},
    {LossKind::cross_entropy, "cross-entropy", "Cross-entropy"},
}};

// The target that the distance is measured to.
enum class TargetKind : std::uint8_t {
    z,      // Z itself: learning undoes the norm
    normal, // a bell curve: every x̂ goes to the quantile of its rank
    uniform,
    matrix, // what was typed
};
template<>
inline constexpr std::array<Choice<TargetKind>, 4> k_choices<TargetKind>{{
    {TargetKind::z, "z", "Z"},
    {TargetKind::normal, "normal", "normal"},
    {TargetKind::uniform, "uniform", "uniform"},
    {TargetKind::matrix, "matrix", "matrix"},
}};

// The term of dz = (γ⊙dy − mean − projection)/s that is left out on purpose.
enum class BrokenTerm : std::uint8_t { none, mean, projection, gamma };
template<>
inline constexpr std::array<Choice<BrokenTerm>, 4> k_choices<BrokenTerm>{{
    {BrokenTerm::none, "none", "nothing"},
    {BrokenTerm::mean, "mean", "mean"},
    {BrokenTerm::projection, "projection", "projection"},
    {BrokenTerm::gamma, "gamma", "γ"},
}};

enum class JacobianOf : std::uint8_t { x_hat, y };
template<>
inline constexpr std::array<Choice<JacobianOf>, 2> k_choices<JacobianOf>{{
    {JacobianOf::x_hat, "x-hat", "x\u0302"},
    {JacobianOf::y, "y", "y"},
}};

inline constexpr double k_least_learning_rate = 1e-9;
inline constexpr double k_most_learning_rate = 1e4;
inline constexpr double k_least_scale = 1e-5;
inline constexpr double k_most_scale = 1e5;
inline constexpr std::size_t k_most_losses = 20000;

struct BackwardSetup {
    // T×D, or 0×0 until someone types: seed_pattern() stands for it then, so that a document that
    // nobody looks at from behind costs nothing.
    Shared<Matrix<double>> dy;
    Shared<Matrix<double>> target;

    // The statistics of batch norm: the batch's own, which Z moves, or the running ones that
    // BatchSetup leads to, which are constants.
    Mode mode = Mode::train;
    LossKind loss = LossKind::given;
    Index entry_token = 0; // of one_entry
    Index entry_feature = 0;
    TargetKind target_kind = TargetKind::z;
    double target_mean = 0; // of normal and uniform
    double target_std = 1;
    std::uint64_t head_seed = 1;

    std::optional<double> lr;           // none: usual_learning_rate() of learning.h
    Shared<std::vector<double>> losses; // before each step of learning so far
    // The losses after each of these steps. A loss after a step is that before the next, unless γ,
    // β or what they learn from were changed between the two. Empty where nobody kept them.
    Shared<std::vector<double>> landed;
    // γ and β where these steps began, and how far their faders reached; empty where no step was
    // made or nobody kept them.
    Shared<std::vector<double>> start_gamma, start_beta;
    std::optional<FaderRange> start_gamma_range, start_beta_range;
    // From the lowest to the highest dγ and dβ of these steps, and 0; none where all were 0.
    std::optional<FaderRange> dgamma_reach, dbeta_reach;
    BrokenTerm broken = BrokenTerm::none;
    JacobianOf jacobian = JacobianOf::x_hat;
    double scale = 1; // Z is multiplied by it in the see-saw

    // Another target is learned from now on. Until its first step, or until γ or β are set by hand,
    // Restart leads to where the run before it began.
    void begin_another_run() {
        losses = landed = std::vector<double>();
        dgamma_reach = dbeta_reach = std::nullopt;
    }

    // The learning from now on has nothing to do with the run so far.
    void forget_run() {
        begin_another_run();
        start_gamma = start_beta = std::vector<double>();
        start_gamma_range = start_beta_range = std::nullopt;
    }

    bool operator==(const BackwardSetup&) const = default;
};

// Without dy and target, which are edited like X.
template<>
std::span<const Field<BackwardSetup>> fields();

// T×D values between −1 and 1 in steps of 0.1 without a visible order, for a dY or a target that
// has not been typed yet.
Matrix<double> seed_pattern(Index tokens, Index features);

// dy and target are 0×0 or T×D, the entry lies within, numbers are in their ranges.
Result<void> check(const BackwardSetup& setup, Index tokens, Index features);

} // namespace normscope
