#include "app/study/gradient_flow/flow_block.h"

#include "core/flow/residual_stack.h"
#include "core/norm/affine.h"

#include <fmt/format.h>

namespace normscope {

namespace {

std::vector<double> values_of(const Vector<float>& v) {
    return {v.begin(), v.end()};
}

// Which Add & Norm is shown: a block may have two, and a norm that comes first reads another sum.
std::string title_of(const StackConfig& c, BlockPart part, double trunk_scale) {
    const int block = part.block;
    const bool encoder = c.sublayer == SublayerKind::encoder;
    const bool first = encoder && part.sublayer == OfBlock::first_sublayer;
    const std::string output = first     ? "its attention's output"
                               : encoder ? "its feed-forward layer's output"
                                         : "its sublayer's output";
    const std::string add = first     ? "its first Add (attention)"
                            : encoder ? "its second Add (feed-forward)"
                                      : "its Add";
    std::string what = c.skip == Residual::no_skip ? output : add;
    const bool norm = norm_entry(c.norm).normalizes();
    if (norm && (c.placement == Placement::pre || c.placement == Placement::peri))
        what += first               ? std::string(", then the norm of its feed-forward layer")
                : block == c.blocks ? std::string(", then the final norm")
                                    : fmt::format(", then the norm of block {}", block + 1);
    else if (norm)
        what = c.skip == Residual::no_skip ? "the norm of " + output
               : first                     ? "its first Add & Norm (attention)"
               : encoder                   ? "its second Add & Norm (feed-forward)"
                                           : "its Add & Norm";
    if (c.skip == Residual::add && trunk_scale != 1)
        what += c.placement == Placement::deepnorm ? ", X is α·x" : ", X is λ·x";
    return fmt::format("Block {}: {}", block, what);
}

// ∂L/∂Y of the Add & Norm that is unit `n`'s: the stack's own gradient, carried back to there.
// Where the norm comes first that is the gradient at the output of the norm that reads the unit's
// sum.
Result<Matrix<float>> gradient_at(const ResidualStack<float>& stack, const StackRun<float>& run,
                                  std::size_t n, bool norm_first, const Progress& progress) {
    const auto& units = stack.units();
    if (norm_first && n + 1 == units.size()) return run.dy; // behind the final norm
    Matrix<float> g = run.dx_last;
    const std::size_t from = norm_first ? n + 2 : n + 1;
    for (std::size_t i = units.size(); i-- > from;) {
        const auto left = static_cast<double>(i - from) / static_cast<double>(units.size());
        if (auto ok = progress.at(1 - left); !ok) return tl::unexpected(ok.error());
        const auto back = block_backward(units[i], run.units[i], g, Want::input_only);
        if (!back) return tl::unexpected(back.error());
        g = back->dx();
    }
    if (!norm_first) return g;
    // Down the branch of the unit above, as far as its norm.
    const Unit<float>& above = units[n + 1];
    const BlockCache<float>& cache = run.units[n + 1];
    Matrix<float> df = g * static_cast<float>(above.options.branch_scale);
    if (cache.outer) {
        auto outer = normalize_backward(*cache.outer, above.outer, df);
        if (!outer) return tl::unexpected(outer.error());
        df = std::move(outer->dz);
    }
    auto f = sublayer_backward(above.sublayer, cache.sublayer, df, Pass{Want::input_only, 1});
    if (!f) return tl::unexpected(f.error());
    return std::move(f->dx);
}

} // namespace

Result<Document> open_block(const Document& document, BlockPart part, const Progress& progress) {
    const StackConfig& config = document.flow.stack;
    const int block = part.block;
    if (block < 1 || block > config.blocks)
        return fail(fmt::format("There is no block {}: the stack has {}", block, config.blocks));
    const auto stack = ResidualStack<float>::make(config, 1, nullptr, progress.part(0, 0.4));
    if (!stack) return tl::unexpected(stack.error());
    const auto run = run_forward(*stack, progress.part(0.4, 0.7));
    if (!run) return tl::unexpected(run.error());

    const int per_block = stack->units_per_block();
    const int below = part.sublayer == OfBlock::first_sublayer ? per_block - 1 : 0;
    const auto n = static_cast<std::size_t>(block * per_block - 1 - below);
    const Unit<float>& unit = stack->units()[n];
    const BlockCache<float>& cache = run->units[n];
    const bool norm_first =
        config.placement == Placement::pre || config.placement == Placement::peri;
    // The norm that reads this part's sum.
    Affine<float> affine = unit.affine;
    if (norm_first)
        affine = n + 1 < stack->units().size()
                     ? stack->units()[n + 1].affine
                     : identity_affine<float>(AffinePer::feature, config.tokens, config.width);

    Document d = document;
    d.title = title_of(config, part, unit.options.trunk_scale);
    d.tokens = numbered_names('t', config.tokens);
    d.features = numbered_names('d', config.width);
    // λ and α go into the two inputs, so that Z is the stack's own.
    d.x = Matrix<double>(cache.x.cast<double>() * unit.options.trunk_scale);
    d.f = Matrix<double>(cache.branch.cast<double>() * unit.options.branch_scale);
    d.norm = config.norm;
    d.residual = config.skip;
    d.affine_per = AffinePer::feature;
    d.gamma = values_of(affine.gamma);
    d.beta = values_of(affine.beta);
    d.set_aside = {}; // nothing was set by hand of this norm's
    d.gamma_range = d.gamma_set_range = k_gamma_range;
    d.beta_range = d.beta_set_range = k_beta_range;
    d.gamma_range.grow(*d.gamma);
    d.beta_range.grow(*d.beta);
    d.eps = config.eps;
    const auto dy = gradient_at(*stack, *run, n, norm_first, progress.part(0.7, 1));
    if (!dy) return tl::unexpected(dy.error());
    d.backward.loss = LossKind::given;
    d.backward.dy = Matrix<double>(dy->cast<double>());
    // A target of the document before fits by chance only; its losses so far are of other numbers.
    if (d.token_count() != document.token_count() ||
        d.feature_count() != document.feature_count()) {
        d.backward.target = Matrix<double>();
        d.backward.entry_token = d.backward.entry_feature = 0;
    }
    d.backward.forget_run();
    if (const auto ok = check(d); !ok) return tl::unexpected(ok.error());
    return d;
}

} // namespace normscope
