#pragma once
#include "core/base/matrix.h"
#include "core/norm/normalize.h"

#include <optional>
#include <vector>

namespace normscope {

// Sums, one value a group, with u = z − μ = x̂·s, a = γ⊙dy, ā its mean where the norm has one, and
// d of Spread.
struct GroupScales {
    // Σ(a−ā)², B·Σ(a−ā)·d and B²·Σd² with B = mean(a⊙x̂), q, sᵖ (p is 2 of squares, else 1), Σγ²u².
    Eigen::ArrayXd aa, cross, pull, statistic, power, gg;
    // μΣγ²u and μ²Σγ² where μ and s are constants, so that Z = u + μ is scaled. Else 0.
    Eigen::ArrayXd gm, mm;
};

// Multiplying Z by f leaves Y and divides the gradient by f, until ε takes over.
// With u = z − μ of a group, r(f) = 1/s(f) and s(f)ᵖ = fᵖ·q + ε (p is 2 of squares, else 1), x̂
// grows by k = f·r(f)/r(1) and d by kᵖ⁻¹, so a few sums a group give every factor:
//   |dz(f)|² = r²·(Σ(a−ā)² − 2kᵖ·B·Σ(a−ā)·d + k²ᵖ·B²·Σd²),  B = mean(a⊙x̂)
//   |Y(f) − β|² = Σ γ²u²·(f·r(f))²
// Without a norm, and with running statistics, r is a constant and dz = r·a stays; there
// Y − β = γ·r·(f·z − μ).
class ScaleCurve {
  public:
    // dy: T×D. `cache`: as forward left it, not empty. Without its term of `terms`, a is dy, ā is
    // 0, or B is 0.
    ScaleCurve(const NormCache<double>& cache, const Affine<double>& affine,
               const Matrix<double>& dy, const BackwardTerms& terms);

    double gradient(double factor) const;                 // |dz(f)|, Frobenius
    double gradient_of(Index group, double factor) const; // its part of one group
    double output(double factor) const; // |Y(f) − β| / |Y(1) − β|; 1 if that is 0/0

    struct Point {
        double scale, gradient;
    };
    // The gradient at factors from 10⁻⁵ to 10⁵ in equal steps of the logarithm.
    const std::vector<Point>& points() const { return points_; }

  private:
    double eps_;
    const Spread* spread_;
    std::optional<Eigen::ArrayXd> rstd_; // 1/s where Z does not move it
    GroupScales groups_;
    std::vector<Point> points_;

    Eigen::ArrayXd rstd(double factor) const;
    double squared_output(double factor) const; // |Y(f) − β|²
    // |dz(f)|² of groups [first, first + count)
    Eigen::ArrayXd squared(Index first, Index count, double factor) const;
};

} // namespace normscope
