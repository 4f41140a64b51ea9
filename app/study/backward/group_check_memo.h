#pragma once
#include "app/study/backward/backward.h"
#include "core/base/memo.h"

#include <cstdint>
#include <tuple>
#include <utility>

namespace normscope {

// dz of the group that was asked for last, compared with central differences when it is another
// one or has changed. What the differences take from the forward pass is kept while that stays.
struct GroupCheckMemo {
    Memo<std::pair<std::uint64_t, Index>, Matrix<double>> x_hat_by_z;            // of x̂, group
    Memo<std::tuple<std::uint64_t, std::uint64_t, Index>, SampledCheck> checked; // of x̂, dz, group
};

inline const SampledCheck& group_check(GroupCheckMemo& memo, const Backward& b, Index group) {
    return memo.checked.of({b.x_hat_version(), b.dz_version(), group}, [&] {
        return b.check_group(
            group, memo.x_hat_by_z.of({b.x_hat_version(), group}, [] { return Matrix<double>(); }));
    });
}

} // namespace normscope
