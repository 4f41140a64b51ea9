#pragma once
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

} // namespace normscope
