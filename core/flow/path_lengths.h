#pragma once
#include "core/base/matrix.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstddef>
#include <vector>

namespace normscope {

template<class S>
struct ResidualStack;
template<class S>
struct StackRun;

// ∂L/∂x_0 split exactly by the number k of sublayers that a path crosses (Veit, Wilber, Belongie
// 2016, made exact for one input): g = Σ_k g_k, k = 0 … K, K sublayers in the stack. A path takes
// at every Add either the skip or the branch; norms outside the branch are crossed by all paths.
struct PathLengths {
    std::vector<double> norm;         // ‖g_k‖
    std::vector<double> energy_share; // ‖g_k‖² / Σ_j ‖g_j‖²
    std::vector<double> signed_share; // ⟨g_k, g⟩ / ‖g‖², sums to 1; 0 where g is 0
    double total_norm = 0;            // ‖g‖
    double remainder = 0; // ‖Σ_k g_k − g‖/‖g‖, g by the ordinary backward pass

    // Mean number of sublayers crossed, weighted by energy.
    double mean_length() const;
};

// A split in progress: the g_k below the uppermost `crossed` sublayers.
template<class S>
struct PathSplit {
    std::vector<Matrix<S>> parts; // index k, T×D; empty before the first sublayer
    std::size_t crossed = 0;
};

// From the top down, k descending: g_k ← skipᵀ g_k + branchᵀ g_{k−1}. K·(K+1)/2 backward passes
// through single sublayers, on `threads` threads beside those that the stack's own products use;
// the numbers are the same however many threads. Continues a split of the same run, and leaves the
// split in `split` at a stop: a stopped and continued split gives the same numbers. Errors: a stop.
template<class S>
Result<PathLengths> path_lengths_from(PathSplit<S>& split, const ResidualStack<S>& stack,
                                      const StackRun<S>& run, const Progress& progress = {},
                                      int threads = 1);
template<class S>
Result<PathLengths> path_lengths(const ResidualStack<S>& stack, const StackRun<S>& run,
                                 const Progress& progress = {}, int threads = 1) {
    PathSplit<S> split;
    return path_lengths_from(split, stack, run, progress, threads);
}

// How many paths cross k of K sublayers: the binomial coefficient, as a double.
double path_count(int sublayers, int k);

} // namespace normscope
