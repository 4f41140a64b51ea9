#include "app/study/backward/group_memo.h"

#include "core/norm/jacobian.h"
#include "core/stats/magnitude.h"

namespace normscope {

namespace {

constexpr std::uint64_t k_jacobian_seed = 21;
constexpr Index k_column_budget = 20000; // group values gone through

double spread(const Backward& b, Index group) {
    return 1 / rstd_of(b.cache(), group);
}

// γ of the group's values, 1 for ∂x̂/∂z.
Vector<double> gamma_of(const Backward& b, Index group) {
    return b.document().backward.jacobian == JacobianOf::y
               ? gamma_of(b.affine(), b.sets(), group)
               : Vector<double>(Vector<double>::Ones(b.sets().size()));
}

// Column by column: one moved z changes every x̂ of its group.
SampledCheck check_jacobian(const Backward& b, Index group, const Matrix<double>& jacobian) {
    const Index n = jacobian.rows();
    const double s = spread(b, group);
    const Vector<double> gamma = gamma_of(b, group);
    SampledCheck check;
    check.total = jacobian.size();
    for (const Index j :
         entries_to_check(n, std::clamp<Index>(k_column_budget / n, 2, 64), k_jacobian_seed)) {
        const Vector<double> numeric = x_hat_by_z(b.checked(), group, j);
        for (Index i = 0; i < n; ++i)
            check.compare(i * n + j, jacobian(i, j), gamma(i) * numeric(i), std::abs(gamma(i)) / s);
    }
    return check;
}

GroupJacobian jacobian_of(const Backward& b, Index group) {
    GroupJacobian out;
    const JacobianOf kind = b.document().backward.jacobian;
    const Index n = b.sets().size();
    if (n > k_most_jacobian) return out;
    auto j = kind == JacobianOf::y ? output_jacobian(b.cache(), b.affine(), group, b.terms())
                                   : norm_jacobian(b.cache(), group, b.terms());
    if (!j) return out;
    out.values = std::move(*j);
    out.check = check_jacobian(b, group, out.values);
    out.largest = largest_magnitude(out.values.data(), out.values.size());
    const Vector<double> gamma = gamma_of(b, group);
    out.gain = gamma.cwiseAbs().maxCoeff() / spread(b, group);
    for (Index i = 0; i < n; ++i)
        if (gamma(i) == 0) out.still.push_back(i);
    const Vector<double> ones = Vector<double>::Ones(n);
    const Vector<double> x = values_of(b.cache().x_hat, b.sets().block(group));
    out.shift = (out.values * ones).norm();
    out.scale = (out.values * x).norm();
    out.x_hat = x.norm();
    return out;
}

} // namespace

const GroupJacobian& group_jacobian(JacobianMemo& memo, const Backward& b, Index group) {
    const BackwardSetup& setup = b.document().backward;
    const std::uint64_t affine = setup.jacobian == JacobianOf::y ? b.affine_version() : 0;
    const JacobianKey key{b.x_hat_version(), affine, setup.broken, group, setup.jacobian};
    return memo.of(key, [&] {
        GroupJacobian out = jacobian_of(b, group);
        out.version = static_cast<std::uint64_t>(memo.made()) + 1;
        return out;
    });
}

const SampledCheck& group_check(GroupCheckMemo& memo, const Backward& b, Index group) {
    return memo.of({b.x_hat_version(), b.dz_version(), group},
                   [&] { return check_dz_of_group(b.checked(), group); });
}

} // namespace normscope
