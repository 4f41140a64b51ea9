#pragma once
#include "core/flow/path_lengths.h"
#include "core/flow/stack_config.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace normscope {

// The gradient at the input of an Add & Norm: what came down the skip, what came through the
// sublayer (norms of matrices whose sum is the gradient), and their cosine (0 where one is 0).
struct GradientSplit {
    double skip_norm = 0;
    double branch_norm = 0;
    double cosine = 0;
};

// One block. Norms are Frobenius norms. A gradient that the block has no parameters for is absent.
struct BlockFlow {
    double mean_square = 0; // of the output, over all T·D values
    double variance = 0;    // of the output, over all T·D values
    double grad_norm = 0;   // ‖∂L/∂(output)‖
    // Gradient at the block's input: through no sublayer of the block, and through any sublayer.
    GradientSplit split;
    std::vector<GradientSplit> sublayers; // at each sublayer's own input, in forward order
    std::optional<double> w1_grad_norm, w2_grad_norm; // the feed-forward layer's matrices
    std::optional<double> attention_grad_norm;        // W_q, W_k, W_v and W_out together
    std::optional<double> weight_grad_norm;           // the matrix of linear, tanh and relu
    double gamma_grad_norm = 0;                       // all norms of the block together
    double beta_grad_norm = 0;
    // ∂L/∂λ and ∂L/∂α of the config, of this block's skips and sublayers alone: summed over the
    // blocks, the gradients of the whole stack. ∂L/∂λ is 0 without a skip.
    double trunk_scale_grad = 0;
    double branch_scale_grad = 0;
};

struct GradientFlow {
    double loss = 0;
    double input_mean_square = 0; // of x_0
    double input_grad_norm = 0;   // ‖∂L/∂x_0‖
    std::vector<BlockFlow> blocks;

    // ∂L/∂λ and ∂L/∂α of the stack.
    double trunk_scale_grad() const { return sum_of(&BlockFlow::trunk_scale_grad); }
    double branch_scale_grad() const { return sum_of(&BlockFlow::branch_scale_grad); }

    double sum_of(double BlockFlow::*value) const {
        double sum = 0;
        for (const BlockFlow& block : blocks) sum += block.*value;
        return sum;
    }
};

// The backward pass of the whole stack, block by block from the top; parameter gradients are
// measured and dropped, so memory stays that of the forward pass. Errors: a stop.
template<class S>
Result<GradientFlow> gradient_flow(const ResidualStack<S>& stack, const StackRun<S>& run,
                                   const Progress& progress = {});

// How a block's Jacobian scales a gradient on average: ‖J‖_F/√(T·D), estimated from `probes` seeded
// N(0, I) vectors v as √mean(‖Jᵀv‖²/(T·D)) (Hutchinson 1990). 1 for the identity.
template<class S>
Result<double> block_gain(const ResidualStack<S>& stack, const StackRun<S>& run, int block,
                          int probes = 4, std::uint64_t seed = 0);

// Gradient flow of the stack of one seed, and its path lengths if asked for.
struct SeedFlow {
    std::uint64_t seed = 0;
    GradientFlow flow;
    std::optional<PathLengths> paths;
};

enum class Paths : std::uint8_t { leave_out, split };

// Gradient flow by `config` for the seeds config.seed, config.seed + 1, …, one after the other.
// Errors: those of check_config and run_forward; a stop.
template<class S>
Result<std::vector<SeedFlow>> flow_over_seeds(const StackConfig& config, int seeds,
                                              Paths paths = Paths::leave_out, int threads = 1,
                                              const Progress& progress = {});

} // namespace normscope
