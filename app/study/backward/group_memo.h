#pragma once
#include "app/study/backward/backward.h"
#include "core/base/memo.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace normscope {

// J = ∂x̂/∂z or ∂y/∂z of one group, but for a broken term, and the lengths of J·1 and J·x̂.
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

struct JacobianKey {
    std::uint64_t x_hat, affine; // versions; of γ and β where it is ∂y/∂z
    BrokenTerm broken;
    Index group;
    JacobianOf of;
    bool operator==(const JacobianKey&) const = default;
};
using JacobianMemo = Memo<JacobianKey, GroupJacobian>;

// The Jacobian of the group that was asked for last, computed when another one is asked for.
const GroupJacobian& group_jacobian(JacobianMemo& memo, const Backward& backward, Index group);

// dz of the group that was asked for last, compared with central differences when it is another
// one or has changed.
using GroupCheckMemo =
    Memo<std::tuple<std::uint64_t, std::uint64_t, Index>, SampledCheck>; // of x̂, dz, group
const SampledCheck& group_check(GroupCheckMemo& memo, const Backward& backward, Index group);

} // namespace normscope
