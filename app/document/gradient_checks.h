#pragma once
#include "app/document/document.h"
#include "core/check/sampled_check.h"
#include "core/norm/norm.h"

#include <optional>

namespace normscope {

// Above this relative difference a gradient counts as wrong.
inline constexpr double k_check_tolerance = 1e-6;

// Each gradient against central differences of L = Σ dY⊙Y with dY held fixed, through the same
// forward pass; dY itself against differences of the loss. All entries of small documents, a seeded
// sample of large ones.
struct GradientChecks {
    SampledCheck dz; // entries are token·D + feature
    SampledCheck dgamma;
    SampledCheck dbeta;
    std::optional<SampledCheck> dy; // where dY comes from a loss
};

// What a check compares: a forward pass and its gradients. All refer to the caller's.
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
};

GradientChecks check_gradients(const CheckedGradients& gradients);

// dz of one group that shares its statistics; entries are token·D + feature.
SampledCheck check_dz_of_group(const CheckedGradients& gradients, Index group);

} // namespace normscope
