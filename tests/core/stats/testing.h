#pragma once
#include "core/stats/sample.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <vector>

namespace normscope {

// Runs `check` once for every instruction set this machine has and this build holds.
template<class F>
void on_every_target(F check) {
    std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    for (const std::int64_t target : targets) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        check();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
}

// All of these values, which must outlive it.
template<class S>
Sample<S> sample_of(const std::vector<S>& values) {
    return {values.data(), static_cast<Index>(values.size()), 1};
}

} // namespace normscope
