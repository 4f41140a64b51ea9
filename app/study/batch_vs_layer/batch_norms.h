#pragma once
#include "app/model/document.h"
#include "app/study/backward/reasons.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace normscope {

// The norms that are compared, in the order of their cards.
inline constexpr std::size_t k_compared_count =
    std::ranges::count_if(k_norms, &NormEntry::normalizes);
inline constexpr auto k_compared_norms = [] {
    std::array<NormEntry, k_compared_count> out{};
    std::ranges::copy_if(k_norms, out.begin(), &NormEntry::normalizes);
    return out;
}();

// x̂ of Z by one norm: no γ, no β. In double.
struct NormOfZ {
    NormCache<double> cache; // x̂ is NaN where the norm refuses Z
    // The statistics as shown: 0 where only rounding is left of a sum of 0.
    Vector<double> mean;      // μ of every set
    Vector<double> statistic; // of every set: σ², or what else the norm's spread is made of
    std::optional<Error> error;
    // The batch of a norm whose tokens share statistics: its statistics are those of the first
    // `batch` tokens, and later tokens are only normalized by them.
    Index batch = 0;

    const Spread& spread() const { return spread_of(cache); }
    Vector<double> scale() const { // σ of every set, or what else the norm divides by but for ε
        return statistic.unaryExpr([this](double q) { return spread().root(q); });
    }
    StatisticSets sets() const {
        StatisticSets sets = statistic_sets(cache);
        if (sets.by_feature()) sets.tokens = batch;
        return sets;
    }
};

// The document's Z by every compared norm, with the document's ε, in as many groups as the document
// has or the next fewer that divide the features. Batch norm's batch is the first B tokens.
struct NormsOfZ {
    Matrix<double> z;
    Index batch = 0; // B
    NormOptions options;
    std::array<NormOfZ, k_compared_count> norms;
    std::optional<NotANumber> not_a_number; // why Z is not finite
};

NormsOfZ norms_of_z(const Document& document);

// The result of a norm that is looked at: x̂, or Y = γ⊙x̂ + β with the document's γ and β.
enum class NormResult : std::uint8_t { x_hat, y };

// The influence of tokens on one another under each norm: n×n of the first n tokens (see
// influence_matrix()), n as large as can be computed within a frame. Statistics that tokens share
// are those of the document's batch, its first B tokens; only tokens of the batch are looked at.
struct Influences {
    Index batch = 0;                                 // B
    Index tokens = 0;                                // n ≤ B
    std::array<Matrix<double>, k_compared_count> of; // empty where the norm refuses the batch
    std::array<std::optional<Error>, k_compared_count> error;
};

Influences influences(const Document& document, const NormsOfZ& norms, NormResult result);

// How far values moved under one norm.
struct Moved {
    Matrix<double> change; // after − before, of every cell; empty where the norm refuses Z
    Index count = 0;       // values that changed
    double largest = 0;    // the largest finite |change|
    CellBlock bounds;      // the smallest block around all changes; no rows where there are none
};
using Touch = std::array<Moved, k_compared_count>;

// Moves in x̂: since an earlier document of this shape, or where one value of Z is raised.
Touch touch_since(const Document& earlier, const NormsOfZ& norms);
Touch touch_of(const NormsOfZ& norms, Index token, Index feature, double by);

// The moves in Y = γ⊙x̂ + β, given those in x̂.
Touch scaled(const Touch& touch, const Affine<double>& affine);

} // namespace normscope
