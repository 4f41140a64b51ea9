#pragma once
#include "core/base/progress.h"
#include "core/block/residual_block.h"
#include "core/flow/stack_config.h"
#include "core/nn/loss.h"

#include <optional>
#include <vector>

namespace normscope {

// Whether a block has the same weights by both configs; the blocks of a deeper stack begin with
// those of a shallower one. Tokens, γ, β, scales, norm, placement (DeepNorm apart), skip and loss
// do not matter.
bool same_weights(const StackConfig& a, const StackConfig& b);

// x_{l+1} = block_l(x_l), l = 0 … L−1, on x_0 of N(0, 1); then the final norm of pre and peri, then
// the loss. The units are sublayers with their Add & Norm; an encoder block has two. Every number
// follows from the config: a block's weights depend on seed and block only, so that a deeper stack
// starts with the blocks of the shallower one.
template<class S>
struct ResidualStack {
    StackConfig config;
    int threads = 1;
    Matrix<S> input; // x_0, T×D
    std::vector<ResidualBlock<S>> units;
    Matrix<S> readout;          // R, T×D, or empty
    Matrix<S> head;             // V×D, or empty
    std::vector<Index> targets; // T, or empty

    // Weights that would come out the same are copied from `previous` instead of drawn anew (γ, β,
    // scales, norm, skip, loss and number of blocks may differ). Errors: of check_config; a stop.
    static Result<ResidualStack> make(const StackConfig& config, int threads = 1,
                                      const ResidualStack* previous = nullptr,
                                      const Progress& progress = {});

    int units_per_block() const { return sublayers_per_block(config.sublayer); }
    bool has_final_norm() const { return is_inside(config.placement); }
};

// Values that one forward pass keeps for the backward passes. Memory: linear in L.
template<class S>
struct StackRun {
    std::vector<BlockCache<S>> units; // units[i].x is the input of unit i
    Matrix<S> x_last;                 // x_L, before the final norm
    std::optional<NormCache<S>> final_norm;
    double loss = 0;
    Matrix<S> dy;      // ∂L/∂y, y behind the final norm
    Matrix<S> dx_last; // ∂L/∂x_L
};

// Errors: what the norm refuses (batch norm: one token); a stop.
template<class S>
Result<StackRun<S>> run_forward(const ResidualStack<S>& stack, const Progress& progress = {});

// The output of block l (1 … L), or x_0 for l = 0.
template<class S>
const Matrix<S>& activation_after(const ResidualStack<S>& stack, const StackRun<S>& run, int l) {
    const auto unit = static_cast<std::size_t>(l * stack.units_per_block());
    return unit < run.units.size() ? run.units[unit].x : run.x_last;
}

// ∂L/∂(input) of block `first` from g = ∂L/∂(output) of block `last` − 1: blocks are 0 … L−1.
template<class S>
Result<Matrix<S>> through_blocks(const ResidualStack<S>& stack, const StackRun<S>& run, int first,
                                 int last, Matrix<S> g) {
    const auto unit = [&](int block) {
        return static_cast<std::size_t>(block * stack.units_per_block());
    };
    for (std::size_t n = unit(last); n-- > unit(first);) {
        const auto back = TRY(block_backward(stack.units[n], run.units[n], g, Want::input_only));
        g = back.dx();
    }
    return g;
}

} // namespace normscope
