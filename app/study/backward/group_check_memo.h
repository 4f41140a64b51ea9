#pragma once
#include "app/study/backward/backward.h"

namespace normscope {

// dz of the group that was asked for last, compared with central differences when it is another
// one or has changed.
class GroupCheckMemo {
  public:
    const SampledCheck& of(const Backward& backward, Index group);

  private:
    SampledCheck last_;
    Matrix<double> x_hat_by_z_;        // what the differences take from the forward pass
    std::uint64_t x_hat_ = 0, dz_ = 0; // versions they were made of
    Index group_ = -1;
};

} // namespace normscope
