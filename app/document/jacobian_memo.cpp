#include "app/document/jacobian_memo.h"

#include "core/norm/jacobian.h"

namespace normscope {

const GroupJacobian& JacobianMemo::of(const Backward& b, Index group) {
    const JacobianOf kind = b.document().backward.jacobian;
    if (b.dz_version() == made_of_ && group == group_ && kind == kind_) return last_;
    made_of_ = b.dz_version();
    group_ = group;
    kind_ = kind;
    last_.values.resize(0, 0);
    ++last_.version;
    const Index n = b.group_size();
    if (n > k_most_jacobian) return last_;
    auto j = kind == JacobianOf::y ? output_jacobian(b.cache(), b.affine(), group)
                                   : norm_jacobian(b.cache(), group);
    if (!j) return last_;
    last_.values = std::move(*j);
    const Vector<double> ones = Vector<double>::Ones(n);
    const bool by_feature = b.group_axis() == Axis::feature;
    const Vector<double> x = by_feature ? Vector<double>(b.cache().x_hat.col(group))
                                        : Vector<double>(b.cache().x_hat.row(group));
    last_.shift = (last_.values * ones).norm() / ones.norm();
    last_.scale = x.isZero(0) ? 0 : (last_.values * x).norm() / x.norm();
    return last_;
}

} // namespace normscope
