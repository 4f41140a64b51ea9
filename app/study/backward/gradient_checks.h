#pragma once
#include "app/model/document.h"
#include "app/study/backward/scale_curve.h"
#include "core/check/sampled_check.h"
#include "core/norm/normalize.h"

#include <memory>
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

// The forward pass of one of the document's StatisticSets, by the norm's definition.
class NormOfSet {
  public:
    // `running`: those of all features, where they are what a set is normalized by; else null.
    NormOfSet(const Document& document, const RunningStats<double>* running, Index set);

    // z: the set's block.
    Result<Normalized<double>> operator()(const Matrix<double>& z) const {
        return normalize_by_definition(norm_, z, options_, running_ ? &*running_ : nullptr);
    }

    // The step of a numeric derivative by a z of this size, where the norm divides by `s`. Where x̂
    // is linear in z any step is exact, but it must not vanish beside a large z.
    double step(double s, double size_of_z) const;

  private:
    Norm norm_;
    NormOptions options_;
    std::optional<RunningStats<double>> running_; // of this feature
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
    const RunningStats<double>* running; // what Z was normalized by, where it was not its own
};

// ∂x̂/∂z_i by differences of the norm's definition, as long as z, the norm and ε stay. A row for
// each of the entries of dz that are compared, over the values of its group.
using CheckMemo = std::shared_ptr<const Matrix<double>>;

// x̂ of `cache`, which is of z, against that of the norm's definition, cell by cell. `running`: what
// z was normalized by, where it was not its own; else null.
SampledCheck check_x_hat(const Matrix<double>& z, const NormCache<double>& cache,
                         const RunningStats<double>* running);

// An empty `memo` is made and left there.
GradientChecks check_gradients(const CheckedGradients& gradients, CheckMemo& memo);

// dz of one group that shares its statistics; entries are token·D + feature. `x_hat_by_z` as in
// CheckMemo, of this group's entries: made and left there where it is empty.
SampledCheck check_dz_of_group(const CheckedGradients& gradients, Index set,
                               Matrix<double>& x_hat_by_z);

// How steep L rises along dz where Z is `factor` times as large, against what `claimed` says of
// each group there. Entries are groups. `terms`: those dz is made of.
SampledCheck check_scaled(const CheckedGradients& gradients, double factor,
                          const ScaleCurve& claimed, const BackwardTerms& terms);

} // namespace normscope
