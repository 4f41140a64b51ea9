#pragma once
#include "app/charts/ticks.h"
#include "app/study/gradient_flow/flow_quantity.h"
#include "app/workspaces/shared/look.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace normscope {

// How the gradient flow is looked at.
struct FlowView {
    // The scale of the river's width, if chosen by hand; none: logarithmic where the river's parts
    // span many decades.
    std::optional<ScaleKind> width;
    std::optional<ScaleKind> found_width; // what that was last
    bool particles = false;               // walk along it; the program draws frames while they do
    FlowQuantity quantity = FlowQuantity::gradient;
    std::optional<int> block;       // the one the keyboard is at, 1 … L
    bool takes_keyboard = false;    // the river does, in the next frame: one has come back to it
    std::optional<int> only_block;  // whose γ and β the sliders change, 1 … L; none: all
    std::optional<int> path_length; // whose typical route is lit
    std::uint64_t route_seed = 0;

    // The folded rows of these panels are there.
    bool more_stack = false, more_river = false, more_quantities = false;

    std::optional<std::size_t> renaming; // a pinned stack
    // A pinned stack that was clicked is restored once no second click can make it a renaming.
    std::optional<std::size_t> restoring;
    double clicked_at = 0; // seconds of ImGui's clock

    bool predict = false; // before a story's curve is shown
    bool revealed = false;
    std::optional<ExpectedShape> expected;
    std::map<int, double> drawn; // expected: l → log10(‖∂L/∂x_l‖ / ‖∂L/∂x_L‖)

    void forget_guess() {
        revealed = false;
        expected.reset();
        drawn.clear();
    }
    void keep(Look& look) {
        look("width", width, ScaleKind::symlog);
        look("particles", particles);
        look("quantity", quantity, FlowQuantity::beta);
        look("predict", predict);
        look("more-stack", more_stack);
        look("more-river", more_river);
        look("more-quantities", more_quantities);
    }
    bool operator==(const FlowView&) const = default;
};

} // namespace normscope
