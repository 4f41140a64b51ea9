#include "core/flow/gradient_flow.h"

#include "core/base/lists.h"
#include "core/flow/residual_stack.h"
#include "core/stats/moments.h"

#include <cmath>
#include <utility>

namespace normscope {
namespace {

template<class S>
GradientSplit split_of(const Matrix<S>& skip, const Matrix<S>& branch) {
    GradientSplit out;
    out.skip_norm = norm_of(skip);
    out.branch_norm = norm_of(branch);
    if (out.skip_norm > 0 && out.branch_norm > 0)
        out.cosine = dot(skip, branch) / out.skip_norm / out.branch_norm;
    return out;
}

template<class S>
double mean_square(const Matrix<S>& x) {
    return squared_norm(x) / static_cast<double>(x.size());
}

template<class S>
void measure_weights(const SublayerGradients<S>& gradients, BlockFlow& out) {
    if (const auto* g = std::get_if<LinearGradients<S>>(&gradients))
        out.weight_grad_norm = norm_of(g->dweight);
    if (const auto* g = std::get_if<FeedForwardGradients<S>>(&gradients)) {
        out.w1_grad_norm = norm_of(g->first.dweight);
        out.w2_grad_norm = norm_of(g->second.dweight);
    }
    if (const auto* g = std::get_if<AttentionGradients<S>>(&gradients))
        out.attention_grad_norm =
            std::sqrt(squared_norm(g->in.dweight) + squared_norm(g->out.dweight));
}

// Backward through the units of one block. `g` is ∂L/∂(output) and becomes ∂L/∂(input).
template<class S>
Result<BlockFlow> flow_through(const ResidualStack<S>& stack, const StackRun<S>& run, int block,
                               Matrix<S>& g) {
    BlockFlow out;
    const Matrix<S>& output = activation_after(stack, run, block + 1);
    out.variance = moments(all_of(output)).variance;
    out.mean_square = mean_square(output);
    out.grad_norm = norm_of(g);
    const int per_block = stack.units_per_block();
    out.sublayers.resize(static_cast<std::size_t>(per_block));
    double gamma = 0;
    double beta = 0;
    Matrix<S> skipped = g; // the gradient that has crossed no sublayer of this block
    for (int i = per_block - 1; i >= 0; --i) {
        const auto n = static_cast<std::size_t>(block * per_block + i);
        const auto back = TRY(block_backward(stack.units[n], run.units[n], g));
        entry_at(out.sublayers, i) = split_of(back.skip, back.branch);
        measure_weights(back.sublayer, out);
        gamma += squared_norm(back.dgamma) + squared_norm(back.outer_dgamma);
        beta += squared_norm(back.dbeta) + squared_norm(back.outer_dbeta);
        out.branch_scale_grad += back.dbranch_scale;
        out.trunk_scale_grad += back.dtrunk_scale * own_trunk_scale(stack.config);
        g = back.dx();
        if (per_block == 1) {
            out.split = out.sublayers.front();
            continue;
        }
        skipped = TRY(skip_backward(stack.units[n], run.units[n], skipped));
    }
    if (per_block > 1) out.split = split_of<S>(skipped, g - skipped);
    out.gamma_grad_norm = std::sqrt(gamma);
    out.beta_grad_norm = std::sqrt(beta);
    return out;
}

} // namespace

template<class S>
Result<GradientFlow> gradient_flow(const ResidualStack<S>& stack, const StackRun<S>& run,
                                   const Progress& progress) {
    GradientFlow out;
    const int blocks = stack.config.blocks;
    out.loss = run.loss;
    out.input_mean_square = mean_square(stack.input);
    out.blocks.resize(static_cast<std::size_t>(blocks));
    Matrix<S> g = run.dx_last;
    for (int block = blocks - 1; block >= 0; --block) {
        const double done = static_cast<double>(blocks - 1 - block) / blocks;
        TRY(progress.at(done));
        entry_at(out.blocks, block) = TRY(flow_through(stack, run, block, g));
    }
    out.input_grad_norm = norm_of(g);
    return out;
}

template<class S>
Result<double> block_gain(const ResidualStack<S>& stack, const StackRun<S>& run, int block,
                          int probes, std::uint64_t seed) {
    const StackConfig& config = stack.config;
    if (block < 0 || block >= config.blocks)
        return fail("there is no block {} in a stack of {}", block, config.blocks);
    Random random(seed);
    double energy = 0;
    for (int p = 0; p < probes; ++p) {
        Matrix<S> v = init_weight<S>({Init::normal, 1, 1}, config.width, config.tokens, random);
        const double before = squared_norm(v);
        const Matrix<S> back = TRY(through_blocks(stack, run, block, block + 1, std::move(v)));
        energy += squared_norm(back) / before / probes;
    }
    return std::sqrt(energy);
}

namespace {

template<class S>
Result<SeedFlow> flow_of(const StackConfig& config, Paths paths, int threads,
                         const Progress& progress) {
    const auto stack = TRY(ResidualStack<S>::make(config, threads, nullptr, progress.part(0, 0.2)));
    const auto run = TRY(run_forward(stack, progress.part(0.2, 0.4)));
    const double rest = paths == Paths::split ? 0.5 : 1;
    SeedFlow out;
    out.seed = config.seed;
    out.flow = TRY(gradient_flow(stack, run, progress.part(0.4, rest)));
    if (paths == Paths::split)
        out.paths = TRY(path_lengths(stack, run, progress.part(rest, 1), threads));
    return out;
}

} // namespace

template<class S>
Result<std::vector<SeedFlow>> flow_over_seeds(const StackConfig& config, int seeds, Paths paths,
                                              int threads, const Progress& progress) {
    std::vector<SeedFlow> out;
    for (int i = 0; i < seeds; ++i) {
        StackConfig own = config;
        own.seed = config.seed + static_cast<std::uint64_t>(i);
        const Progress part =
            progress.part(static_cast<double>(i) / seeds, static_cast<double>(i + 1) / seeds);
        out.push_back(TRY(flow_of<S>(own, paths, threads, part)));
    }
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(gradient_flow);
NORMSCOPE_IN_BOTH_PRECISIONS(block_gain);
NORMSCOPE_IN_BOTH_PRECISIONS(flow_over_seeds);

} // namespace normscope
