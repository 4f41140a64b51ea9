#pragma once
#include "app/study/gradient_flow/flow_runner.h"
#include "app/workspaces/shared/frame.h"

namespace normscope {

struct FlowMemory final : OwnMemory {
    explicit FlowMemory(const DrawMemory::Wake& wake) : runner(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&runner}; }

    FlowRunner runner;
};

} // namespace normscope
