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

// Writes dz, dγ and dβ into the memory that they have.
template<class S>
Result<void> norm_backward(const BlockOptions& options, const Affine<S>& affine,
                           const NormCache<S>& cache, const Matrix<S>& dy, Matrix<S>& dz,
                           Vector<S>& dgamma, Vector<S>& dbeta) {
    NormGradients<S> made{std::move(dz), std::move(dgamma), std::move(dbeta)};
    TRY(normalize_backward_into(cache, affine, dy, BackwardOptions{{}, options.threads}, made));
    dz = std::move(made.dz);
    dgamma = std::move(made.dgamma);
    dbeta = std::move(made.dbeta);
    return {};
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
    const bool peri = options.placement == Placement::peri;
    // u = x; pre, peri: u = N(x)
    Matrix<S>& u = input_of(block.sublayer, cache.sublayer);
    if (inside)
        TRY(norm_forward_into(options.norm, x, block.affine, norm_options(options),
                              pointer_to(block.running), cache.norm, u));
    else
        u = x;
    // f = F(u)
    Matrix<S>& f = peri ? y : cache.branch;
    TRY(sublayer_forward(block.sublayer, options.threads, context, cache.sublayer, f));
    if (f.cols() != x.cols())
        return fail("a residual block needs a sublayer that keeps the width: X is {}, F(X) is {}",
                    shape_text(x), shape_text(f));
    // peri: N₂(f)
    if (peri)
        TRY(norm_forward_into(options.norm, f, block.outer, norm_options(options),
                              pointer_to(block.outer_running), cache.outer, cache.branch));
    // pre: y = λx + αf; peri: y = λx + αN₂(f); post, deepnorm: y = N(λx + αf)
    if (inside) return residual_add(x, cache.branch, add_of(block), y, options.threads);
    TRY(residual_add(x, cache.branch, add_of(block), cache.z, options.threads));
    return norm_forward_into(options.norm, cache.z, block.affine, norm_options(options),
                             pointer_to(block.running), cache.norm, y);
}

template<class S>
Result<void> block_backward_into(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                 const Matrix<S>& dy, Want want, const AttentionContext<S>& context,
                                 BlockScratch<S>& scratch, BlockBackward<S>& out) {
    TRY(check_block_gradient(cache, dy));
    const BlockOptions& options = block.options;
    const bool inside = is_inside(options.placement);
    // dz = dy; post, deepnorm: dy through N
    if (inside)
        out.dz = dy;
    else
        TRY(norm_backward(options, block.affine, cache.norm.cache, dy, out.dz, out.dgamma,
                          out.dbeta));
    // λ·dz goes to x, α·dz to the branch
    const Add add = add_of(block);
    residual_add_backward(add, out.dz, out.skip, scratch.df);
    if (want == Want::everything || (want == Want::training && block.alpha.size() > 0))
        out.dbranch_scale = dot(out.dz, cache.branch);
    if (want == Want::everything && add.has_skip()) out.dtrunk_scale = dot(out.dz, cache.x);
    if (want != Want::input_only && block.alpha.size() > 0)
        out.dalpha.setConstant(1, static_cast<S>(options.branch_scale * out.dbranch_scale));
    // df = α·dz; peri: α·dz through N₂
    const bool peri = options.placement == Placement::peri;
    if (peri)
        TRY(norm_backward(options, block.outer, cache.outer.cache, scratch.df, scratch.dnormed,
                          out.outer_dgamma, out.outer_dbeta));
    const Matrix<S>& df = peri ? scratch.dnormed : scratch.df;
    // du = df through F
    Matrix<S>& du = inside ? out.dnormed : out.branch;
    TRY(sublayer_backward(block.sublayer, cache.sublayer, df, Pass{want, options.threads}, context,
                          scratch.sublayer, SublayerBackward<S>{du, out.dmemory, out.sublayer}));
    // dx = λ·dz + du; pre, peri: λ·dz + du through N
    if (!inside) return {};
    return norm_backward(options, block.affine, cache.norm.cache, du, out.branch, out.dgamma,
                         out.dbeta);
}

template<class S>
Result<Matrix<S>> skip_backward(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                const Matrix<S>& dy) {
    TRY(check_block_gradient(cache, dy));
    const BlockOptions& options = block.options;
    if (options.skip != Residual::add) return Matrix<S>(Matrix<S>::Zero(dy.rows(), dy.cols()));
    const auto trunk = static_cast<S>(options.trunk_scale);
    if (is_inside(options.placement)) return Matrix<S>(dy * trunk);
    const auto normed = TRY(normalize_backward(cache.norm.cache, block.affine, dy,
                                               BackwardOptions{{}, options.threads}));
    return Matrix<S>(normed.dz * trunk);
}

NORMSCOPE_IN_BOTH_PRECISIONS(block_forward_into);
NORMSCOPE_IN_BOTH_PRECISIONS(block_backward_into);
NORMSCOPE_IN_BOTH_PRECISIONS(skip_backward);

} // namespace normscope
