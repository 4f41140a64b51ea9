#pragma once
#include "app/workspaces/transformer/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <string>
#include <utility>

namespace normscope::testing {

// The program in the Transformer workspace, by its key.
struct TransformerHarness : Harness {
    explicit TransformerHarness(Setup setup = {}) : Harness(std::move(setup)) {
        key(Key::n5);
        settle();
    }
    const TransformerSetup& setup() { return document().transformer; }
    TransformerView& view() { return state().view.of<TransformerView>(); }
    const TransformerStudy& study() {
        return state().memory.of<TransformerMemory>().study.of(setup());
    }
    // With all rows of a panel, "model" or "lens", on the page.
    void unfold(const std::string& panel) {
        click("transformer." + panel + ".more");
        settle();
    }
    void press(const std::string& name) {
        click(name);
        settle();
    }
    void undo() {
        key(Key::z, true);
        settle();
    }
    std::string fault() const {
        return overlapping_widgets(log()).value_or("") + overlapping_texts(log()).value_or("");
    }
};

} // namespace normscope::testing
