#include "core/block/residual_block.h"

#include "core/norm/affine.h"

#include <utility>

namespace normscope {
namespace {

template<class S>
Add add_of(const ResidualBlock<S>& block) {
    return {block.options.skip, block.options.trunk_scale, branch_scale(block)};
}

template<class S>
const RunningStats<S>* pointer_to(const std::optional<RunningStats<S>>& running) {
    return running ? &*running : nullptr;
}

NormOptions norm_options(const BlockOptions& options) {
    return {.eps = options.eps, .mode = options.mode, .threads = options.threads};
}

// dz, dγ and dβ lend the memory they have.
template<class S>
Result<void> norm_backward(const BlockOptions& options, const Affine<S>& affine,
                           const NormCache<S>& cache, const Matrix<S>& dy, Matrix<S>& dz,
                           Vector<S>& dgamma, Vector<S>& dbeta) {
    NormGradients<S> made{std::move(dz), std::move(dgamma), std::move(dbeta)};
    auto ok =
        normalize_backward_into(cache, affine, dy, BackwardOptions{{}, options.threads}, made);
    dz = std::move(made.dz);
    dgamma = std::move(made.dgamma);
    dbeta = std::move(made.dbeta);
    return ok;
}

template<class S>
Result<void> check_block_gradient(const BlockCache<S>& cache, const Matrix<S>& dy) {
    return check_gradient("a residual block", dy, cache.branch.rows(), cache.branch.cols());
}

} // namespace

template<class S>
Result<void> block_forward_into(const ResidualBlock<S>& block, const AttentionContext<S>& context,
                                BlockCache<S>& cache, Matrix<S>& y) {
    const BlockOptions& options = block.options;
    const Matrix<S>& x = cache.x;
    const bool inside = is_inside(options.placement);
    Matrix<S>& input = input_of(block.sublayer, cache.sublayer);
    // pre, peri: the sublayer reads N(x)
    if (!inside)
        input = x;
    else if (auto ok =
                 norm_forward_into(options.norm, x, block.affine, norm_options(options),
                                   pointer_to(block.running), {input, cache.norm, cache.running});
             !ok)
        return ok;
    const bool peri = options.placement == Placement::peri;
    Matrix<S>& f = peri ? y : cache.branch;
    if (auto ok = sublayer_forward(block.sublayer, options.threads, context, cache.sublayer, f);
        !ok)
        return ok;
    if (f.cols() != x.cols())
        return fail("a residual block needs a sublayer that keeps the width: X is {}, F(X) is {}",
                    shape_text(x), shape_text(f));
    // peri: N₂ after the sublayer
    if (!peri)
        cache.outer.reset();
    else if (auto ok = norm_forward_into(options.norm, f, block.outer, norm_options(options),
                                         pointer_to(block.outer_running),
                                         {cache.branch, cache.outer, cache.outer_running});
             !ok)
        return ok;
    // z = λx + αF, which post and deepnorm normalize
    if (inside) return residual_add(x, cache.branch, add_of(block), y, options.threads);
    return add_norm_forward_into(x, cache.branch, add_of(block), options.norm, block.affine,
                                 norm_options(options), pointer_to(block.running), cache.z,
                                 {y, cache.norm, cache.running});
}

template<class S>
Result<void> block_backward_into(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                 const Matrix<S>& dy, Want want, const AttentionContext<S>& context,
                                 BlockScratch<S>& scratch, BlockBackward<S>& out) {
    if (auto ok = check_block_gradient(cache, dy); !ok) return ok;
    const BlockOptions& options = block.options;
    const bool inside = is_inside(options.placement);
    // dz: through N where it stands after the Add
    if (inside)
        out.dz = dy;
    else if (auto ok = norm_backward(options, block.affine, *cache.norm, dy, out.dz, out.dgamma,
                                     out.dbeta);
             !ok)
        return ok;
    // z = λx + αF: both arms receive dz
    const Add add = add_of(block);
    residual_add_backward(add, out.dz, out.skip, scratch.df);
    if (want == Want::everything || (want == Want::training && block.alpha.size() > 0))
        out.dbranch_scale = dot(out.dz, cache.branch);
    if (want == Want::everything && add.has_skip()) out.dtrunk_scale = dot(out.dz, cache.x);
    if (want != Want::input_only && block.alpha.size() > 0)
        out.dalpha.setConstant(1, static_cast<S>(options.branch_scale * out.dbranch_scale));
    if (cache.outer)
        if (auto ok = norm_backward(options, block.outer, *cache.outer, scratch.df, scratch.dnormed,
                                    out.outer_dgamma, out.outer_dbeta);
            !ok)
            return ok;
    const Matrix<S>& df = cache.outer ? scratch.dnormed : scratch.df;
    Matrix<S>& dinput = inside ? out.dnormed : out.branch;
    if (auto ok = sublayer_backward(block.sublayer, cache.sublayer, df, Pass{want, options.threads},
                                    context, scratch.sublayer,
                                    SublayerBackward<S>{dinput, out.dmemory, out.sublayer});
        !ok)
        return ok;
    if (!inside) return {};
    return norm_backward(options, block.affine, *cache.norm, dinput, out.branch, out.dgamma,
                         out.dbeta);
}

template<class S>
Result<Matrix<S>> skip_backward(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                const Matrix<S>& dy) {
    if (auto ok = check_block_gradient(cache, dy); !ok) return tl::unexpected(ok.error());
    const BlockOptions& options = block.options;
    if (options.skip != Residual::add) return Matrix<S>(Matrix<S>::Zero(dy.rows(), dy.cols()));
    const auto trunk = static_cast<S>(options.trunk_scale);
    if (is_inside(options.placement)) return Matrix<S>(dy * trunk);
    auto normed =
        normalize_backward(*cache.norm, block.affine, dy, BackwardOptions{{}, options.threads});
    if (!normed) return tl::unexpected(normed.error());
    return Matrix<S>(normed->dz * trunk);
}

template decltype(block_forward_into<float>) block_forward_into<float>;
template decltype(block_backward_into<float>) block_backward_into<float>;
template decltype(block_forward_into<double>) block_forward_into<double>;
template decltype(block_backward_into<double>) block_backward_into<double>;
template decltype(skip_backward<float>) skip_backward<float>;
template decltype(skip_backward<double>) skip_backward<double>;

} // namespace normscope
