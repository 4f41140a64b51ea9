#pragma once
#include "app/model/document.h"
#include "app/study/backward/scale_curve.h"
#include "core/check/sampled_check.h"
#include "core/norm/normalize.h"

#include <optional>

namespace normscope {

// Above this relative difference a gradient counts as wrong.
inline constexpr double k_check_tolerance = 1e-6;

// The entry to name of a check: where it is off by most, else where it is farthest apart.
inline const GradientEntry& named_entry(const SampledCheck& check) {
    return check.off_most(k_check_tolerance);
}

// Each gradient against central differences of L = Σ dY⊙Y with dY held fixed, through the norm's
// definition, which shares no code with what made the gradients; dY itself against differences of
// the loss. All entries of small documents; of large ones a seeded sample, and what belongs to the
// largest dY, dz and dγ.
struct GradientChecks {
    SampledCheck dz; // entries are token·D + feature
    SampledCheck dgamma;
    SampledCheck dbeta;
    std::optional<SampledCheck> dy; // where dY comes from a loss
};

// The forward pass and its gradients that a check compares. All members are the caller's.
struct CheckedGradients {
    const Document& document;
    const Matrix<double>& z;
    const NormCache<double>& cache;
    const Affine<double>& affine;
    const Matrix<double>& dy;
    const Matrix<double>& target; // of a distance
    const Matrix<double>& dz;
    const Vector<double>& dgamma;
    const Vector<double>& dbeta;
    const RunningStats<double>* running; // statistics that normalized Z, where they are not its own
};

// ∂x̂/∂z_i of the set by differences of the norm's definition, `place` being that of z_i in the set.
Vector<double> x_hat_by_z(const CheckedGradients& gradients, Index set, Index place);

// x̂ of `cache`, which is of z, against that of the norm's definition, cell by cell. `running`: the
// statistics that normalized z, where they are not its own; else null.
SampledCheck check_x_hat(const Matrix<double>& z, const NormCache<double>& cache,
                         const RunningStats<double>* running);

GradientChecks check_gradients(const CheckedGradients& gradients);

// dz of one group that shares its statistics; entries are token·D + feature.
SampledCheck check_dz_of_group(const CheckedGradients& gradients, Index set);

// The slope of L along dz where Z is `factor` times as large, against the gradient that `claimed`
// gives for each group there. Entries are groups. `terms`: the terms that dz is made of.
SampledCheck check_scaled(const CheckedGradients& gradients, double factor,
                          const ScaleCurve& claimed, const BackwardTerms& terms);

} // namespace normscope
