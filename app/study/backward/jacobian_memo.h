#pragma once
#include "app/study/backward/backward.h"

namespace normscope {

// ∂x̂/∂z or ∂y/∂z of one group (without a term that was broken on purpose), and how far the two
// directions that a norm takes away are from 0.
struct GroupJacobian {
    Matrix<double> values;     // N×N, or 0×0 where that is too large to look at
    SampledCheck check;        // against central differences; entries are row·N + column
    double largest = 0;        // magnitude in it
    double gain = 0;           // max |γ| / s: the largest if no term took anything off
    double shift = 0;          // |J·1|
    double scale = 0;          // |J·x̂|; ε leaves a trace, |x̂|·(ε/s²)/s
    double x_hat = 0;          // |x̂|
    std::uint64_t version = 0; // names the content
    std::vector<Index> still;  // places whose γ is 0: their y moves with no z
};

// Groups of more values than this have no picture of their Jacobian.
inline constexpr Index k_most_jacobian = 1024;

// The last one that was asked for, computed when it is another.
class JacobianMemo {
  public:
    const GroupJacobian& of(const Backward& backward, Index group);

  private:
    GroupJacobian last_;
    std::uint64_t x_hat_ = 0, affine_ = 0; // versions it was made of
    BrokenTerm broken_ = BrokenTerm::none;
    Index group_ = -1;
    JacobianOf kind_ = JacobianOf::x_hat;
};

} // namespace normscope
