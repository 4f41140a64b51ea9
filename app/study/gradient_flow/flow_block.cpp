#include "app/study/gradient_flow/flow_runner.h"

#include "app/language/language.h"
#include "core/flow/residual_stack.h"
#include "core/norm/affine.h"

namespace normscope {

namespace {

// The title names the Add & Norm that is shown: a block may have two, and under pre and peri the
// norm that reads the sum is the next sublayer's or the final one.
std::string title_of(const StackConfig& c, BlockPart part, double trunk_scale) {
    const int block = part.block;
    const bool encoder = c.sublayer == SublayerKind::encoder;
    const bool first = encoder && part.sublayer == OfBlock::first_sublayer;
    const std::string_view output = first     ? "its attention's output"
                                    : encoder ? "its feed-forward layer's output"
                                              : "its sublayer's output";
    const std::string_view add = first     ? "its first Add (attention)"
                                 : encoder ? "its second Add (feed-forward)"
                                           : "its Add";
    std::string what(tr(c.skip == Residual::no_skip ? output : add));
    const bool norm = norm_entry(c.norm).normalizes();
    if (norm && is_inside(c.placement))
        what = first               ? worded("{}, then the norm of its feed-forward layer", what)
               : block == c.blocks ? worded("{}, then the final norm", what)
                                   : worded("{}, then the norm of block {}", what, block + 1);
    else if (norm)
        what = c.skip == Residual::no_skip ? worded("the norm of {}", output)
               : first                     ? worded("its first Add & Norm (attention)")
               : encoder                   ? worded("its second Add & Norm (feed-forward)")
                                           : worded("its Add & Norm");
    if (c.skip == Residual::add && trunk_scale != 1)
        what = c.placement == Placement::deepnorm ? worded("{}, X is α·x", what)
                                                  : worded("{}, X is λ·x", what);
    return worded("Block {}: {}", block, what);
}

// ∂L/∂Y of the Add & Norm of unit `n`: the stack's own gradient, carried back to there. With
// `norm_first`, Y is the output of the norm that reads the unit's sum.
Result<Matrix<float>> gradient_at(const ResidualStack<float>& stack, const StackRun<float>& run,
                                  std::size_t n, bool norm_first, const Progress& progress) {
    const auto& units = stack.units;
    if (norm_first && n + 1 == units.size()) return run.dy; // behind the final norm
    Matrix<float> g = run.dx_last;
    const std::size_t from = norm_first ? n + 2 : n + 1;
    for (std::size_t i = units.size(); i-- > from;) {
        const auto left = static_cast<double>(i - from) / static_cast<double>(units.size());
        TRY(progress.at(1 - left));
        const auto back = TRY(block_backward(units[i], run.units[i], g, Want::input_only));
        g = back.dx();
    }
    if (!norm_first) return g;
    // Down the branch of the unit above, as far as its norm.
    auto above = TRY(block_backward(units[n + 1], run.units[n + 1], g, Want::input_only));
    return std::move(above.dnormed);
}

} // namespace

Result<Document> open_block(const Document& document, BlockPart part, const Progress& progress) {
    const StackConfig& config = document.flow.stack;
    const int block = part.block;
    if (block < 1 || block > config.blocks)
        return fail(worded("There is no block {}: the stack has {}", block, config.blocks));
    const auto stack = TRY(ResidualStack<float>::make(config, 1, nullptr, progress.part(0, 0.4)));
    const auto run = TRY(run_forward(stack, progress.part(0.4, 0.7)));

    const int per_block = stack.units_per_block();
    const int below = part.sublayer == OfBlock::first_sublayer ? per_block - 1 : 0;
    const auto n = static_cast<std::size_t>(block * per_block - 1 - below);
    const ResidualBlock<float>& unit = stack.units[n];
    const BlockCache<float>& cache = run.units[n];
    const bool norm_first = is_inside(config.placement);
    // The norm that reads this part's sum.
    Affine<float> affine = unit.affine;
    if (norm_first)
        affine = n + 1 < stack.units.size()
                     ? stack.units[n + 1].affine
                     : identity_affine<float>(AffinePer::feature, config.tokens, config.width);

    const auto dy = TRY(gradient_at(stack, run, n, norm_first, progress.part(0.7, 1)));
    const auto lambda = static_cast<float>(unit.options.trunk_scale);
    const auto alpha = static_cast<float>(unit.options.branch_scale);
    return as_document(document,
                       {title_of(config, part, unit.options.trunk_scale),
                        numbered_names('t', config.tokens), cache.x * lambda, cache.branch * alpha,
                        config.norm, config.skip, affine, config.eps, dy});
}

} // namespace normscope
