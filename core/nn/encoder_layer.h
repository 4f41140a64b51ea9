#pragma once
#include "core/block/residual_block.h"

namespace normscope {

// A Transformer encoder layer: attention, then feed-forward, each with its own Add & Norm
// (Vaswani et al. 2017, figure 1), as torch.nn.TransformerEncoderLayer without dropout; placement
// post is norm_first=False, pre is norm_first=True.
template<class S>
struct EncoderLayer {
    ResidualBlock<S> attention;
    ResidualBlock<S> feed_forward;
};

template<class S>
struct EncoderLayerForward {
    Matrix<S> y;
    BlockCache<S> attention;
    BlockCache<S> feed_forward;
};

template<class S>
struct EncoderLayerBackward {
    Matrix<S> dx;
    BlockBackward<S> attention;
    BlockBackward<S> feed_forward;
};

// Errors: those of the blocks.
template<class S>
Result<EncoderLayerForward<S>> encoder_layer_forward(const EncoderLayer<S>& layer,
                                                     const Matrix<S>& x) {
    auto first = block_forward(layer.attention, x);
    if (!first) return tl::unexpected(first.error());
    auto second = block_forward(layer.feed_forward, first->y);
    if (!second) return tl::unexpected(second.error());
    return EncoderLayerForward<S>{std::move(second->y), std::move(first->cache),
                                  std::move(second->cache)};
}

template<class S>
Result<EncoderLayerBackward<S>> encoder_layer_backward(const EncoderLayer<S>& layer,
                                                       const EncoderLayerForward<S>& forward,
                                                       const Matrix<S>& dy) {
    auto second = block_backward(layer.feed_forward, forward.feed_forward, dy);
    if (!second) return tl::unexpected(second.error());
    auto first = block_backward(layer.attention, forward.attention, second->dx());
    if (!first) return tl::unexpected(first.error());
    return EncoderLayerBackward<S>{first->dx(), std::move(*first), std::move(*second)};
}

} // namespace normscope
