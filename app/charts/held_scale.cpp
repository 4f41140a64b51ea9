#include "app/charts/held_scale.h"

#include "app/charts/geometry.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr double k_wait = 0.5, k_move = 0.3; // seconds
constexpr double k_least_share = 1.0 / 3;    // of a scale that the values take

bool serves(Extent scale, Extent needed) {
    return scale.lo <= needed.lo && needed.hi <= scale.hi &&
           needed.hi - needed.lo > k_least_share * (scale.hi - scale.lo);
}

} // namespace

HeldScale HeldScale::followed(Extent needed, Extent nice, const HandNow& hand) const {
    if (!now) return {.now = nice, .from = nice, .to = nice};
    HeldScale next = *this;
    next.held = hand.down;
    const Extent kept = hand.down ? *now : to;
    next.to = serves(kept, needed) ? kept : nice;
    if (*now == next.to) {
        next.from = next.to;
        next.rested = 0;
        return next;
    }
    if (hand.down || next.to != to) {
        next.from = *now;
        next.rested = 0;
        return next;
    }
    next.rested += hand.passed;
    const double way = hand.at_once ? 1 : std::clamp((next.rested - k_wait) / k_move, 0.0, 1.0);
    if (next.rested < k_wait) return next;
    const auto t = static_cast<double>(eased(static_cast<float>(way)));
    next.now =
        way < 1 ? Extent{from.lo + (next.to.lo - from.lo) * t, from.hi + (next.to.hi - from.hi) * t}
                : next.to;
    return next;
}

double nice_limit(double reach) {
    return std::isfinite(reach) && reach > 0 ? nice_step(reach) : 1;
}

} // namespace normscope
