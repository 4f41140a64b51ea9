#pragma once
#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <string>
#include <utility>

namespace normscope::testing {

// A stack that is measured in a moment.
inline StackConfig small_stack(int blocks = 6) {
    StackConfig c;
    c.blocks = blocks;
    c.width = 16;
    c.tokens = 8;
    c.sublayer = SublayerKind::ffn;
    return c;
}

// The program in the Gradient flow workspace, by its key.
struct FlowHarness : Harness {
    explicit FlowHarness(Setup setup = {}) : Harness(std::move(setup)) {
        set(small_stack());
        key(Key::n4);
        settle();
    }
    void set(const StackConfig& stack) {
        Document d = document();
        d.flow.stack = stack;
        d.flow.seeds = 2;
        become(std::move(d));
        settle();
    }
    const FlowSetup& setup() { return document().flow; }
    const FlowView& view() { return state().view.of<FlowView>(); }
    const FlowStudies& studies() { return state().memory.of<FlowMemory>().runner.studies(); }
    // The scale of the river's width, chosen or found.
    std::optional<ScaleKind> width() { return view().width ? view().width : view().found_width; }
    // Whether the river's words have the gradient that this block, not the first, passes down.
    bool tells_of_block(int block) {
        const GradientFlow& flow = studies().present->seeds.front().flow;
        const double norm = flow.blocks.at(static_cast<std::size_t>(block) - 2).grad_norm;
        return has_text("‖∂L/∂x" + subscript(block - 1) + "‖ = " + flow_norm_text(norm));
    }
    // With all rows of a panel on the page.
    void unfold(const std::string& panel = "stack") {
        click_and_settle("gradient-flow." + panel + ".more");
    }
    Point block_at(int block) {
        const NamedPart river = named("gradient-flow.river.blocks");
        const float w = river.rect.w / static_cast<float>(setup().stack.blocks);
        return {river.rect.x + (static_cast<float>(block) - 0.5f) * w, river.rect.center().y};
    }
    void undo() {
        key(Key::z, true);
        settle();
    }
    std::string workspace() { return std::string(workspace_table()[state().view.workspace].id); }
    // Presses on nothing, so that no widget has the mouse.
    void leave() {
        move({1, 1});
        frames(2);
    }
};

} // namespace normscope::testing
