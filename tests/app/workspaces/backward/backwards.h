#pragma once
#include "app/workspaces/backward/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/unfolded.h"

#include <utility>

namespace normscope::testing {

// The program in the Backward workspace, by its key, in a window that shows all of it.
struct Backwards : Harness {
    explicit Backwards(Setup setup = {}) : Harness(tall(std::move(setup))) {
        unfold_pages(state());
        key(Key::n3);
        settle();
    }
    static Setup tall(Setup setup) {
        if (setup.window.h == Setup().window.h) setup.window.h = 4000;
        return setup;
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
