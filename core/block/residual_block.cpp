#include "core/block/residual_block.h"

#include "core/base/dot.h"
#include "core/norm/affine.h"

#include <utility>

namespace normscope {
namespace {

bool is_inside(Placement placement) {
    return placement == Placement::pre || placement == Placement::peri;
}

template<class S>
Add add_of(const ResidualBlock<S>& block) {
    return {block.options.skip, block.options.trunk_scale, branch_scale(block)};
}

template<class S>
const RunningStats<S>* pointer_to(const std::optional<RunningStats<S>>& running) {
    return running ? &*running : nullptr;
}

NormOptions norm_options(const BlockOptions& options) {
    NormOptions out;
    out.eps = options.eps;
    out.mode = options.mode;
    out.threads = options.threads;
    return out;
}

template<class S>
Result<NormGradients<S>> norm_backward(const BlockOptions& options, const Affine<S>& affine,
                                       const NormCache<S>& cache, const Matrix<S>& dy) {
    return normalize_backward(cache, affine, dy, BackwardOptions{{}, options.threads});
}

template<class S>
Result<void> check_block_gradient(const BlockCache<S>& cache, const Matrix<S>& dy) {
    return check_gradient("a residual block", dy, cache.branch.rows(), cache.branch.cols());
}

} // namespace

template<class S>
Result<BlockForward<S>> block_forward(const ResidualBlock<S>& block, const Matrix<S>& x,
                                      const AttentionContext<S>& context) {
    const BlockOptions& options = block.options;
    BlockForward<S> out;
    Matrix<S> input = x;
    // pre, peri: the sublayer reads N(x)
    if (is_inside(options.placement)) {
        auto normed = norm_forward(options.norm, x, block.affine, norm_options(options),
                                   pointer_to(block.running));
        if (!normed) return tl::unexpected(normed.error());
        input = std::move(normed->y);
        out.cache.norm = std::move(normed->cache);
        out.cache.running = std::move(normed->running);
    }
    auto f = sublayer_forward(block.sublayer, std::move(input), options.threads, context);
    if (!f) return tl::unexpected(f.error());
    if (f->y.cols() != x.cols())
        return fail("a residual block needs a sublayer that keeps the width: X is " +
                    shape_text(x.rows(), x.cols()) + ", F(X) is " +
                    shape_text(f->y.rows(), f->y.cols()));
    out.cache.sublayer = std::move(f->cache);
    // peri: N₂ after the sublayer
    if (options.placement == Placement::peri) {
        auto normed = norm_forward(options.norm, f->y, block.outer, norm_options(options),
                                   pointer_to(block.outer_running));
        if (!normed) return tl::unexpected(normed.error());
        f->y = std::move(normed->y);
        out.cache.outer = std::move(normed->cache);
        out.cache.outer_running = std::move(normed->running);
    }
    // z = λx + αF, which post and deepnorm normalize
    if (is_inside(options.placement)) {
        if (auto ok = residual_add(x, f->y, add_of(block), out.y, options.threads); !ok)
            return tl::unexpected(ok.error());
    } else {
        auto normed = add_norm_forward(x, f->y, add_of(block), options.norm, block.affine,
                                       norm_options(options), pointer_to(block.running));
        if (!normed) return tl::unexpected(normed.error());
        out.y = std::move(normed->y);
        out.cache.z = std::move(normed->z);
        out.cache.norm = std::move(normed->cache);
        out.cache.running = std::move(normed->running);
    }
    out.cache.branch = std::move(f->y);
    out.cache.x = x;
    return out;
}

template<class S>
Result<BlockBackward<S>> block_backward(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                        const Matrix<S>& dy, Want want,
                                        const AttentionContext<S>& context) {
    if (auto ok = check_block_gradient(cache, dy); !ok) return tl::unexpected(ok.error());
    const BlockOptions& options = block.options;
    BlockBackward<S> out;
    // dz: through N where it stands after the Add
    if (is_inside(options.placement)) {
        out.dz = dy;
    } else {
        auto normed = norm_backward(options, block.affine, *cache.norm, dy);
        if (!normed) return tl::unexpected(normed.error());
        out.dz = std::move(normed->dz);
        out.dgamma = std::move(normed->dgamma);
        out.dbeta = std::move(normed->dbeta);
    }
    // z = λx + αF: both arms receive dz
    const Add add = add_of(block);
    auto [skip, df] = residual_add_backward(add, out.dz);
    out.skip = std::move(skip);
    if (want == Want::everything) {
        out.dbranch_scale = dot(out.dz, cache.branch);
        if (add.has_skip()) out.dtrunk_scale = dot(out.dz, cache.x);
        if (block.alpha.size() > 0)
            out.dalpha.setConstant(1, static_cast<S>(options.branch_scale * out.dbranch_scale));
    }
    if (cache.outer) {
        auto normed = norm_backward(options, block.outer, *cache.outer, df);
        if (!normed) return tl::unexpected(normed.error());
        df = std::move(normed->dz);
        out.outer_dgamma = std::move(normed->dgamma);
        out.outer_dbeta = std::move(normed->dbeta);
    }
    auto f =
        sublayer_backward(block.sublayer, cache.sublayer, df, Pass{want, options.threads}, context);
    if (!f) return tl::unexpected(f.error());
    out.sublayer = std::move(f->gradients);
    out.branch = std::move(f->dx);
    out.dmemory = std::move(f->dmemory);
    if (is_inside(options.placement)) {
        out.dnormed = std::move(out.branch);
        auto normed = norm_backward(options, block.affine, *cache.norm, out.dnormed);
        if (!normed) return tl::unexpected(normed.error());
        out.branch = std::move(normed->dz);
        out.dgamma = std::move(normed->dgamma);
        out.dbeta = std::move(normed->dbeta);
    }
    return out;
}

template<class S>
Result<Matrix<S>> skip_backward(const ResidualBlock<S>& block, const BlockCache<S>& cache,
                                const Matrix<S>& dy) {
    if (auto ok = check_block_gradient(cache, dy); !ok) return tl::unexpected(ok.error());
    const BlockOptions& options = block.options;
    if (options.skip != Residual::add) return Matrix<S>(Matrix<S>::Zero(dy.rows(), dy.cols()));
    const auto trunk = static_cast<S>(options.trunk_scale);
    if (is_inside(options.placement)) return Matrix<S>(dy * trunk);
    auto normed = norm_backward(options, block.affine, *cache.norm, dy);
    if (!normed) return tl::unexpected(normed.error());
    return Matrix<S>(normed->dz * trunk);
}

template Result<BlockForward<float>>
block_forward(const ResidualBlock<float>&, const Matrix<float>&, const AttentionContext<float>&);
template Result<BlockForward<double>>
block_forward(const ResidualBlock<double>&, const Matrix<double>&, const AttentionContext<double>&);
template Result<BlockBackward<float>> block_backward(const ResidualBlock<float>&,
                                                     const BlockCache<float>&, const Matrix<float>&,
                                                     Want, const AttentionContext<float>&);
template Result<BlockBackward<double>> block_backward(const ResidualBlock<double>&,
                                                      const BlockCache<double>&,
                                                      const Matrix<double>&, Want,
                                                      const AttentionContext<double>&);
template Result<Matrix<float>> skip_backward(const ResidualBlock<float>&, const BlockCache<float>&,
                                             const Matrix<float>&);
template Result<Matrix<double>> skip_backward(const ResidualBlock<double>&,
                                              const BlockCache<double>&, const Matrix<double>&);

} // namespace normscope
