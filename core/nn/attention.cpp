#include "core/nn/attention.h"

#include "core/kernels/gemm.h"
#include "core/kernels/softmax.h"

#include <cmath>
#include <utility>

namespace normscope {
namespace {

// One head's part of qkv, and where its gradient goes.
template<class S>
struct Head {
    Operand<S> q, k, v; // T×d_h
    Index offset;       // of its columns in Q, K, V and context
};

template<class S>
Head<S> head_of(const Matrix<S>& qkv, Index head, Index width) {
    const Index features = qkv.cols() / 3;
    const Index offset = head * width;
    const Operand<S> all = as_is(qkv);
    return {all.middle_cols(offset, width), all.middle_cols(features + offset, width),
            all.middle_cols(2 * features + offset, width), offset};
}

template<class S>
constexpr const S* k_no_bias = nullptr;

} // namespace

template<class S>
MultiHeadAttention<S> make_attention(const InitRule& query_key, const InitRule& value_out,
                                     Index features, int heads, Random& random) {
    MultiHeadAttention<S> out;
    out.heads = heads;
    out.in.weight.resize(3 * features, features);
    out.in.weight.topRows(features) = init_weight<S>(query_key, features, features, random);
    out.in.weight.middleRows(features, features) =
        init_weight<S>(query_key, features, features, random);
    out.in.weight.bottomRows(features) = init_weight<S>(value_out, features, features, random);
    out.in.bias.setZero(3 * features);
    out.out = make_linear<S>(value_out, features, features, random);
    return out;
}

template<class S>
Result<AttentionForward<S>> attend(const MultiHeadAttention<S>& attention, Matrix<S> x,
                                   int threads) {
    const Index features = attention.out.in();
    if (attention.heads < 1 || features % attention.heads != 0)
        return fail("attention needs heads that divide its width: " + std::to_string(features) +
                    " features, " + std::to_string(attention.heads) + " heads");
    auto qkv = linear_forward(attention.in, x, threads);
    if (!qkv) return tl::unexpected(qkv.error());
    const Index tokens = x.rows();
    const Index width = features / attention.heads;
    AttentionForward<S> out;
    AttentionCache<S>& cache = out.cache;
    cache.probabilities.resize(attention.heads * tokens, tokens);
    cache.context.resize(tokens, features);
    const S scale = S(1) / std::sqrt(static_cast<S>(width));
    // Q/√d_h, so that the scores come scaled out of the product.
    const Matrix<S> scaled_q = qkv->leftCols(features) * scale;
    for (Index h = 0; h < attention.heads; ++h) {
        const Head<S> head = head_of(*qkv, h, width);
        S* p = cache.probabilities.data() + h * tokens * tokens;
        gemm(as_is(scaled_q).middle_cols(head.offset, width), head.k.transposed(),
             Target<S>{p, tokens}, k_no_bias<S>, Write::replace, threads);
        for (Index t = 0; t < tokens; ++t) {
            softmax_row(p + t * tokens, attention.mask == Mask::causal ? t + 1 : tokens, tokens);
        }
        gemm(Operand<S>{p, tokens, tokens, tokens, 1}, head.v,
             Target<S>{cache.context.data() + head.offset, features}, k_no_bias<S>, Write::replace,
             threads);
    }
    auto y = linear_forward(attention.out, cache.context, threads);
    if (!y) return tl::unexpected(y.error());
    out.y = std::move(*y);
    cache.x = std::move(x);
    cache.qkv = std::move(*qkv);
    return out;
}

template<class S>
Result<AttentionBackward<S>> attend_backward(const MultiHeadAttention<S>& attention,
                                             const AttentionCache<S>& cache, const Matrix<S>& dy,
                                             const Pass& pass) {
    auto last = linear_backward(attention.out, cache.context, dy, pass);
    if (!last) return tl::unexpected(last.error());
    const Matrix<S>& dcontext = last->dx;
    const Index tokens = dy.rows();
    const Index features = dy.cols();
    const Index width = features / attention.heads;
    const S scale = S(1) / std::sqrt(static_cast<S>(width));
    const Index step = 3 * features;
    Matrix<S> dqkv(tokens, step);
    Matrix<S> ds(tokens, tokens);
    for (Index h = 0; h < attention.heads; ++h) {
        const Head<S> head = head_of(cache.qkv, h, width);
        const S* p = cache.probabilities.data() + h * tokens * tokens;
        const Operand<S> probabilities{p, tokens, tokens, tokens, 1};
        const Operand<S> dc = as_is(dcontext).middle_cols(head.offset, width);
        S* dq = dqkv.data() + head.offset;
        // dV = Pᵀ·dC, dP = dC·Vᵀ
        gemm(probabilities.transposed(), dc, Target<S>{dq + 2 * features, step}, k_no_bias<S>,
             Write::replace, pass.threads);
        gemm(dc, head.v.transposed(), into(ds), k_no_bias<S>, Write::replace, pass.threads);
        // dS = P ⊙ (dP − Σ_j P⊙dP)/√d_h
        for (Index t = 0; t < tokens; ++t) {
            softmax_row_backward(p + t * tokens, ds.data() + t * tokens, tokens, scale);
        }
        // dQ = dS·K, dK = dSᵀ·Q
        gemm(as_is(ds), head.k, Target<S>{dq, step}, k_no_bias<S>, Write::replace, pass.threads);
        gemm(transposed(ds), head.q, Target<S>{dq + features, step}, k_no_bias<S>, Write::replace,
             pass.threads);
    }
    auto first = linear_backward(attention.in, cache.x, dqkv, pass);
    if (!first) return tl::unexpected(first.error());
    return AttentionBackward<S>{std::move(first->dx),
                                {std::move(first->gradients), std::move(last->gradients)}};
}

template MultiHeadAttention<float> make_attention(const InitRule&, const InitRule&, Index, int,
                                                  Random&);
template MultiHeadAttention<double> make_attention(const InitRule&, const InitRule&, Index, int,
                                                   Random&);
template Result<AttentionForward<float>> attend(const MultiHeadAttention<float>&, Matrix<float>,
                                                int);
template Result<AttentionForward<double>> attend(const MultiHeadAttention<double>&, Matrix<double>,
                                                 int);
template Result<AttentionBackward<float>> attend_backward(const MultiHeadAttention<float>&,
                                                          const AttentionCache<float>&,
                                                          const Matrix<float>&, const Pass&);
template Result<AttentionBackward<double>> attend_backward(const MultiHeadAttention<double>&,
                                                           const AttentionCache<double>&,
                                                           const Matrix<double>&, const Pass&);

} // namespace normscope
