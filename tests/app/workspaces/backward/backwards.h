#pragma once
#include "app/workspaces/backward/panels.h"
#include "tests/app/shell/harness.h"

#include <utility>

namespace normscope::testing {

// The program in the Backward workspace, by its key.
struct Backwards : Harness {
    explicit Backwards(Setup setup = {}) : Harness(std::move(setup)) {
        key(Key::n3);
        settle();
    }
    const Backward& backward() {
        return state().memory.of<BackwardMemory>().backward.of(document());
    }
    void choose(const std::string& name) {
        click(name);
        settle();
    }
};

} // namespace normscope::testing
