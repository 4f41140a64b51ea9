#pragma once
#include "core/norm/normalize.h"

namespace normscope {

// Whether the Add adds (He et al. 2015, eq. 1), or F(X) goes on alone.
enum class Residual : std::uint8_t { add, no_skip };

// z = λx + αf; without the skip z = αf.
struct Add {
    Residual residual = Residual::add;
    double trunk_scale = 1;  // λ
    double branch_scale = 1; // α

    Add() = default;
    Add(Residual skip, double trunk = 1, double branch = 1)
        : residual(skip), trunk_scale(trunk), branch_scale(branch) {}
    bool has_skip() const { return residual == Residual::add; }
};

// z into `z` (resized to T×D). x, f: T×D. Errors: different shapes, which the message names.
template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, const Add& add, Matrix<S>& z,
                          int threads = 1);

// What dz is to the Add's two inputs: dx = λ·dz, zeros without the skip, and df = α·dz.
template<class S>
void residual_add_backward(const Add& add, const Matrix<S>& dz, Matrix<S>& dx, Matrix<S>& df) {
    if (add.has_skip())
        dx = dz * static_cast<S>(add.trunk_scale);
    else
        dx.setZero(dz.rows(), dz.cols());
    df = dz * static_cast<S>(add.branch_scale);
}

// y = γ ⊙ norm(z) + β, z: T×D.
template<class S>
struct NormForward {
    Matrix<S> y;
    NormCache<S> cache;
    std::optional<RunningStats<S>> running; // after this batch, of norms that have them
};

// What norm_forward() makes, for a caller that keeps it from pass to pass: nothing of the same
// shape is allocated again.
template<class S>
struct NormTargets {
    Matrix<S>& y;
    std::optional<NormCache<S>>& cache;
    std::optional<RunningStats<S>>& running;
};
// Errors: what the norm refuses; γ or β that do not fit.
template<class S>
Result<void> norm_forward_into(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                               const NormOptions& options, const RunningStats<S>* running,
                               const NormTargets<S>& out);
template<class S>
Result<NormForward<S>> norm_forward(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                                    const NormOptions& options = {},
                                    const RunningStats<S>* running = nullptr) {
    NormForward<S> out;
    std::optional<NormCache<S>> cache;
    TRY(norm_forward_into(norm, z, affine, options, running, {out.y, cache, out.running}));
    out.cache = std::move(*cache);
    return out;
}

// Add & Norm: y = γ ⊙ norm(λx + αf) + β (Vaswani et al. 2017, section 3.1). Its backward is
// normalize_backward(), then residual_add_backward(). A caller that keeps z or x̂ from an earlier
// pass calls residual_add(), normalize() and affine_forward() one by one.
template<class S>
struct AddNormForward : NormForward<S> {
    Matrix<S> z; // T×D
};
// Errors: x and f of different shapes; those of norm_forward().
template<class S>
Result<void> add_norm_forward_into(const Matrix<S>& x, const Matrix<S>& f, const Add& add,
                                   const Norm& norm, const Affine<S>& affine,
                                   const NormOptions& options, const RunningStats<S>* running,
                                   Matrix<S>& z, const NormTargets<S>& out);
template<class S>
Result<AddNormForward<S>> add_norm_forward(const Matrix<S>& x, const Matrix<S>& f, const Add& add,
                                           const Norm& norm, const Affine<S>& affine,
                                           const NormOptions& options = {},
                                           const RunningStats<S>* running = nullptr) {
    AddNormForward<S> out;
    std::optional<NormCache<S>> cache;
    TRY(add_norm_forward_into(x, f, add, norm, affine, options, running, out.z,
                              {out.y, cache, out.running}));
    out.cache = std::move(*cache);
    return out;
}

} // namespace normscope
