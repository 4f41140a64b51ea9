#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Normalization y = γ ⊙ x̂ + β with x̂ = (z − μ) / s, and what differs between its kinds: which
// values share one μ and s, and what s is (spread.h).
//
//   layer  a token's D features            Ba, Kiros, Hinton 2016, eq. 3-4
//   batch  a feature's T tokens            Ioffe, Szegedy 2015, algorithm 1 and 2
//   rms    a token's D features, μ = 0     Zhang, Sennrich 2019, eq. 4: x̂ = z / √(mean(z²) + ε)
//   group  a group of a token's features   Wu, He 2018, eq. 1-4
//   none   nothing: x̂ = z
namespace normscope {

enum class NormKind : std::uint8_t { layer, batch, rms, group, none };
inline constexpr NormKind k_usual_norm = NormKind::layer; // of a Transformer, and of a new document
inline constexpr NormKind k_without_norm = NormKind::none;

// A norm, with the settings that it alone has.
struct Norm {
    NormKind kind;
    Index groups; // G of a token's features, of norms that share by group

    constexpr Norm(NormKind k = k_usual_norm, Index g = 2) : kind(k), groups(g) {}
    constexpr operator NormKind() const { return kind; }
    bool operator==(const Norm&) const = default;
    bool operator==(NormKind k) const { return kind == k; }
};

// Values of x̂ that share one γ and β: PyTorch's layers have one pair a feature.
enum class AffinePer : std::uint8_t { feature, token, scalar };
template<>
inline constexpr std::array<Choice<AffinePer>, 3> k_choices<AffinePer>{{
    {AffinePer::feature, "feature", "per feature"},
    {AffinePer::token, "token", "per token"},
    {AffinePer::scalar, "scalar", "one for all"},
}};

// The place of a cell's γ and β among them.
constexpr Index param_index(AffinePer per, Index token, Index feature) {
    return per == AffinePer::feature ? feature : per == AffinePer::token ? token : 0;
}

enum class Mode : std::uint8_t { train, eval };
template<>
inline constexpr std::array<Choice<Mode>, 2> k_choices<Mode>{{
    {Mode::train, "train", "this batch's"},
    {Mode::eval, "eval", "running"},
}};

// γ and β, each of D (feature), T (token) or 1 (scalar) values.
template<class S>
struct Affine {
    AffinePer per = AffinePer::feature;
    Vector<S> gamma;
    Vector<S> beta;
};

// Batch norm's statistics kept between batches (D values each). `var` is unbiased (÷(T−1)), as in
// PyTorch. `updates` counts the batches seen, for cumulative averaging.
template<class S>
struct RunningStats {
    Vector<S> mean;
    Vector<S> var;
    std::int64_t updates = 0;
};

struct NormOptions {
    double eps = 1e-5;                    // ε, added to the statistic that s is made of
    Mode mode = Mode::train;              // of norms with running statistics
    std::optional<double> momentum = 0.1; // of running statistics; nullopt: cumulative average
    int threads = 1;
};

// Values that forward computes and backward needs: a mean and rstd for each of the norm's
// StatisticSets (mean 0 where none is taken off); empty vectors where the norm has no statistics.
template<class S>
struct NormCache {
    Norm norm;
    Mode mode = Mode::train;
    Vector<S> mean;  // μ
    Vector<S> rstd;  // 1/s
    Matrix<S> x_hat; // T×D
    double eps = 1e-5;
};

// Terms of the backward pass, all of them on. Switching one off gives a wrong gradient on purpose:
// a teaching screen shows what each term is there for, and that the check notices.
struct BackwardTerms {
    bool mean = true;       // − mean(a)
    bool projection = true; // − d·mean(a⊙x̂), d of Spread
    bool gamma = true;      // a = γ⊙dy; off: a = dy
    bool operator==(const BackwardTerms&) const = default;
};

struct BackwardOptions {
    BackwardTerms terms;
    int threads = 1;
};

// Gradients of a loss for y = γ ⊙ x̂ + β: dz is T×D, dgamma and dbeta have as many values as γ.
template<class S>
struct NormGradients {
    Matrix<S> dz;
    Vector<S> dgamma;
    Vector<S> dbeta;
};

template<class S>
struct Normalized {
    NormCache<S> cache;
    std::optional<RunningStats<S>> running; // after this batch, of norms that have them
};

} // namespace normscope
