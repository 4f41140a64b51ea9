#pragma once
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

namespace normscope {

// Whether the Add adds (He et al. 2015, eq. 1), or F(X) goes on alone.
enum class Residual : std::uint8_t { add, no_skip };
template<>
inline constexpr std::array<Choice<Residual>, 2> k_choices<Residual>{{
    {Residual::add, "add", "Add"},
    {Residual::no_skip, "no_skip", "No skip"},
}};

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

// Writes the Add's result to `z`, resized to T×D. x, f: T×D. Errors: different shapes, which the
// message names.
template<class S>
Result<void> residual_add(const Matrix<S>& x, const Matrix<S>& f, const Add& add, Matrix<S>& z,
                          int threads = 1);

// Gradients at the Add's two inputs: dx = λ·dz, zeros without the skip, and df = α·dz.
template<class S>
void residual_add_backward(const Add& add, const Matrix<S>& dz, Matrix<S>& dx, Matrix<S>& df) {
    if (add.has_skip())
        dx = dz * static_cast<S>(add.trunk_scale);
    else
        dx.setZero(dz.rows(), dz.cols());
    df = dz * static_cast<S>(add.branch_scale);
}

// y = γ ⊙ norm(z) + β, z: T×D. Errors: what the norm refuses; γ or β that do not fit. A caller that
// keeps `made` and y from pass to pass allocates nothing of the same shape again.
template<class S>
Result<void> norm_forward_into(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                               const NormOptions& options, const RunningStats<S>* running,
                               Normalized<S>& made, Matrix<S>& y) {
    TRY(normalize_into(norm, z, options, running, made));
    return affine_forward(made.cache.x_hat, affine, y, options.threads);
}
template<class S>
struct NormForward : Normalized<S> {
    Matrix<S> y;
};
template<class S>
Result<NormForward<S>> norm_forward(const Norm& norm, const Matrix<S>& z, const Affine<S>& affine,
                                    const NormOptions& options = {},
                                    const RunningStats<S>* running = nullptr) {
    NormForward<S> out;
    TRY(norm_forward_into<S>(norm, z, affine, options, running, out, out.y));
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
Result<AddNormForward<S>> add_norm_forward(const Matrix<S>& x, const Matrix<S>& f, const Add& add,
                                           const Norm& norm, const Affine<S>& affine,
                                           const NormOptions& options = {},
                                           const RunningStats<S>* running = nullptr) {
    AddNormForward<S> out;
    TRY(residual_add(x, f, add, out.z, options.threads));
    TRY(norm_forward_into<S>(norm, out.z, affine, options, running, out, out.y));
    return out;
}

} // namespace normscope
