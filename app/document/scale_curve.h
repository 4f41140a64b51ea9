#pragma once
#include "core/matrix.h"
#include "core/norm/group_sums.h"
#include "core/norm/norm.h"

#include <vector>

namespace normscope {

// What multiplying Z by a factor does: Y stays and the gradient shrinks by it, until ε takes over.
// With u = z − μ of a group, x̂(f) = f·r(f)·u and r(f) = 1/√(f²σ² + ε), so a few sums a group give
// every factor:
//   |dz(f)|² = r²·(Σ(a−ā)² − 2f²r²·B²/N + f⁴r⁴·B²·Σu²/N²),  B = Σ a·u
//   |Y(f) − Y(1)|² = Σ γ²u²·(f·r(f) − r(1))²
class ScaleCurve {
  public:
    // dy: T×D. z and its cache as forward left them, not empty. Without one of `terms`, a is dy, ā
    // is 0, or B is.
    ScaleCurve(const Matrix<double>& z, const NormCache<double>& cache,
               const Affine<double>& affine, const Matrix<double>& dy,
               const BackwardTerms& terms = {});

    double gradient(double factor) const;                 // |dz(f)|, Frobenius
    double gradient_of(Index group, double factor) const; // its part of one group
    double output_change(double factor) const; // |Y(f) − Y(1)| / |Y(1) − β|; 0 if that is 0/0
    double output(double factor) const;        // |Y(f) − β| / |Y(1) − β|; 1 if that is 0/0

    struct Point {
        double scale, gradient;
    };
    // At factors from 10⁻⁵ to 10⁵ in equal steps of the logarithm.
    const std::vector<Point>& points() const { return points_; }

  private:
    NormKind kind_;
    double inv_n_ = 0; // 1/N
    double eps_;
    std::vector<GroupSums> groups_;
    std::vector<Point> points_;

    double rstd(const GroupSums& group, double factor) const;
    double squared(const GroupSums& group, double factor) const; // |dz(f)|² of one group
};

} // namespace normscope
