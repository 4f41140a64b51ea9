#pragma once
#include "core/norm/normalize.h"

namespace normscope {

// What the Add does: z = x + f (He et al. 2015, eq. 1), or without the skip connection z = f.
enum class Residual : std::uint8_t { add, no_skip };

// z = x + f, or f without the skip, into `z` (resized to T×D). x, f: T×D.
// Errors: x and f of different shapes; the message names both.
template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, Residual residual, Matrix<S>& z,
                          int threads = 1);

extern template Result<void> residual_add(const Matrix<float>&, const Matrix<float>&, Residual,
                                          Matrix<float>&, int);
extern template Result<void> residual_add(const Matrix<double>&, const Matrix<double>&, Residual,
                                          Matrix<double>&, int);

struct AddNormOptions {
    Norm norm;
    Residual residual = Residual::add;
    NormOptions options; // ε, mode, momentum, threads
};

// Add & Norm as a layer that learns: y = γ ⊙ norm(x + f) + β (Vaswani et al. 2017, section 3.1).
// It keeps what forward knew (z, statistics, the γ it used), so that backward may be called at any
// time after it, also when γ has changed since.
template<class S>
class AddNorm {
  public:
    // γ and β as given; their length is checked against the input by forward.
    AddNorm(Affine<S> affine, AddNormOptions options);

    // y: T×D, valid until the next forward. x, f: T×D, not empty. Batch norm in train mode moves
    // its running statistics. Errors: x and f of different shapes; γ or β that do not fit; what the
    // norm refuses. After an error the layer is as it was.
    Result<const Matrix<S>*> forward(const Matrix<S>& x, const Matrix<S>& f);

    // dx += dz (nothing without the skip), df += dz: the sum hands its gradient to both. An empty
    // dx or df counts as zeros. dγ and dβ are added to what dgamma() and dbeta() hold. dz uses the
    // γ of the forward pass. dx and df may be one matrix. Errors: no forward before; dy, dx or df
    // of another shape than y.
    Result<void> backward(const Matrix<S>& dy, Matrix<S>& dx, Matrix<S>& df,
                          const BackwardTerms& terms = {});

    // γ −= lr·dγ, β −= lr·dβ, then dγ = dβ = 0.
    void step(S lr);

    const Affine<S>& affine() const { return affine_; }
    void set_affine(Affine<S> affine);
    const AddNormOptions& options() const { return options_; }
    void set_mode(Mode mode) { options_.options.mode = mode; }

    const Matrix<S>& z() const { return z_; }            // T×D, of the last forward
    const Matrix<S>& y() const { return y_; }            // T×D, of the last forward
    const NormCache<S>& cache() const { return cache_; } // of the last forward
    const Vector<S>& dgamma() const { return dgamma_; }
    const Vector<S>& dbeta() const { return dbeta_; }
    const std::optional<RunningStats<S>>& running() const { return running_; }
    void set_running(std::optional<RunningStats<S>> running) { running_ = std::move(running); }

  private:
    Affine<S> affine_;
    AddNormOptions options_;
    Affine<S> used_; // γ and β of the last forward
    Matrix<S> z_;
    Matrix<S> y_;
    NormCache<S> cache_;
    Vector<S> dgamma_;
    Vector<S> dbeta_;
    std::optional<RunningStats<S>> running_;
};

extern template class AddNorm<float>;
extern template class AddNorm<double>;

} // namespace normscope
