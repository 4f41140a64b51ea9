#pragma once
#include "app/charts/ticks.h"

#include <optional>

namespace normscope {

// The hand's state in a frame, which moves or holds the scales.
struct HandNow {
    bool down = false;    // something is dragged or typed
    double passed = 0;    // seconds since the frame before
    bool at_once = false; // motion is reduced
};

// The ends of an axis, or of a scale of colours. They stand still while a hand edits. Half a second
// after it has let go they move within 300 ms to where the values need them.
struct HeldScale {
    std::optional<Extent> now = std::nullopt; // as drawn; none: it is drawn for the first time
    Extent from = {}, to = {};                // of the move that is due
    double rested = 0;                        // seconds since the hand let go
    bool held = false;
    bool operator==(const HeldScale&) const = default;

    bool moves() const { return now && !held && *now != to; }

    // The scale in the next frame. `needed`: the range of the values; `nice`: the ends that would
    // be chosen for them anew. The present ends stay while they hold the values and the values take
    // more than a third of the scale.
    HeldScale followed(Extent needed, Extent nice, const HandNow& hand) const;
};

// From −limit to limit, for colours.
inline Extent about_zero(double limit) {
    return {-limit, limit};
}

// 1, 2 or 5 · 10^k: a limit of colours that seldom has to change. 1 of what is 0 or not finite.
double nice_limit(double reach);

} // namespace normscope
