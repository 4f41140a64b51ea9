#pragma once
#include "core/base/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

// The harm of small batches to batch norm: an experiment on noise, and the theory.
namespace normscope {

// Batches of B values z ~ N(0, 1), one batch a feature, normalized with their own μ_B and σ²_B.
// Every number is a mean over features, with ε = 0.
struct SmallBatch {
    double batch = 0;       // B
    double mean_spread = 0; // √E μ_B², the standard deviation of μ_B around the true mean 0
    double variance = 0;    // E σ²_B (biased, ÷B); the true one is 1
    double train_eval = 0; // √E (x̂_train − x̂_eval)², x̂_eval = z: the true statistics 0 and 1
    double gradient_energy = 0; // E‖s·dz‖² / E‖dy‖², dy independent ±1, s = √σ²_B
};

// The experiment: D = `features` features for each size of batch. Batches are the first B of the
// same numbers, so the result follows from the seed alone. Sizes of 2 and more, features ≥ 1.
std::vector<SmallBatch> small_batches(std::uint64_t seed, Index features,
                                      std::span<const Index> sizes);

// The expected numbers of the experiment, B ≥ 2 (any real number: the theory is drawn as lines).
//   mean_spread      1/√B
//   variance         (B − 1)/B
//   train_eval       √(2 − 2·E s): z = μ_B + s·x̂ with Σ x̂ = 0, mean x̂² = 1 and μ_B independent of
//                    s and x̂, so E(z − x̂)² = E μ_B² + E(s − 1)² = 1/B + (B−1)/B − 2·E s + 1.
//                    B·s² is χ² with B − 1 degrees of freedom: E s = √(2/B)·Γ(B/2)/Γ((B−1)/2)
//   gradient_energy  (B − 2)/B: s·dz is dy without its part along 1 and along x̂, 2 of B directions
SmallBatch small_batch_theory(double batch);

} // namespace normscope
