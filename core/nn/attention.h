#pragma once
#include "core/nn/linear.h"

#include <cstdint>

namespace normscope {

// causal: token t sees tokens 0 … t only.
enum class Mask : std::uint8_t { none, causal };

// Multi-head self-attention (Vaswani et al. 2017, section 3.2.2) over one sequence, with the
// parameters of torch.nn.MultiheadAttention: Q, K and V of all heads from one product.
//   [Q K V] = x·W_inᵀ + b_in                      T×3D
//   P_h = softmax(Q_h·K_hᵀ/√d_h)                  T×T a head, d_h = D/heads
//   y = [P_1·V_1 … P_H·V_H]·W_outᵀ + b_out        T×D
template<class S>
struct MultiHeadAttention {
    Linear<S> in;  // 3D×D: rows of W_q, W_k, W_v
    Linear<S> out; // D×D
    int heads = 1;
    Mask mask = Mask::none;
};

template<class S>
struct AttentionCache {
    Matrix<S> x;             // T×D
    Matrix<S> qkv;           // T×3D
    Matrix<S> probabilities; // heads·T×T, head by head
    Matrix<S> context;       // T×D
};

template<class S>
struct AttentionGradients {
    LinearGradients<S> in;
    LinearGradients<S> out;
};

template<class S>
struct AttentionForward {
    Matrix<S> y;
    AttentionCache<S> cache;
};

template<class S>
struct AttentionBackward {
    Matrix<S> dx;
    AttentionGradients<S> gradients;
};

// W_q, W_k, W_v and W_out each D×D by their own rule, biases 0. D must be a multiple of `heads`.
template<class S>
MultiHeadAttention<S> make_attention(const InitRule& query_key, const InitRule& value_out,
                                     Index features, int heads, Random& random);

// Errors: x of another width; heads that do not divide it.
template<class S>
Result<AttentionForward<S>> attend(const MultiHeadAttention<S>& attention, Matrix<S> x,
                                   int threads = 1);

// Errors: dy of another shape than y.
template<class S>
Result<AttentionBackward<S>> attend_backward(const MultiHeadAttention<S>& attention,
                                             const AttentionCache<S>& cache, const Matrix<S>& dy,
                                             const Pass& pass = {});

extern template MultiHeadAttention<float> make_attention(const InitRule&, const InitRule&, Index,
                                                         int, Random&);
extern template MultiHeadAttention<double> make_attention(const InitRule&, const InitRule&, Index,
                                                          int, Random&);
extern template Result<AttentionForward<float>> attend(const MultiHeadAttention<float>&,
                                                       Matrix<float>, int);
extern template Result<AttentionForward<double>> attend(const MultiHeadAttention<double>&,
                                                        Matrix<double>, int);
extern template Result<AttentionBackward<float>> attend_backward(const MultiHeadAttention<float>&,
                                                                 const AttentionCache<float>&,
                                                                 const Matrix<float>&, const Pass&);
extern template Result<AttentionBackward<double>> attend_backward(const MultiHeadAttention<double>&,
                                                                  const AttentionCache<double>&,
                                                                  const Matrix<double>&,
                                                                  const Pass&);

} // namespace normscope
